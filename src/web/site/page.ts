/** The script of pages that are rendered at the build: it remembers the visitor's choice of a language, copies code, lists keys. */
import { chosenLanguage, keepLanguage, LANGUAGES, languageOfDocument } from "../shell/language.ts";
import { addCopyButtons } from "./copy.ts";
import { listKeys } from "./keys.ts";

for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-language]"))
  link.addEventListener("click", () => {
    const language = LANGUAGES.find((each) => each === link.dataset["language"]);
    if (language !== undefined) keepLanguage(language);
  });

const chosen = chosenLanguage();
const isOffered = document.querySelector(`a[data-language="${chosen}"]`) !== null;
if (chosen !== null && chosen !== languageOfDocument() && isOffered) {
  const url = new URL(location.href);
  url.searchParams.set("lang", chosen);
  location.replace(url);
}

addCopyButtons();
const keys = document.querySelector<HTMLElement>("#key-list");
if (keys !== null) void listKeys(keys);

// Development alone has this page.
const reader = document.querySelector<HTMLElement>("#reader-gallery");
if (reader !== null) void import("../gallery/reader.tsx").then(({ showReader }) => showReader(reader));
