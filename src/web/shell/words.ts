import type { Language } from "./language.ts";

/** The words that every page shows. */
export interface ShellWords {
  readonly skip: string;
  readonly home: string;
  readonly language: string;
  readonly footer: string;
  readonly code: { readonly label: string; readonly hint: string; readonly submit: string; readonly malformed: string };
}

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", "pt-BR": "Português" };

export const shellWords: Readonly<Record<Language, ShellWords>> = {
  en: {
    skip: "Skip to content",
    home: "Selo, to the home page",
    language: "Language",
    footer: "This page sets no cookies and loads nothing from other sites.",
    code: {
      label: "Verification code",
      hint: "12 letters and digits, for example 7Q2M-K9XT-4HBC. Dashes and case do not matter.",
      submit: "Verify",
      malformed: "A verification code has 12 letters and digits, such as 7Q2M-K9XT-4HBC.",
    },
  },
  "pt-BR": {
    skip: "Ir para o conteúdo",
    home: "Selo, ir para a página inicial",
    language: "Idioma",
    footer: "Esta página não usa cookies e não carrega nada de outros sites.",
    code: {
      label: "Código de verificação",
      hint: "12 letras e números, por exemplo 7Q2M-K9XT-4HBC. Hifens e letras maiúsculas ou minúsculas não fazem diferença.",
      submit: "Verificar",
      malformed: "Um código de verificação tem 12 letras e números, como 7Q2M-K9XT-4HBC.",
    },
  },
};
