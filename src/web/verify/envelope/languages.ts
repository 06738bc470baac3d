import type { Language } from "../../shell/language.ts";
import type { EnvelopeWords } from "./words.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

export const envelopeWords: Readonly<Record<Language, EnvelopeWords>> = { en, "pt-BR": ptBr };
