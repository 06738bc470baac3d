import { keep, recall } from "./storage.ts";

/** The languages of the pages. The first is the default. */
export const LANGUAGES = ["en", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

const STORED = "selo.language";

/** The language that the gateway sent this document in: that of `?lang=`, else the browser's preference. */
export function languageOfDocument(): Language {
  return known(document.documentElement.lang) ?? LANGUAGES[0];
}

/** The visitor's earlier choice, unless the address asks for a language; null without a choice. */
export function chosenLanguage(): Language | null {
  return new URLSearchParams(location.search).has("lang") ? null : known(recall(STORED));
}

/** Keeps the choice, and removes a `?lang=` from the address, which would win over the choice at the next visit. */
export function keepLanguage(language: Language): void {
  keep(STORED, language);
  const url = new URL(location.href);
  if (!url.searchParams.has("lang")) return;
  url.searchParams.delete("lang");
  history.replaceState(history.state, "", url);
}

function known(tag: string | null): Language | null {
  const primary = tag?.toLowerCase().split("-")[0];
  return LANGUAGES.find((language) => language.split("-")[0] === primary) ?? null;
}
