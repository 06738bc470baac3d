import type { Language } from "../shell/language.ts";
import type { AppWords } from "./words.ts";

/** Loads the words of the frame and of signing in, in one language. Each further area has its own words. The build names these files, too. */
export const loadWords: Readonly<Record<Language, () => Promise<AppWords>>> = {
  en: async () => (await import("./words-en.ts")).en,
  "pt-BR": async () => (await import("./words-pt-br.ts")).ptBr,
};
