import type { Language } from "../shell/language.ts";
import type { SignWords } from "./words.ts";

/** Loads the words of the signing page in one language. The build names these files, too (src/surfaces/web/build-pages.ts). */
export const loadWords: Readonly<Record<Language, () => Promise<SignWords>>> = {
  en: async () => (await import("./words-en.ts")).en,
  "pt-BR": async () => (await import("./words-pt-br.ts")).ptBr,
};
