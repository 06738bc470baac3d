// Streams of `selo listen` whose readers take nothing.
import { afterAll, beforeAll, expect, test } from "vitest";
import { credentialHash } from "../../src/auth/credential.ts";
import { Database } from "../../src/db/database.ts";
import { createPool } from "../../src/db/pool.ts";
import { masterKeysOf } from "../../src/master-key.ts";
import { type StreamReader, WebhookStreams } from "../../src/operations/webhooks/webhook-streams.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";

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
