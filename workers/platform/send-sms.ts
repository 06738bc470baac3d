import { HttpSmsSender } from "../../src/adapters/sms/http-sms-sender.ts";
import { SmsError, type SmsSender } from "../../src/adapters/sms/sms-sender.ts";
import { ConfigError } from "../../src/config/config.ts";
import { type MailSite, OUT_OF_DATE, prepareMail } from "../../src/services/platform/mails/compose-mail.ts";
import { composeSms } from "../../src/services/platform/mails/compose-sms.ts";
import type { MailKind } from "../../src/surfaces/mail/mail-kind.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";
import { mailKindsOf, mailPayload } from "./send-mail.ts";

/**
 * Sends one SMS of platform.mails, as {@link sendMail} sends a mail. After a crash between sending and recording, the service gets the same
 * message with the same id. A permanent refusal is recorded. Every other error is thrown, and the job is tried again until the message is out of date.
 */
export function sendSms(sender: SmsSender, site: MailSite, kinds: Readonly<Record<string, MailKind>>): WorkerTask {
  return async (payload, { jobs, masterKeys, log, isLastAttempt }) => {
    const { tenant_id: tenantId, environment, id } = mailPayload.parse(payload);
    const place = { tenantId, environment } as const;
    const row = await jobs.call(place, "read_mail", { id });
    if (row === null) return;
    const giveUp = (failure: string) => jobs.call(place, "record_mail_failed", { id, failure });
    const prepared = await prepareMail(row, { place, kinds, jobs, masterKeys });
    if (prepared === null) {
      await giveUp(OUT_OF_DATE);
      return;
    }
    try {
      await sender.send(composeSms(row, { id, site, kinds, prepared }));
    } catch (error) {
      if (!(error instanceof SmsError) || !error.permanent) {
        if (isLastAttempt) await jobs.call(place, "note_mail_waits", { id });
        throw error;
      }
      await giveUp(error.message);
      log.warn({ mail: id, failure: error.message }, "an SMS was refused");
      return;
    }
    await jobs.call(place, "record_mail_sent", { id });
  };
}

/** The task of a worker; null without a service that sends SMS: its jobs then wait for a worker that has one. */
export async function loadSendSms({ services, config, onClose }: WorkerContext): Promise<WorkerTask | null> {
  if (config.sms === null) return null;
  const { url, token } = config.sms;
  if (token === null) throw new ConfigError("SMS_TOKEN: must be set with SMS_URL");
  const sender = new HttpSmsSender({ url, token });
  onClose(() => sender.close());
  return sendSms(sender, config, await mailKindsOf(services));
}
