import { STATUS_CODES } from "node:http";
import { z } from "zod";
import {
  GUIDE_IS_ENGLISH,
  type MailKind,
  type MailLanguage,
  type MailWords,
  mailInstant,
  mailKind,
} from "../../surfaces/mail/mail-kind.ts";

const disabled = z.object({
  /** Without its query, which may hold a secret. */
  url: z.string(),
  reason: z.enum(["failing", "gone"]),
  failures: z.int(),
  failing_since: mailInstant.nullable(),
  // Missing in mails that were written before v0.3.0.
  id: z.uuid().optional(),
  error_code: z.string().nullish(),
  response_status: z.int().nullish(),
  kept_days: z.int().optional(),
});

/** The facts about a disabled webhook that its mail shows. */
interface WebhookFacts {
  /** The name of its server. */
  readonly host: string;
  readonly url: string;
  readonly id: string | undefined;
  readonly isGone: boolean;
  readonly failures: number;
  /** When the first of these attempts failed; null without failures. This time and `at` are in the organization's language and time zone. */
  readonly failingSince: string | null;
  readonly at: string;
  /** What the address answered last; null if it is not known, and for 410, which the lead names. */
  readonly lastAnswer: string | null;
  /** For how many days an event can be sent again. */
  readonly keptDays: number | undefined;
  readonly where: readonly [string, string];
}

const PATH = "/guides/webhooks#enable-a-disabled-webhook";

const webhookWords: Readonly<Record<MailLanguage, (webhook: WebhookFacts) => MailWords>> = {
  en: ({ host, url, id, isGone, failures, failingSince, at, lastAnswer, keptDays, where }) => {
    const why = isGone
      ? "The address answered 410 Gone: it wants no more events. Therefore Selo disabled the webhook."
      : `None of the last ${failures} delivery attempts succeeded, over at least a day. Therefore Selo disabled the webhook.`;
    const kept = keptDays === undefined ? "while it is stored" : `for ${keptDays} days after the event`;
    return {
      subject: `Webhook disabled: ${host}`,
      preheader: "Nothing is sent to it for now. Missed events can be sent again.",
      heading: `The webhook ${host} was disabled`,
      lead: [
        why,
        `Until you enable it again, nothing is sent to this address. Undelivered events can be sent again ${kept}.`,
      ],
      facts: [
        ["Address", url],
        ...(id === undefined ? [] : [["ID of the webhook", id] as const]),
        ...(lastAnswer === null ? [] : [["Last answer", lastAnswer] as const]),
        ...(failingSince === null
          ? []
          : [["Failed attempts", `${failures} in a row, the first on ${failingSince}`] as const]),
        ["Disabled on", at],
        where,
      ],
      button: { label: "See how to enable it again", path: PATH },
      note: "Before you enable it, make sure that the address answers with a status from 200 to 299 within 15 seconds.",
    };
  },
  "pt-BR": ({ host, url, id, isGone, failures, failingSince, at, lastAnswer, keptDays, where }) => {
    const why = isGone
      ? "O endereço respondeu 410 Gone, ou seja, não quer mais receber eventos. Por isso, o Selo desativou o webhook."
      : `Nenhuma das últimas ${failures} tentativas de entrega deu certo, e isso já dura pelo menos um dia. Por isso, o Selo desativou o webhook.`;
    const kept = keptDays === undefined ? "enquanto estiver guardado" : `até ${keptDays} dias depois do evento`;
    return {
      subject: `Webhook desativado: ${host}`,
      preheader: "Por enquanto, nada é enviado a ele. O que não foi entregue pode ser reenviado.",
      heading: `O webhook ${host} foi desativado`,
      lead: [
        why,
        `Enquanto ele estiver desativado, nada é enviado a esse endereço. O que não foi entregue pode ser reenviado ${kept}.`,
      ],
      facts: [
        ["Endereço", url],
        ...(id === undefined ? [] : [["ID do webhook", id] as const]),
        ...(lastAnswer === null ? [] : [["Última resposta", lastAnswer] as const]),
        ...(failingSince === null
          ? []
          : [["Tentativas que falharam", `${failures} seguidas, a primeira em ${failingSince}`] as const]),
        ["Desativado em", at],
        where,
      ],
      button: { label: "Ver como reativar e reenviar", path: PATH },
      note: `Antes de reativar, confirme que o endereço responde com um status de 200 a 299 em até 15 segundos. ${GUIDE_IS_ENGLISH}`,
    };
  },
};

/** Why an attempt got no whole answer, by its `error_code`. */
export const withoutAnswer: Readonly<Record<string, Readonly<Record<MailLanguage, string>>>> = {
  timeout: { en: "none in time", "pt-BR": "nenhuma dentro do prazo" },
  dns_failed: { en: "none: its name was not found", "pt-BR": "nenhuma: o nome do servidor não foi encontrado" },
  address_refused: {
    en: "none: its name leads to a private or reserved address",
    "pt-BR": "nenhuma: o nome do servidor leva a um endereço privado ou reservado",
  },
  url_refused: { en: "none: the address is no longer allowed", "pt-BR": "nenhuma: o endereço não é mais permitido" },
  connection_failed: { en: "none: the connection failed", "pt-BR": "nenhuma: a conexão falhou" },
  connection_reset: {
    en: "none: the connection was closed too early",
    "pt-BR": "nenhuma: a conexão foi encerrada antes da hora",
  },
  tls_failed: {
    en: "none: its certificate was refused, or TLS failed",
    "pt-BR": "nenhuma: o certificado foi recusado ou o TLS falhou",
  },
  protocol_error: { en: "one that is not HTTP", "pt-BR": "uma que não é HTTP" },
  response_too_large: { en: "one that is too large", "pt-BR": "uma grande demais" },
};

function answerWords(code: string, status: number | null | undefined, language: MailLanguage): string {
  if (status === null || status === undefined) return withoutAnswer[code]?.[language] ?? code;
  const answer = [status, STATUS_CODES[status]].filter((part) => part !== undefined).join(" ");
  if (code !== "redirect") return answer;
  return language === "en" ? `${answer} (Selo follows no redirect)` : `${answer} (o Selo não segue redirecionamentos)`;
}

/** The name of the server, as people call a webhook; the whole address if it has none. */
function hostOf(url: string): string {
  return URL.parse(url)?.host || url;
}

export const webhookMails: Readonly<Record<string, MailKind>> = {
  webhook_disabled: mailKind(disabled, (data, { at, local, where }, language) => {
    const isGone = data.reason === "gone";
    return webhookWords[language]({
      host: hostOf(data.url),
      url: data.url,
      id: data.id,
      isGone,
      failures: data.failures,
      failingSince: data.failing_since === null ? null : local(data.failing_since),
      at,
      lastAnswer: isGone || !data.error_code ? null : answerWords(data.error_code, data.response_status, language),
      keptDays: data.kept_days,
      where,
    });
  }),
};
