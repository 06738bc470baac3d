import { createTransport } from "nodemailer";
import type { MailMessage } from "./mail-sender.ts";
import { type MailFrom, mimeFields, WITHOUT_FILES } from "./mime-fields.ts";

const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows", ...WITHOUT_FILES });

/**
 * The message as a mail server would get it, with further headers. Nothing is sent.
 * @throws Error if a mail cannot be made of the message
 */
export async function mimeMessage(
  message: MailMessage,
  from: MailFrom,
  headers: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const fields = mimeFields(message, from);
  const { message: bytes } = await transport.sendMail({ ...fields, headers: { ...fields.headers, ...headers } });
  return bytes as Buffer;
}
