import { PLACEHOLDERS } from "../shell/facts.ts";
import type { Language } from "../shell/language.ts";
import type { StaticPage } from "../site/static-page.ts";
import { Verify } from "./verify.tsx";
import type { VerifyWords } from "./words.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

const words: Readonly<Record<Language, VerifyWords>> = { en, "pt-BR": ptBr };

/** What visitors see before the script runs: the questions at /verify, and the place of the verdict at /verify/{code}. */
export const pages: readonly StaticPage[] = (["verify", "verify-code"] as const).map((name) => ({
  name,
  section: "verify",
  ...(name === "verify-code" ? { isPrivate: true as const, path: "/verify/:code" } : {}),
  title: (language) => words[language].title,
  description: (language) => words[language].lead,
  content: (language) => (
    <Verify language={language} words={words[language]} facts={PLACEHOLDERS} isByCode={name === "verify-code"} />
  ),
}));
