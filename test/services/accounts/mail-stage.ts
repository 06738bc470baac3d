// Mails to people, composed as a worker does, for tests of this service.
import { composeMail, prepareMail } from "../../../src/services/platform/mails/compose-mail.ts";
import type { Worker } from "../../support/compose-mails.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { productMails } from "../../support/sample-mails.ts";

export interface MailRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly kind: string;
  readonly recipient: string;
  readonly environment: string;
}

/** The mails to an address, the oldest first. */
export async function mailsTo({ database }: Pick<TestGateway, "database">, email: string): Promise<MailRow[]> {
  const { rows } = await database.admin.query<MailRow>(
    "select id, tenant_id, kind, recipient, environment from platform.mails where recipient = $1 order by id",
    [email],
  );
  return rows;
}

/** Composes a mail as the job does that sends it; null for one that is out of date. */
export async function composeOne(
  { config }: Pick<TestGateway, "config">,
  { context: { jobs } }: Worker,
  { id, tenant_id: tenantId }: Pick<MailRow, "id" | "tenant_id">,
  keys = masterKeys,
) {
  const place = { tenantId, environment: "live" } as const;
  const row = await jobs.call(place, "read_mail", { id });
  const prepared = await prepareMail(row, { place, kinds: productMails, jobs, masterKeys: keys });
  return prepared === null ? null : composeMail(row, { id, site: config, kinds: productMails, prepared });
}
