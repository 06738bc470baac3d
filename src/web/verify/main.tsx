import { hydrateRoot } from "react-dom/client";
import { factsOfDocument } from "../shell/facts.ts";
import { languageOfDocument } from "../shell/language.ts";
import { loadQrCode } from "./share.tsx";
import { prepareThread } from "./thread.ts";
import { Verify } from "./verify.tsx";

const root = document.getElementById("app");
const isByCode = location.pathname.replace(/\/$/, "") !== "/verify";
if (root !== null)
  hydrateRoot(root, <Verify language={languageOfDocument()} facts={factsOfDocument()} isByCode={isByCode} />);

/** Once the page stands, everything else is loaded: files can then be checked with the network gone. */
const loadRest = () => setTimeout(prepareRest, 1_000);
if (document.readyState === "complete") loadRest();
else addEventListener("load", loadRest, { once: true });

function prepareRest(): void {
  prepareThread();
  // Shown without it, if it cannot be loaded.
  loadQrCode().catch(() => {});
}
