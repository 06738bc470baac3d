import { z } from "zod";
import { MailError, type MailSender } from "../../src/adapters/mail/mail-sender.ts";
import { composeMail, mailRow } from "../../src/services/platform/mails/compose-mail.ts";
import type { WorkerTask } from "../task.ts";

const payloadSchema = z.object({
  tenant_id: z.uuid(),
  environment: z.enum(["live", "test"]),
  id: z.uuid(),
});

/**
 * Sends one mail of platform.mails. What was sent already ends quietly; a crash between sending and recording sends it
 * again under the same Message-ID. What the mail server refuses for good is recorded; anything else is thrown, and tried again.
 */
export function sendMail(sender: MailSender, publicUrl: string): WorkerTask {
  return async (payload, { jobs, log }) => {
    const { tenant_id: tenantId, environment, id } = payloadSchema.parse(payload);
    const row = await jobs.call({ tenantId, environment }, "read_mail", { id });
    if (row === null) return;
    const message = composeMail(mailRow.parse(row), { id, publicUrl });
    try {
      await sender.send(message);
    } catch (error) {
      if (!(error instanceof MailError) || !error.permanent) throw error;
      await jobs.call({ tenantId, environment }, "record_mail_failed", { id, failure: error.message });
      log.warn({ mail: id, failure: error.message }, "a mail was refused");
      return;
    }
    await jobs.call({ tenantId, environment }, "record_mail_sent", { id });
  };
}
