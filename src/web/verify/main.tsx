import { hydrateRoot } from "react-dom/client";
import { factsOfDocument } from "../shell/facts.ts";
import { LANGUAGES, languageOfDocument } from "../shell/language.ts";
import { codeOfAddress } from "./code-in-address.ts";
import { loadWords } from "./languages.ts";
import { loadLater } from "./lazy-parts.tsx";
import { beginLookUp } from "./service.ts";
import { loadQrCode } from "./share.tsx";
import { loadSignatureChecks } from "./signatures.ts";
import { prepareThread } from "./thread.ts";
import { Verify } from "./verify.tsx";

const root = document.getElementById("app");
const code = codeOfAddress();
const isByCode = location.pathname.replace(/\/$/, "") !== "/verify";
if (code !== null) beginLookUp({ code });
const language = languageOfDocument();
// The document asks for them together with this script.
const words = await loadWords[language]();
if (root !== null)
  hydrateRoot(root, <Verify language={language} words={words} facts={factsOfDocument()} isByCode={isByCode} />);

/** Once the page stands, everything else is loaded: files can then be checked with the network gone. */
const loadRest = () => setTimeout(prepareRest, 1_000);
if (document.readyState === "complete") loadRest();
else addEventListener("load", loadRest, { once: true });

function prepareRest(): void {
  prepareThread();
  // What is needed and missing is loaded again.
  const rest = [loadSignatureChecks, loadQrCode, loadLater, ...LANGUAGES.map((other) => loadWords[other])];
  for (const load of rest) load().catch(() => {});
}
