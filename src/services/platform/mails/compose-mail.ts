import { z } from "zod";
import type { MailMessage } from "../../../adapters/mail/mail-sender.ts";
import { escapeHtml } from "../../../surfaces/http/escape-html.ts";
import { type MailKind, type MailLanguage, type MailWords, mailInstant, oneLine } from "./mail-kind.ts";

/** A row of platform.mails as jobs.read_mail returns it. platform.mail_contact adds some members to the data of every mail. */
const mailRow = z.object({
  recipient: z.string(),
  language: z.string(),
  created_at: mailInstant,
  kind: z.string(),
  data: z.looseObject({
    organization: z.string(),
    time_zone: z.string(),
    environment: z.enum(["live", "test"]),
    at: mailInstant,
  }),
});

export interface MailContext {
  /** Id of the mail's row. The Message-ID is made from it, so receivers recognise a mail that is sent twice. */
  readonly id: string;
  /** The public address of this deployment. */
  readonly publicUrl: string;
  /** The mails of all services. */
  readonly kinds: Readonly<Record<string, MailKind>>;
}

/**
 * Composes the mail of a row, as text and as simple HTML, in Portuguese for every language pt… and in English for all others.
 * The same row always makes the same mail.
 * @param given the row as SQL returns it
 * @throws Error for a kind that no service has, and for a row that does not match its kind
 */
export function composeMail(given: unknown, { id, publicUrl, kinds }: MailContext): MailMessage {
  const row = mailRow.parse(given);
  const kind = kinds[row.kind];
  if (kind === undefined) throw new Error(`there is no mail of kind ${row.kind}`);
  const language: MailLanguage = /^pt(-|$)/i.test(row.language) ? "pt-BR" : "en";
  const { organization, environment, at, time_zone } = row.data;
  const local = (time: Date) => localTime(time, language, time_zone);
  const facts = { organization: oneLine(organization), environment, at: local(at), local };
  const words = kind.words(kind.data.parse(row.data) as never, facts, language);
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

const footers: Readonly<Record<MailLanguage, (publicUrl: string) => string>> = {
  en: (publicUrl) => `Sent automatically by Selo at ${publicUrl}. Replies are not read.`,
  "pt-BR": (publicUrl) => `Enviado automaticamente pelo Selo em ${publicUrl}. As respostas não são lidas.`,
};
