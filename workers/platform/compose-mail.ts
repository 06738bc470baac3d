import {
  type ComposedMail,
  composeMail,
  type MailSite,
  OUT_OF_DATE,
  prepareMail,
} from "../../src/services/platform/mails/compose-mail.ts";
import { keepTestMail } from "../../src/surfaces/dev-inbox/keep-test-mail.ts";
import type { MailKind } from "../../src/surfaces/mail/mail-kind.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";
import { mailKindsOf, mailPayload } from "./send-mail.ts";

interface ComposeOptions {
  readonly site: MailSite;
  readonly kinds: Readonly<Record<string, MailKind>>;
  /** Shows the mail of this id elsewhere too; null if nothing does. After a crash it is called again with the same mail. Its failure stops nothing. */
  readonly show: ((id: string, mail: ComposedMail) => Promise<void>) | null;
}

/**
 * Composes one mail of platform.mails that is never sent, and keeps what it composed in the mail's row. It needs no mail server. A mail that
 * was already composed ends quietly. A mail that is out of date is given up quietly.
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
    const mail = composeMail(row, { id, site, kinds, prepared });
    await show?.(id, mail).catch((error: Error) =>
      log.warn({ err: error, mail: id }, "a test mail is not in the inbox"),
    );
    const { subject, text, html, link, code } = mail;
    await jobs.call(place, "record_mail_composed", { id, subject, text, html, link, code });
  };
}

/** The task of a worker. In development the mail also stands in the inbox of the data folder. */
export async function loadComposeMail({
  services,
  config,
}: Pick<WorkerContext, "services" | "config">): Promise<WorkerTask> {
  const show = config.production ? null : (id: string, mail: ComposedMail) => keepTestMail(config, id, mail);
  return composeTestMail({ site: config, kinds: await mailKindsOf(services), show });
}
