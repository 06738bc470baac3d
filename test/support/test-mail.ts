// Mail of the test environment to others than the organization's contact, as a service writes it.
import type pg from "pg";
import { readConfig } from "../../src/main/config.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { composeTestMail } from "../../workers/platform/compose-mail.ts";
import type { TestDatabase } from "./database.ts";
import { masterKeys } from "./master-keys.ts";
import { inContext, ownerPool } from "./owner.ts";
import { productMails } from "./sample-mails.ts";
import { taskContext } from "./worker.ts";

export interface TestMail {
  readonly recipient: string;
  /** Name of the token that the mail is about. */
  readonly name?: string;
  readonly environment?: "live" | "test";
  /** Further members of its data. */
  readonly data?: object;
}

/** Writes a mail through platform.send_mail; answers its id. */
export async function writeMail(owner: pg.Pool, tenantId: string, mail: TestMail): Promise<string> {
  const { recipient, name = "a token", environment = "test", data } = mail;
  return inContext(owner, tenantId, environment, async (client) => {
    await client.query("select platform.send_mail('token_revoked', $1, 'en', $2)", [
      recipient,
      { name, prefix: "svc_test_Ab3dEf", at: "2026-11-21T22:23:45.000000Z", ...data },
    ]);
    const { rows } = await client.query<{ id: string }>(
      "select id from platform.mails where tenant_id = $1 order by id desc limit 1",
      [tenantId],
    );
    return rows[0]?.id ?? "";
  });
}

/** Writes a test mail, and composes it as a worker does; answers its id. */
export async function composedTestMail(database: TestDatabase, tenantId: string, mail: TestMail): Promise<string> {
  const owner = ownerPool(database);
  const pool = createPool(
    { url: database.workerUrl, role: "selo_worker", applicationName: "test worker" },
    1,
    () => {},
  );
  try {
    const id = await writeMail(owner, tenantId, mail);
    const site = readConfig({ PUBLIC_URL: "https://selo.example" });
    const task = composeTestMail({ site, kinds: productMails, show: null });
    await task({ tenant_id: tenantId, environment: "test", id }, taskContext(pool, masterKeys));
    return id;
  } finally {
    await owner.end();
    await pool.end();
  }
}
