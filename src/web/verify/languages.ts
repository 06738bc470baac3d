import type { Language } from "../shell/language.ts";
import type { VerifyWords } from "./words.ts";

/** Loads the words of the verify page in one language: most visitors read one. The build names these files, too (src/surfaces/web/build-pages.ts). */
export const loadWords: Readonly<Record<Language, () => Promise<VerifyWords>>> = {
  en: async () => (await import("./words-en.ts")).en,
  "pt-BR": async () => (await import("./words-pt-br.ts")).ptBr,
};
