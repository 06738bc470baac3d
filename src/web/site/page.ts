/** The script of pages that are rendered at the build: it remembers the visitor's choice of a language. */
import { chosenLanguage, keepLanguage, LANGUAGES, languageOfDocument } from "../shell/language.ts";

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
