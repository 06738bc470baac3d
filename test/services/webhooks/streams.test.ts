// Streams of `selo listen` whose readers take nothing.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { masterKeysOf } from "../../../src/main/master-key.ts";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { type StreamReader, WebhookStreams } from "../../../src/services/webhooks/streams/webhook-streams.ts";
import { credentialHash } from "../../../src/surfaces/http/credential.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call } from "../../support/rest-client.ts";
import { webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  selo = await startTestGateway();
  const url = selo.database.appUrl;
  pool = createPool({ url, role: "selo_app", applicationName: "test" }, 4, () => {});
});
afterAll(async () => {
  await pool?.end();
  await selo?.stop();
});

class Reader implements StreamReader {
  isTaking = true;
  isDropped = false;
  isReady() {
    return this.isTaking;
  }
  deliver() {}
  end() {}
  drop() {
    this.isDropped = true;
  }
}

test("a stream that takes nothing for as long as its endpoint lives is cut off, and its place and endpoint are free", async () => {
  const organization = await selo.newOrganization();
  const hash = credentialHash(`Bearer ${organization.test}`);
  const services = {
    database: new Database(pool),
    masterKeys: masterKeysOf(selo.config),
    tokenUse: { seen: () => {} },
  };
  const streams = new WebhookStreams({ ...services, unreadMs: 300 });
  const readers = [new Reader(), new Reader()];
  const origin = { requestId: "test", address: "127.0.0.1", channel: "rest" } as const;
  const [stuck, taking] = [
    await streams.open(hash, origin, ["*"], readers[0] as Reader),
    await streams.open(hash, origin, ["*"], readers[1] as Reader),
  ];
  (readers[0] as Reader).isTaking = false;
  await expect.poll(() => readers.map(({ isDropped }) => isDropped)).toEqual([true, false]);
  const open = async () => (await selo.database.admin.query("select id from webhooks.endpoints")).rows;
  await expect.poll(open).toEqual([{ id: taking.id }]);
  expect(stuck.id).not.toBe(taking.id);
  await streams.stop();
});

test("the id of another organization's endpoint opens no stream: nothing of that one is read, dropped or deleted", async () => {
  const [owner, thief] = [await selo.newOrganization(), await selo.newOrganization()];
  const { id } = await webhookCaller(selo, owner.test).register();
  const hash = credentialHash(`Bearer ${thief.test}`);
  const open = (own: unknown) =>
    pool.query("select status, body from gateway.call($1, 'open_webhook_stream', $2, 200)", [
      hash,
      { id: own, event_types: ["*"], sealed_secret: "AAAA" },
    ]);
  await expect(open(id)).rejects.toMatchObject({ code: "23P01" });
  // A stream of one's own, whose id another organization's deliveries bear all the same.
  const own = randomUUID();
  await open(own);
  await selo.database.admin.query("update webhooks.deliveries set endpoint_id = $1 where tenant_id = $2", [
    own,
    owner.id,
  ]);
  await call(selo, "POST", "/proofs", { token: owner.test, body: { sha256: "ab".repeat(32) } });
  await selo.database.admin.query(
    "update webhooks.deliveries set endpoint_id = $1, ready = true where tenant_id = $2",
    [own, owner.id],
  );
  const waiting = async () =>
    (await selo.database.admin.query("select from webhooks.deliveries where tenant_id = $1", [owner.id])).rowCount;
  expect(await waiting()).toBe(1);
  const { rows } = await pool.query("select body from gateway.read_webhook_streams($1)", [
    JSON.stringify([{ id: own, credential_hash: hash.toString("hex") }]),
  ]);
  expect(rows).toEqual([{ body: null }]);
  await pool.query("select gateway.close_webhook_streams($1)", [[own]]);
  expect(await waiting()).toBe(1);
});

test("the gateway's login cannot say that somebody acts at the command line", async () => {
  const { test: token, id: organizationId } = await selo.newOrganization();
  const client = await pool.connect();
  try {
    await client.query("select set_config('app.operator', 'root@selo', false)");
    await client.query("select gateway.call($1, 'open_webhook_stream', $2, 200, null, null, $3)", [
      credentialHash(`Bearer ${token}`),
      { id: randomUUID(), event_types: ["*"], sealed_secret: "AAAA" },
      { request_id: randomUUID(), address: "203.0.113.1", channel: "cli" },
    ]);
  } finally {
    client.release(true);
  }
  const { rows } = await selo.database.admin.query(
    "select personal from platform.audit_events where tenant_id = $1 and action = 'webhook.stream_opened'",
    [organizationId],
  );
  expect(rows).toEqual([{ personal: { address: expect.anything() } }]);
});

test("a stream that expires while it is read stays expired", async () => {
  const { test: token } = await selo.newOrganization();
  const [hash, id] = [credentialHash(`Bearer ${token}`), randomUUID()];
  const open = { id, event_types: ["*"], sealed_secret: "AAAA" };
  await pool.query("select gateway.call($1, 'open_webhook_stream', $2, 200)", [hash, open]);
  // So soon that a reading puts it off.
  await selo.database.admin.query(
    "update webhooks.endpoints set stream_expires_at = now() + interval '20 s' where id = $1",
    [id],
  );
  const admin = await selo.database.admin.connect();
  try {
    await admin.query("begin");
    await admin.query("update webhooks.endpoints set stream_expires_at = now() - interval '1 s' where id = $1", [id]);
    const reading = pool.query("select from gateway.read_webhook_streams($1)", [
      JSON.stringify([{ id, credential_hash: hash.toString("hex") }]),
    ]);
    const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await selo.database.admin.query(waits)).rowCount).toBe(1);
    await admin.query("commit");
    await reading;
  } finally {
    admin.release(true);
  }
  const { rows } = await selo.database.admin.query(
    "select stream_expires_at < now() as expired from webhooks.endpoints where id = $1",
    [id],
  );
  expect(rows).toEqual([{ expired: true }]);
});
