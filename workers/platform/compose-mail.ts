import { z } from "zod";
import {
  type ComposedMail,
  composeMail,
  type MailSite,
  OUT_OF_DATE,
  prepareMail,
} from "../../src/services/platform/mails/compose-mail.ts";
import { type ComposedSms, composeSms } from "../../src/services/platform/mails/compose-sms.ts";
import { keepTestMail, keepTestSms } from "../../src/surfaces/dev-inbox/keep-test-mail.ts";
import type { MailKind } from "../../src/surfaces/mail/mail-kind.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";
import { mailKindsOf, mailPayload } from "./send-mail.ts";

interface ComposeOptions {
  readonly site: MailSite;
  readonly kinds: Readonly<Record<string, MailKind>>;
  /** Shows the mail or SMS of this id elsewhere too; null if nothing does. After a crash it is called again with the same message. Its failure stops nothing. */
  readonly show: ((id: string, message: ComposedMail | ComposedSms) => Promise<void>) | null;
}

const travels = z.object({ channel: z.enum(["email", "sms"]) });

/**
 * Composes one mail or SMS of platform.mails that is never sent, and keeps what it composed in its row. It needs no mail server. A message that
 * was already composed ends quietly. A message that is out of date is given up quietly.
 */
export function composeTestMail({ site, kinds, show }: ComposeOptions): WorkerTask {
  return async (payload, { jobs, masterKeys, log }) => {
    const { tenant_id: tenantId, environment, id } = mailPayload.parse(payload);
    const place = { tenantId, environment } as const;
    const row = await jobs.call(place, "read_mail", { id, is_withheld: true });
    if (row === null) return;
    const prepared = await prepareMail(row, { place, kinds, jobs, masterKeys });
    if (prepared === null) {
      await jobs.call(place, "record_mail_failed", { id, failure: OUT_OF_DATE });
      return;
    }
    const { channel } = travels.parse(row);
    const message = (channel === "sms" ? composeSms : composeMail)(row, { id, site, kinds, prepared });
    await show?.(id, message).catch((error: Error) =>
      log.warn({ err: error, mail: id }, "a test mail is not in the inbox"),
    );
    // An SMS has neither subject nor HTML.
    const { subject, text, html, link, code } = { subject: null, html: null, link: null, ...message };
    await jobs.call(place, "record_mail_composed", { id, subject, text, html, link, code });
  };
}

/** The task of a worker. In development the mail also stands in the inbox of the data folder. */
export async function loadComposeMail({
  services,
  config,
}: Pick<WorkerContext, "services" | "config">): Promise<WorkerTask> {
  const keep = (id: string, message: ComposedMail | ComposedSms) =>
    "recipient" in message ? keepTestMail(config, id, message) : keepTestSms(config, message);
  const show = config.production ? null : keep;
  return composeTestMail({ site: config, kinds: await mailKindsOf(services), show });
}
