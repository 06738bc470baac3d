import { hydrateRoot } from "react-dom/client";
import { factsOfDocument } from "../shell/facts.ts";
import { languageOfDocument } from "../shell/language.ts";
import { Verify } from "./verify.tsx";

const root = document.getElementById("app");
const isByCode = location.pathname.replace(/\/$/, "") !== "/verify";
if (root !== null)
  hydrateRoot(root, <Verify language={languageOfDocument()} facts={factsOfDocument()} isByCode={isByCode} />);
