import type { MailMessage } from "../../adapters/mail/mail-sender.ts";
import { mimeMessage } from "../../adapters/mail/mime-message.ts";
import type { SmsMessage } from "../../adapters/sms/sms-sender.ts";
import type { Config } from "../../config/config.ts";
import { inboxOf } from "./inbox.ts";
import { smsFile } from "./sms-file.ts";

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

/** The same for an SMS. Its id is a UUID of version 7. */
export async function keepTestSms(config: Config, sms: SmsMessage & { readonly date: Date }): Promise<void> {
  inboxOf(config).keep(smsFile(sms, sms.date, { [NOT_SENT]: "test" }), { at: sms.date, key: sms.id.slice(-8) });
}
