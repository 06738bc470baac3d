import { keep, recall } from "./storage.ts";

/** The languages of the pages. The first is the default. */
export const LANGUAGES = ["en", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

const STORED = "selo.language";

/** The language: `?lang=` first, then the visitor's earlier choice, then the browser's preference. */
export function chooseLanguage(): Language {
  const asked = [new URLSearchParams(location.search).get("lang"), recall(STORED), ...navigator.languages];
  for (const tag of asked) {
    const known = LANGUAGES.find((language) => tag?.toLowerCase().split("-")[0] === language.split("-")[0]);
    if (known) return known;
  }
  return LANGUAGES[0];
}

/** Keeps the choice, and removes a `?lang=` from the address, which would win over the choice at the next visit. */
export function keepLanguage(language: Language): void {
  keep(STORED, language);
  const url = new URL(location.href);
  if (!url.searchParams.has("lang")) return;
  url.searchParams.delete("lang");
  history.replaceState(history.state, "", url);
}
