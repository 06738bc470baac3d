import { z } from "zod";
import {
  environmentInPortuguese,
  type MailFacts,
  type MailKind,
  type MailLanguage,
  type MailWords,
  mailKind,
  oneLine,
} from "./mail-kind.ts";

/** The facts about a token that its mails show. */
interface TokenFacts {
  readonly organization: string;
  readonly name: string;
  readonly prefix: string;
  readonly environment: string;
  /** When it happened, in the organization's language and time zone. */
  readonly at: string;
}

/** One text for each kind of mail about a token in each language. */
const tokenTexts = {
  token_created: {
    en: (token: TokenFacts): MailWords => ({
      subject: `An API token was created for ${token.organization}`,
      lead: `An API token of ${token.organization} was created.`,
      facts: factsInEnglish(token),
      closing:
        "If nobody in your organization asked for this token, ask the operator of this service to revoke it at once.",
    }),
    "pt-BR": (token: TokenFacts): MailWords => ({
      subject: `Um token de API foi criado para ${token.organization}`,
      lead: `Um token de API de ${token.organization} foi criado.`,
      facts: factsInPortuguese(token),
      closing: "Se ninguém da sua organização pediu esse token, peça já ao operador deste serviço que o revogue.",
    }),
  },
  token_revoked: {
    en: (token: TokenFacts): MailWords => ({
      subject: `An API token of ${token.organization} was revoked`,
      lead: `An API token of ${token.organization} was revoked. Requests with it are refused from now on.`,
      facts: factsInEnglish(token),
      closing: "Programs that still use it need another token.",
    }),
    "pt-BR": (token: TokenFacts): MailWords => ({
      subject: `Um token de API de ${token.organization} foi revogado`,
      lead: `Um token de API de ${token.organization} foi revogado. A partir de agora, requisições com ele são recusadas.`,
      facts: factsInPortuguese(token),
      closing: "Programas que ainda usam esse token precisam de outro.",
    }),
  },
} as const;

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
    ["Ambiente", environmentInPortuguese(environment)],
    ["Quando", at],
  ];
}

const data = z.object({ name: z.string(), prefix: z.string() });

const tellsOfToken = (kind: keyof typeof tokenTexts) =>
  mailKind(data, ({ name, prefix }, { organization, environment, at }: MailFacts, language: MailLanguage) =>
    tokenTexts[kind][language]({ organization, environment, at, name: oneLine(name), prefix }),
  );

export const tokenMails: Readonly<Record<string, MailKind>> = {
  token_created: tellsOfToken("token_created"),
  token_revoked: tellsOfToken("token_revoked"),
};
