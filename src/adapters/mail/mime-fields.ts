import type { MailMessage } from "./mail-sender.ts";

export interface MailFrom {
  readonly name: string;
  readonly address: string;
}

/** Options of nodemailer: a message is our own text; it needs no access to files or addresses. */
export const WITHOUT_FILES = { disableFileAccess: true, disableUrlAccess: true } as const;

/** A message as nodemailer makes MIME of it. */
export function mimeFields(message: MailMessage, from: MailFrom) {
  const { messageId, date, recipient, senderName, replyTo, language, subject, text, html, images } = message;
  return {
    // Names and addresses stay apart: nodemailer quotes and encodes a name, and parses no address out of it.
    from: { name: literal(senderName ?? from.name), address: from.address },
    ...(replyTo === null ? {} : { replyTo: { name: "", address: replyTo } }),
    to: { name: "", address: recipient },
    subject: literal(subject),
    text,
    html,
    attachments: images.map(({ cid, name, type, content }) => ({
      cid,
      filename: name,
      contentType: type,
      content,
      // Part of the HTML, and no file for the reader to save.
      contentDisposition: "inline" as const,
    })),
    date,
    messageId: `<${messageId}>`,
    // RFC 3834: suppresses automatic replies.
    headers: { "Auto-Submitted": "auto-generated", "Content-Language": language },
  };
}

/** Text that no mail program decodes. A program reads `=?` as the beginning of an encoded word (RFC 2047), between quotes as well. */
const literal = (text: string) => text.replaceAll("=?", "= ?");
