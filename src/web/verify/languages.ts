import type { Language } from "../shell/language.ts";
import type { VerifyWords } from "./words.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

/** The words of the verify page, in each language. */
export const verifyWords: Readonly<Record<Language, VerifyWords>> = { en, "pt-BR": ptBr };
