import type { MailMessage } from "../../adapters/mail/mail-sender.ts";
import { mimeMessage } from "../../adapters/mail/mime-message.ts";
import type { Config } from "../../config/config.ts";
import { inboxOf } from "./inbox.ts";

/** The header of a mail in the inbox that was composed and not sent. */
export const NOT_SENT = "X-Selo-Not-Sent";

/**
 * Keeps a mail in the inbox that no mail server gets, marked as such.
 * @param id a UUID of version 7; the same mail kept twice is one mail in the inbox
 */
export async function keepTestMail(config: Config, id: string, mail: MailMessage): Promise<void> {
  const raw = await mimeMessage(mail, config.mailFrom, { [NOT_SENT]: "test" });
  inboxOf(config).keep(raw, { at: mail.date, key: id.slice(-8) });
}
