import { PLACEHOLDERS } from "../shell/facts.ts";
import type { Language } from "../shell/language.ts";
import type { StaticPage } from "../site/static-page.ts";
import { Sign } from "./sign.tsx";
import type { SignWords } from "./words.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

const words: Readonly<Record<Language, SignWords>> = { en, "pt-BR": ptBr };

/** What participants see before the script runs: that the request is being opened. */
const sign: StaticPage = {
  name: "sign",
  path: "/sign/:participant_id",
  isPrivate: true,
  title: (language) => words[language].title,
  description: (language) => words[language].description,
  content: (language) => <Sign language={language} words={words[language]} facts={PLACEHOLDERS} place={null} />,
};

export const pages: readonly StaticPage[] = [sign];
