import { PLACEHOLDERS } from "../shell/facts.ts";
import type { Language } from "../shell/language.ts";
import type { StaticPage } from "../site/static-page.ts";
import { Opening } from "./door/opening.tsx";
import type { AppWords } from "./words.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

const words: Readonly<Record<Language, AppWords>> = { en, "pt-BR": ptBr };

/** What people see before the script runs: that the page is being opened. The script has its own routes below the path. */
const page = (name: string, path: string): StaticPage => ({
  name,
  path,
  isPrivate: true,
  title: (language) => words[language].title,
  description: (language) => words[language].description,
  content: (language) => <Opening words={words[language]} facts={PLACEHOLDERS} />,
});

export const pages: readonly StaticPage[] = [page("app", "/app"), page("app-route", "/app/*")];
