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

/** What a mail about a webhook that was disabled says of it. */
export interface WebhookFacts {
  readonly organization: string;
  /** Without its query, which may hold a secret. */
  readonly url: string;
  readonly environment: string;
  readonly failures: number;
  /** When the first of them failed; null without any. Both as people of the organization write it. */
  readonly failingSince: string | null;
  readonly at: string;
}

/** One text for each kind of mail about a token in each language. */
export const tokenTexts = {
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

/** Why a webhook was disabled, in each language. */
export const webhookTexts = {
  failing: {
    en: (webhook: WebhookFacts): MailWords => ({
      subject: `A webhook of ${webhook.organization} was disabled`,
      lead: `A webhook of ${webhook.organization} was disabled: every attempt to deliver to it has failed for a day or more.`,
      facts: webhookInEnglish(webhook),
      closing: REPAIR_IN_ENGLISH,
    }),
    "pt-BR": (webhook: WebhookFacts): MailWords => ({
      subject: `Um webhook de ${webhook.organization} foi desativado`,
      lead: `Um webhook de ${webhook.organization} foi desativado: todas as tentativas de entrega falharam por um dia ou mais.`,
      facts: webhookInPortuguese(webhook),
      closing: REPAIR_IN_PORTUGUESE,
    }),
  },
  gone: {
    en: (webhook: WebhookFacts): MailWords => ({
      subject: `A webhook of ${webhook.organization} was disabled`,
      lead: `A webhook of ${webhook.organization} was disabled: its address answered 410 Gone.`,
      facts: webhookInEnglish(webhook),
      closing: REPAIR_IN_ENGLISH,
    }),
    "pt-BR": (webhook: WebhookFacts): MailWords => ({
      subject: `Um webhook de ${webhook.organization} foi desativado`,
      lead: `Um webhook de ${webhook.organization} foi desativado: o endereço respondeu 410 Gone.`,
      facts: webhookInPortuguese(webhook),
      closing: REPAIR_IN_PORTUGUESE,
    }),
  },
} as const;

const REPAIR_IN_ENGLISH =
  "Events are kept as skipped from now on. Repair the receiver or change the address, enable the webhook, and replay what was skipped or failed while it is still kept.";
const REPAIR_IN_PORTUGUESE =
  "A partir de agora os eventos são mantidos como ignorados (SKIPPED). Corrija o receptor ou altere o endereço, ative o webhook e reenvie o que foi ignorado ou falhou enquanto ainda estiver guardado.";

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
    ["Ambiente", environmentInPortuguese(environment)],
    ["Quando", at],
  ];
}

function webhookInEnglish({ url, environment, failures, failingSince, at }: WebhookFacts): MailWords["facts"] {
  return [
    ["Address", url],
    ["Environment", environment],
    ...failuresAs("Failures in a row", failures),
    ...failingAs("Failing since", failingSince),
    ["Disabled", at],
  ];
}

function webhookInPortuguese({ url, environment, failures, failingSince, at }: WebhookFacts): MailWords["facts"] {
  return [
    ["Endereço", url],
    ["Ambiente", environmentInPortuguese(environment)],
    ...failuresAs("Falhas seguidas", failures),
    ...failingAs("Falhando desde", failingSince),
    ["Desativado", at],
  ];
}

const failuresAs = (label: string, failures: number): MailWords["facts"] =>
  failures > 0 ? [[label, String(failures)]] : [];
const failingAs = (label: string, since: string | null): MailWords["facts"] => (since === null ? [] : [[label, since]]);

const environmentInPortuguese = (environment: string) => (environment === "test" ? "teste (test)" : "produção (live)");
