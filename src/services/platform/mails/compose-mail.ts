import { z } from "zod";
import type { MailMessage } from "../../../adapters/mail/mail-sender.ts";
import { escapeHtml } from "../../../surfaces/http/escape-html.ts";
import { footers, type MailLanguage, type MailWords, tokenTexts, webhookTexts } from "./mail-texts.ts";

const instant = z.string().transform((text) => new Date(text));
const anyRow = z.object({ recipient: z.string(), language: z.string(), created_at: instant });
/** What platform.mail_contact adds to whatever a mail tells, and when it happened. */
const anyData = z.object({
  organization: z.string(),
  time_zone: z.string(),
  environment: z.enum(["live", "test"]),
  at: instant,
});

/** A row of platform.mails as jobs.read_mail answers it. */
export const mailRow = z.discriminatedUnion("kind", [
  anyRow.extend({
    kind: z.enum(["token_created", "token_revoked"]),
    data: anyData.extend({ name: z.string(), prefix: z.string() }),
  }),
  anyRow.extend({
    kind: z.literal("webhook_disabled"),
    data: anyData.extend({
      url: z.string(),
      reason: z.enum(["failing", "gone"]),
      failures: z.int(),
      failing_since: instant.nullable(),
    }),
  }),
]);

type MailRow = z.infer<typeof mailRow>;

export interface MailContext {
  /** Of the mail's row: makes its Message-ID, by which receivers recognise a repetition. */
  readonly id: string;
  /** Where this deployment is. */
  readonly publicUrl: string;
}

/**
 * The mail that a row asks for, as text and as simple HTML, in Portuguese for every pt… and in English for everybody else.
 * The same row makes the same mail, however often it is composed.
 */
export function composeMail(row: MailRow, { id, publicUrl }: MailContext): MailMessage {
  const language: MailLanguage = /^pt(-|$)/i.test(row.language) ? "pt-BR" : "en";
  const words = wordsOf(row, language);
  const footer = footers[language](publicUrl);
  return {
    messageId: `${id}@${new URL(publicUrl).hostname}`,
    date: row.created_at,
    recipient: row.recipient,
    language,
    subject: row.data.environment === "test" ? `[test] ${words.subject}` : words.subject,
    text: textOf(words, footer),
    html: htmlOf(words, footer, language),
  };
}

function wordsOf(row: MailRow, language: MailLanguage): MailWords {
  const { environment, at, time_zone } = row.data;
  const local = (time: Date) => localTime(time, language, time_zone);
  const facts = { organization: oneLine(row.data.organization), environment, at: local(at) };
  if (row.kind === "webhook_disabled") {
    const { reason, url, failures, failing_since: since } = row.data;
    const failingSince = since === null ? null : local(since);
    return webhookTexts[reason][language]({ ...facts, url: oneLine(url), failures, failingSince });
  }
  const { name, prefix } = row.data;
  return tokenTexts[row.kind][language]({ ...facts, name: oneLine(name), prefix });
}

/** What somebody else wrote takes one line and goes one way: it can neither pretend to be a line of ours nor turn ours around. */
function oneLine(text: string): string {
  return text
    .replace(/\p{Bidi_Control}/gu, "")
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
}

function localTime(instant: Date, language: MailLanguage, timeZone: string): string {
  const format = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone,
  });
  return format.format(instant);
}

function textOf({ lead, facts, closing }: MailWords, footer: string): string {
  const lines = facts.map(([label, value]) => `  ${label}: ${value}`);
  return [lead, "", ...lines, "", closing, "", "-- ", footer, ""].join("\n");
}

function htmlOf({ subject, lead, facts, closing }: MailWords, footer: string, language: MailLanguage): string {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" style="text-align:left;vertical-align:top;white-space:nowrap;padding:2px 16px 2px 0;font-weight:normal;color:#4d5c62">${escapeHtml(label)}</th><td style="overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font-family:system-ui,sans-serif;line-height:1.5;color:#17252a;background:#ffffff">
<p>${escapeHtml(lead)}</p>
<table>
${rows.join("\n")}
</table>
<p>${escapeHtml(closing)}</p>
<p style="color:#4d5c62;font-size:85%">${escapeHtml(footer)}</p>
</body>
</html>
`;
}
