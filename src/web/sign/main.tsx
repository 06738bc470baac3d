import { hydrateRoot } from "react-dom/client";
import { factsOfDocument } from "../shell/facts.ts";
import { languageOfDocument } from "../shell/language.ts";
import { loadWords } from "./languages.ts";
import { takePlace } from "./place.ts";
import { Sign } from "./sign.tsx";

const root = document.getElementById("app");
// At once, so that nobody who looks at the address bar, or copies it, gets the secret.
const place = takePlace();
const language = languageOfDocument();
// The document asks for them together with this script.
const words = await loadWords[language]();
if (root !== null)
  hydrateRoot(root, <Sign language={language} words={words} facts={factsOfDocument()} place={place} />);
