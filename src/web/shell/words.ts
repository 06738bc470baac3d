import type { Language } from "./language.ts";

/** The words that every page shows. */
export interface ShellWords {
  readonly skip: string;
  readonly home: string;
  readonly main: string;
  readonly sections: Readonly<Record<"verify" | "guides" | "api", string>>;
  readonly contact: string;
  readonly privacy: string;
  readonly terms: string;
  readonly trust: string;
  readonly status: string;
  readonly operatedBy: string;
  readonly noCookies: string;
  /** Which pages are written in English alone; null on pages in English. */
  readonly inEnglish: string | null;
  readonly code: {
    readonly label: string;
    readonly hint: string;
    readonly submit: string;
    readonly malformed: string;
    readonly unknown: string;
  };
}

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", "pt-BR": "Português" };

export const shellWords: Readonly<Record<Language, ShellWords>> = {
  en: {
    skip: "Skip to content",
    home: "Selo, to the home page",
    main: "Main",
    sections: { verify: "Verify", guides: "Guides", api: "API" },
    contact: "Contact",
    privacy: "Privacy",
    terms: "Terms",
    trust: "Trust",
    status: "Service status",
    operatedBy: "Operated by",
    noCookies: "This page sets no cookies and loads nothing from other sites.",
    inEnglish: null,
    code: {
      label: "Verification code",
      hint: "12 letters and digits, as on the receipt. Dashes and case do not matter.",
      submit: "Verify",
      malformed: "This code is wrong: it must have 12 letters and digits, such as 7Q2M-K9XT-4HBC.",
      unknown: "No proof has this code.",
    },
  },
  "pt-BR": {
    skip: "Ir para o conteúdo",
    home: "Selo, ir para a página inicial",
    main: "Principal",
    sections: { verify: "Verificar", guides: "Guias", api: "API" },
    contact: "Contato",
    privacy: "Privacidade",
    terms: "Termos de uso",
    trust: "Confiança",
    status: "Situação do serviço",
    operatedBy: "Operado por",
    noCookies: "Esta página não usa cookies e não carrega nada de outros sites.",
    inEnglish: "Os guias e a referência da API estão em inglês.",
    code: {
      label: "Código de verificação",
      hint: "12 letras e números, como no recibo. Hifens e maiúsculas não fazem diferença.",
      submit: "Verificar",
      malformed: "Este código está errado: são 12 letras e números, como 7Q2M-K9XT-4HBC.",
      unknown: "Nenhuma prova tem este código.",
    },
  },
};
