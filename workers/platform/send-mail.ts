import fs from "node:fs";
import type { Logger } from "pino";
import { z } from "zod";
import { MailError, type MailSender } from "../../src/adapters/mail/mail-sender.ts";
import { SmtpSender } from "../../src/adapters/mail/smtp-sender.ts";
import { type Config, ConfigError } from "../../src/config/config.ts";
import {
  composeMail,
  type MailSite,
  OUT_OF_DATE,
  prepareMail,
} from "../../src/services/platform/mails/compose-mail.ts";
import { joined } from "../../src/surfaces/joined.ts";
import type { MailKind } from "../../src/surfaces/mail/mail-kind.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkedService, WorkerContext } from "../worked-service.ts";

/** The payload of a job about one mail. */
export const mailPayload = z.object({
  tenant_id: z.uuid(),
  environment: z.enum(["live", "test"]),
  id: z.uuid(),
});

/**
 * Sends one mail of platform.mails. A mail that was already sent ends quietly. A mail that is out of date is given up quietly. After a crash between sending and recording, the mail is sent
 * again with the same Message-ID. A permanent refusal of the mail server is recorded. Every other error is thrown, and the job is tried again.
 */
export function sendMail(sender: MailSender, site: MailSite, kinds: Readonly<Record<string, MailKind>>): WorkerTask {
  return async (payload, { jobs, masterKeys, log, isLastAttempt }) => {
    const { tenant_id: tenantId, environment, id } = mailPayload.parse(payload);
    const place = { tenantId, environment } as const;
    const row = await jobs.call(place, "read_mail", { id });
    if (row === null) return;
    const prepared = await prepareMail(row, { place, kinds, jobs, masterKeys });
    if (prepared === null) {
      await jobs.call(place, "record_mail_failed", { id, failure: OUT_OF_DATE });
      return;
    }
    const message = composeMail(row, { id, site, kinds, prepared });
    try {
      await sender.send(message);
    } catch (error) {
      if (!(error instanceof MailError) || !error.permanent) {
        if (isLastAttempt) await jobs.call(place, "note_mail_waits", { id });
        throw error;
      }
      await jobs.call(place, "record_mail_failed", { id, failure: error.message });
      log.warn({ mail: id, failure: error.message }, "a mail was refused");
      return;
    }
    await jobs.call(place, "record_mail_sent", { id });
  };
}

/** The task of a worker; null without a mail server: its jobs then wait for a worker that has one. */
export async function loadSendMail({ services, config, log }: WorkerContext): Promise<WorkerTask | null> {
  const sender = mailSender(config);
  if (sender !== null) return sendMail(sender, config, await mailKindsOf(services));
  warnOfWaitingMail(config, log);
  return null;
}

/** The mails of all services. */
export async function mailKindsOf(
  services: readonly Pick<WorkedService, "mails">[],
): Promise<Readonly<Record<string, MailKind>>> {
  return joined(await Promise.all(services.map(async (service) => (await service.mails?.()) ?? {})), "a mail");
}

function mailSender({ smtpUrl: url, mailFrom: from, mailDkim }: Config): MailSender | null {
  if (url === null) return null;
  if (mailDkim === null) return new SmtpSender({ url, from, dkim: null });
  try {
    const privateKey = fs.readFileSync(mailDkim.keyFile, "utf8");
    return new SmtpSender({ url, from, dkim: { ...mailDkim, privateKey } });
  } catch (error) {
    throw new ConfigError("MAIL_DKIM_KEY_FILE: is not a file with a private key (PEM)", { cause: error });
  }
}

/** A worker without a mail server starts, because other jobs matter more; in production it sounds an alarm. */
function warnOfWaitingMail({ production }: Config, log: Logger): void {
  const message = "mails wait: this worker has no SMTP_URL";
  if (production) log.error({ alarm: "mail_is_not_sent" }, message);
  else log.warn(message);
}
