import { createRoot } from "react-dom/client";
import { factsOfDocument } from "../shell/facts.ts";
import { chosenLanguage, languageOfDocument } from "../shell/language.ts";
import { SessionKeeper } from "./api/session-keeper.ts";
import { App } from "./app.tsx";
import { takeLink } from "./door/link.ts";
import { loadWords } from "./languages.ts";

const root = document.getElementById("app");
// At once, so that nobody who looks at the address bar, or copies it, gets the secret.
const link = takeLink();
const language = chosenLanguage() ?? languageOfDocument();
const keeper = new SessionKeeper();
// Both at the same time. The document asks for the words of its language together with this script.
const [words] = await Promise.all([loadWords[language](), keeper.open()]);
// What the build rendered only says that the page is being opened, and is replaced as a whole.
if (root !== null)
  createRoot(root).render(
    <App language={language} words={words} facts={factsOfDocument()} keeper={keeper} link={link} />,
  );
