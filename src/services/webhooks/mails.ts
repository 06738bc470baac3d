import { z } from "zod";
import {
  environmentInPortuguese,
  type MailKind,
  type MailWords,
  mailInstant,
  mailKind,
  oneLine,
} from "../platform/mails/mail-kind.ts";

/** The facts about a disabled webhook that its mails show. */
interface WebhookFacts {
  readonly organization: string;
  /** The address without its query, which may hold a secret. */
  readonly url: string;
  readonly environment: string;
  readonly failures: number;
  /** When the first of these attempts failed; null without failures. This time and `at` are in the organization's language and time zone. */
  readonly failingSince: string | null;
  readonly at: string;
}

/** Why a webhook was disabled, in each language. */
const webhookTexts = {
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
  "From now on, events are recorded as skipped. Repair the receiver or change the address, enable the webhook, and replay the skipped and failed events while they are still stored.";
const REPAIR_IN_PORTUGUESE =
  "A partir de agora, os eventos são registrados como ignorados (SKIPPED). Corrija o receptor ou altere o endereço, reative o webhook e reenvie os eventos ignorados e os que falharam enquanto ainda estiverem guardados.";

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

const disabled = z.object({
  url: z.string(),
  reason: z.enum(["failing", "gone"]),
  failures: z.int(),
  failing_since: mailInstant.nullable(),
});

export const webhookMails: Readonly<Record<string, MailKind>> = {
  webhook_disabled: mailKind(disabled, (data, { organization, environment, at, local }, language) =>
    webhookTexts[data.reason][language]({
      organization,
      environment,
      at,
      url: oneLine(data.url),
      failures: data.failures,
      failingSince: data.failing_since === null ? null : local(data.failing_since),
    }),
  ),
};
