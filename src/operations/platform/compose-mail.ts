import { z } from "zod";
import type { MailMessage } from "../../adapters/mail/mail-sender.ts";
import { escapeHtml } from "../../escape-html.ts";
import { footers, type MailLanguage, type MailWords, mailTexts } from "./mail-texts.ts";

/** A row of platform.mails as jobs.read_mail answers it. */
export const mailRow = z.object({
  kind: z.enum(["token_created", "token_revoked"]),
  recipient: z.string(),
  language: z.string(),
  created_at: z.string().transform((text) => new Date(text)),
  data: z.object({
    organization: z.string(),
    time_zone: z.string(),
    environment: z.enum(["live", "test"]),
    name: z.string(),
    prefix: z.string(),
    at: z.string(),
  }),
});

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
export function composeMail(row: z.infer<typeof mailRow>, { id, publicUrl }: MailContext): MailMessage {
  const language: MailLanguage = /^pt(-|$)/i.test(row.language) ? "pt-BR" : "en";
  const { organization, name, prefix, environment, at, time_zone } = row.data;
  const words = mailTexts[row.kind][language]({
    organization: oneLine(organization),
    name: oneLine(name),
    prefix,
    environment,
    at: localTime(new Date(at), language, time_zone),
  });
  const footer = footers[language](publicUrl);
  return {
    messageId: `${id}@${new URL(publicUrl).hostname}`,
    date: row.created_at,
    recipient: row.recipient,
    language,
    subject: environment === "test" ? `[test] ${words.subject}` : words.subject,
    text: textOf(words, footer),
    html: htmlOf(words, footer, language),
  };
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
