// What is kept of webhooks outlives a restore and another master key.
import { afterAll, beforeAll, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { reencrypt } from "../../../src/services/platform/keys/reencrypt.ts";
import { openWebhookSecret } from "../../../src/services/webhooks/endpoints/secret.ts";
import { backUp, backupFolder, restore } from "../../support/backup-folder.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { sealedColumns } from "../../support/sealed-columns.ts";

const DAY_MS = 86_400_000;
const folder = backupFolder();
let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(async () => {
  await selo?.stop();
  folder.remove();
});

async function ask<Body>(baseUrl: string, method: string, path: string, body?: object): Promise<Body> {
  const answer = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${organization.live}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await answer.json()) as Body;
}

interface Webhook {
  readonly id: string;
  readonly secret: string;
}

const newWebhook = () =>
  ask<Webhook>(selo.baseUrl, "POST", "/webhooks", { url: "https://example.com/hook", event_types: ["*"] });

test("a backup holds events of days that the restored database has no partition for, and its endpoints go on", async () => {
  const webhook = await newWebhook();
  const digest = "ab".repeat(32);
  await ask(selo.baseUrl, "POST", "/proofs", { sha256: digest });
  const { admin } = selo.database;
  const { rows: written } = await admin.query<{ body: string }>("select body from webhooks.events");
  // As if it had been registered three weeks ago, on a day whose partition is gone in a new database.
  await admin.query(
    `insert into webhooks.events
     select tenant_id, environment, platform.uuidv7_at($1), type, $1, body from webhooks.events limit 1`,
    [new Date(Date.now() - 21 * DAY_MS)],
  );
  await backUp(selo.database, folder.file("days.backup"));
  const target = await createTestDatabase({ empty: true });
  try {
    await restore(target, folder.file("days.backup"));
    const count = async (table: string) =>
      (await target.admin.query<{ count: number }>(`select count(*)::integer as count from webhooks.${table}`)).rows[0]
        ?.count;
    expect([await count("events"), await count("events_otherwise"), await count("deliveries")]).toEqual([2, 1, 1]);
    const { rows } = await target.admin.query<{ sealed_secret: Buffer; body: string }>(
      "select sealed_secret, (select body from webhooks.events order by id desc limit 1) as body from webhooks.endpoints",
    );
    expect(rows[0]?.body).toBe(written[0]?.body);
    expect(openWebhookSecret(masterKeys, webhook.id, rows[0]?.sealed_secret ?? Buffer.alloc(0))).toBe(webhook.secret);
  } finally {
    await target.drop();
  }
});

test("secrets of webhooks are sealed again under another master key, those of before a rotation too", async () => {
  const webhook = await newWebhook();
  const rotated = await ask<Webhook>(selo.baseUrl, "POST", `/webhooks/${webhook.id}/rotate`);
  const newKey = Buffer.from("33".repeat(32), "hex");
  const onlyNew = new MasterKeyring(newKey);
  await reencrypt(selo.operator, new MasterKeyring(newKey, [Buffer.from(selo.config.masterKey ?? "")]), sealedColumns);
  const { rows } = await selo.database.admin.query<{ sealed_secret: Buffer; sealed_previous_secret: Buffer }>(
    "select sealed_secret, sealed_previous_secret from webhooks.endpoints where id = $1",
    [webhook.id],
  );
  const [sealed] = rows;
  if (sealed === undefined) throw new Error("there is no such webhook");
  expect(openWebhookSecret(onlyNew, webhook.id, sealed.sealed_secret)).toBe(rotated.secret);
  expect(openWebhookSecret(onlyNew, webhook.id, sealed.sealed_previous_secret)).toBe(webhook.secret);
});
