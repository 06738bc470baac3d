// A replay may take seconds: those of one token leave connections for everything else.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { type WebhookCaller, webhookCaller } from "../../support/webhook-caller.ts";

const POOL = 4;
let selo: TestGateway;
let webhooks: WebhookCaller;
beforeAll(async () => {
  selo = await startTestGateway({ DATABASE_POOL_SIZE: String(POOL) });
  webhooks = webhookCaller(selo, (await selo.newOrganization()).test);
});
afterAll(() => selo?.stop());

test("as many replays as there are connections wait for one another, and other requests for none of them", async () => {
  const { id } = await webhooks.register();
  const client = await selo.database.admin.connect();
  let replays: ReturnType<WebhookCaller["ask"]>[] = [];
  try {
    await client.query("begin");
    await client.query("select from webhooks.endpoints where id = $1 for update", [id]);
    replays = Array.from({ length: 2 * POOL }, () => webhooks.ask("POST", `/webhooks/${id}/replay`, {}));
    const waiting =
      "select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await selo.database.admin.query(waiting)).rows[0].count).toBe(1);
    expect((await webhooks.ask("GET", `/webhooks/${id}`)).status).toBe(200);
  } finally {
    await client.query("rollback");
    client.release();
  }
  expect((await Promise.all(replays)).map(({ status }) => status)).toEqual(replays.map(() => 202));
});
