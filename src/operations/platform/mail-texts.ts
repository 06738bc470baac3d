/** What every mail about a token says of it. */
export interface TokenFacts {
  readonly organization: string;
  readonly name: string;
  readonly prefix: string;
  readonly environment: string;
  /** When, as people of the organization write it. */
  readonly at: string;
}

/** A mail's words: what happened, the facts as pairs, what to do about it. */
export interface MailWords {
  readonly subject: string;
  readonly lead: string;
  readonly facts: readonly (readonly [string, string])[];
  readonly closing: string;
}

export type MailLanguage = "en" | "pt-BR";

/** One text for each kind of mail in each language. */
export const mailTexts = {
  token_created: {
    en: (token: TokenFacts): MailWords => ({
      subject: `An API token was created for ${token.organization}`,
      lead: `An API token of ${token.organization} was created.`,
      facts: factsInEnglish(token),
      closing: "If nobody of yours asked for it, have it revoked at once by whoever runs this service.",
    }),
    "pt-BR": (token: TokenFacts): MailWords => ({
      subject: `Um token de API foi criado para ${token.organization}`,
      lead: `Um token de API de ${token.organization} foi criado.`,
      facts: factsInPortuguese(token),
      closing: "Se ninguém da sua organização o solicitou, peça imediatamente a quem opera este serviço que o revogue.",
    }),
  },
  token_revoked: {
    en: (token: TokenFacts): MailWords => ({
      subject: `An API token of ${token.organization} was revoked`,
      lead: `An API token of ${token.organization} was revoked. Requests with it are refused from now on.`,
      facts: factsInEnglish(token),
      closing: "Whatever still uses it needs another token.",
    }),
    "pt-BR": (token: TokenFacts): MailWords => ({
      subject: `Um token de API de ${token.organization} foi revogado`,
      lead: `Um token de API de ${token.organization} foi revogado. As requisições feitas com ele são recusadas a partir de agora.`,
      facts: factsInPortuguese(token),
      closing: "O que ainda o utiliza precisa de outro token.",
    }),
  },
} as const;

export const footers: Readonly<Record<MailLanguage, (publicUrl: string) => string>> = {
  en: (publicUrl) => `Sent automatically by Selo at ${publicUrl}. Replies are not read.`,
  "pt-BR": (publicUrl) => `Enviado automaticamente pelo Selo em ${publicUrl}. As respostas não são lidas.`,
};

function factsInEnglish({ name, prefix, environment, at }: TokenFacts): MailWords["facts"] {
  return [
    ["Name", name],
    ["Begins with", prefix],
    ["Environment", environment],
    ["When", at],
  ];
}

function factsInPortuguese({ name, prefix, environment, at }: TokenFacts): MailWords["facts"] {
  return [
    ["Nome", name],
    ["Começa com", prefix],
    ["Ambiente", environment === "test" ? "teste (test)" : "produção (live)"],
    ["Quando", at],
  ];
}
