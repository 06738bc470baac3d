// A database of which everything is from before events said what records are: what platform.begin_audit records of it,
// beside writers, and what is found of an edit that comes later.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { rotatePlatformKeys } from "../../../src/services/platform/keys/rotate-platform-keys.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { ownerPool } from "../../support/owner.ts";
import { call } from "../../support/rest-client.ts";
import { tamper } from "../../support/tamper.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let organization: TestOrganization;
let webhookId: string;
let owner: pg.Pool;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  owner = ownerPool(selo.database);
  for (const token of [organization.live, organization.live, organization.test]) {
    const body = { sha256: randomBytes(32).toString("hex"), label: "Contract" };
    expect(await call(selo, "POST", "/proofs", { token, body })).toMatchObject({ status: 201 });
  }
  await rotatePlatformKeys(selo.operator, masterKeys, ["live"], "selo.test");
  webhookId = (await webhookCaller(selo, organization.live).register()).id;
  await selo.database.admin.query("select gateway.call($1, 'open_webhook_stream', $2)", [
    createHash("sha256").update(organization.test).digest(),
    JSON.stringify({ id: randomUUID(), event_types: ["*"], sealed_secret: "AA==" }),
  ]);
  const { id } = await selo.operator.createToken(organization.id, "live", "old", ["proofs:read"]);
  await selo.operator.revokeToken(id);
  await owner.query("select platform.bind_analyst('selo_analyst_from_before', $1, 'live')", [organization.id]);
  await forget();
});
afterAll(async () => {
  await owner.end();
  await selo.stop();
});

/** As if no event had ever been written. */
async function forget(): Promise<void> {
  const client = await selo.database.admin.connect();
  await client.query(
    `begin; set local session_replication_role = replica;
     -- Certificates came after the audit trail.
     delete from platform.audit_events; delete from platform.seal_certificates; delete from platform.settings where name in ('audit_began_at', 'audit_coverage_began_at');
     commit`,
  );
  client.release();
}

const faults = async () => (await verifyAll(selo.operator)).faults.map(({ fault }) => fault).sort();

/** How many events of each action there are. */
async function recorded(): Promise<Record<string, number>> {
  const { rows } = await selo.database.admin.query<{ action: string; count: number }>(
    "select action, count(*)::integer from platform.audit_events where action like '%recorded' group by action",
  );
  return Object.fromEntries(rows.map(({ action, count }) => [action, count]));
}

async function count(table: string): Promise<number> {
  const { rows } = await selo.database.admin.query<{ count: number }>(`select count(*)::integer from ${table}`);
  return rows[0]?.count ?? 0;
}

/** Until as many sessions as said wait for a lock. */
async function untilWaiting(sessions: number): Promise<void> {
  await expect
    .poll(() => count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .toBe(sessions);
}

test("killed while it waits for a writer, it has recorded nothing; asked again, it records all there is, beside the writers", async () => {
  // Writers of a token, an endpoint and an analyst, each between what it changed and its commit.
  const held = ["platform.tokens where true", "webhooks.endpoints where url is not null"];
  const writers = await Promise.all(held.map(() => selo.database.admin.connect()));
  for (const [number, writer] of writers.entries()) {
    await writer.query("begin");
    await writer.query(`select from ${held[number]} for update`);
  }
  const killed = await Operator.connect(selo.database.adminUrl);
  const outcome = killed.audit.begin().then(
    () => "done",
    () => "killed",
  );
  await untilWaiting(1);
  await selo.database.admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  expect(await outcome).toBe("killed");
  await killed.close().catch(() => {});
  expect(await recorded()).toEqual({});

  const begun = selo.operator.audit.begin();
  await untilWaiting(1);
  // What the writers commit meanwhile is what is recorded.
  const [token, endpoint] = writers;
  await token?.query("update platform.tokens set name = 'changed meanwhile' where name = 'test'");
  await token?.query("commit");
  await untilWaiting(1);
  await endpoint?.query("update webhooks.endpoints set description = 'changed meanwhile' where id = $1", [webhookId]);
  await endpoint?.query("commit");
  for (const writer of writers) writer.release();
  await begun;

  expect(await recorded()).toEqual({
    "platform_keys.recorded": await count("platform.platform_keys"),
    "organization.recorded": await count("platform.organizations"),
    "token.recorded": await count("platform.tokens"),
    "analyst.recorded": 1,
    "credits.recorded": 1,
    "proofs.recorded": 2,
    "webhook.recorded": 1,
    "webhook.stream_recorded": 1,
    "setting.recorded": expect.any(Number),
    "reference_data.recorded": 1,
  });
  expect(await faults()).toEqual([]);
  // Once.
  const events = await count("platform.audit_events");
  await selo.operator.audit.begin();
  expect(await count("platform.audit_events")).toBe(events);
});

const OLD_PROOFS = "the proofs from before the audit trail differ from the recorded digest";
const OLD_MOVEMENTS = "the movements from before the audit trail differ from the recorded digest";

test.each([
  ["a proof's evidence", "signature.proofs", "evidence = replace(evidence, 'Contract', 'Contrast')", OLD_PROOFS],
  ["a movement", "platform.credit_ledger", "created_at = created_at - interval '1 second'", OLD_MOVEMENTS],
  ["a token", "platform.tokens", "scopes = scopes || 'audit:read'::text", "the token differs from what was recorded"],
  ["an organization", "platform.organizations", "plan = 'business'", "the organization differs from what was recorded"],
  ["an analyst", "platform.analysts", "created_at = now()", "the analyst differs from what was recorded"],
  ["an endpoint", "webhooks.endpoints", "url = 'https://example.org/'", "the webhook differs from what was recorded"],
])("an edit of %s from before is found", async (_what, table, change, fault) => {
  const admin = selo.database.admin;
  const [row] = (
    await admin.query(
      `select ctid::text, to_jsonb(edited) as row from ${table} as edited where (to_jsonb(edited) ->> 'environment') is distinct from 'test' limit 1`,
    )
  ).rows;
  await admin.query(`create table kept as select * from ${table} where ctid = $1`, [row.ctid]);
  await tamper(selo.database, [`update ${table} set ${change} where ctid = $1`, [row.ctid]]);
  expect(await faults()).toContainEqual(fault);
  const key = table === "platform.analysts" ? "login" : "id";
  await tamper(
    selo.database,
    [`delete from ${table} where ${key} = (select ${key} from kept)`, []],
    [`insert into ${table} overriding system value select * from kept`, []],
  );
  await admin.query("drop table kept");
  expect(await faults()).toEqual([]);
});

test("what is written after it continues each chain, and revokes and deletes what was recorded", async () => {
  const webhooks = webhookCaller(selo, organization.live);
  expect((await webhooks.ask("PATCH", `/webhooks/${webhookId}`, { description: "ours" })).status).toBe(200);
  expect((await webhooks.ask("DELETE", `/webhooks/${webhookId}`)).status).toBe(204);
  await owner.query("select platform.unbind_analyst('selo_analyst_from_before')");
  await owner.query("select webhooks.delete_old_streams(1000)");
  await selo.database.admin.query("delete from webhooks.endpoints where url is null");
  expect(await faults()).toEqual([]);
});
