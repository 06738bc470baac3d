// Dispatchers that found nothing to do are told when there is something; nobody else is: a NOTIFY makes commits wait for each other.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { deliver, emit, type WebhookCaller, webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let organization: TestOrganization;
let webhooks: WebhookCaller;
let id: string;
const heard: string[] = [];
let stopListening: () => void;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.test);
  ({ id } = await webhooks.register({ event_types: ["message.*"] }));
  const client = await selo.database.admin.connect();
  client.on("notification", ({ payload = "" }) => void heard.push(payload));
  await client.query("listen webhook_deliveries");
  stopListening = () => client.release(true);
});
afterAll(async () => {
  stopListening?.();
  await selo?.stop();
});
beforeEach(() => selo.database.admin.query("delete from webhooks.dispatchers"));

const dispatcher = (isIdle: boolean, ago = "0 s") =>
  selo.database.admin.query(
    "insert into webhooks.dispatchers (id, is_idle, seen_at) values ($1, $2, now() - $3::interval)",
    [randomUUID(), isIdle, ago],
  );

/** How often dispatchers were told, up to now: a mark comes after what was said before it. */
async function told(): Promise<number> {
  const mark = randomUUID();
  await selo.database.admin.query("select pg_notify('webhook_deliveries', $1)", [mark]);
  await expect.poll(() => heard.includes(mark)).toBe(true);
  return heard.splice(0).length - 1;
}

describe("whoever emits", () => {
  const sent = () => emit(selo, organization, { type: "message.sent" });

  test("tells a dispatcher that waits", async () => {
    await dispatcher(true);
    await sent();
    expect(await told()).toBe(1);
  });

  test("tells nobody where all are at work, where none has been heard of for a minute, and where there is none", async () => {
    await sent();
    await dispatcher(false);
    await dispatcher(true, "61 s");
    await sent();
    expect(await told()).toBe(0);
  });

  test("tells nobody of what is rolled back, what nobody wants, and what is skipped", async () => {
    await dispatcher(true);
    await emit(selo, organization, { type: "message.sent", isRolledBack: true });
    await emit(selo, organization, { type: "domain.verified" });
    await webhooks.ask("POST", `/webhooks/${id}/disable`);
    await sent();
    expect(await told()).toBe(0);
    await webhooks.ask("POST", `/webhooks/${id}/enable`);
    expect(await told()).toBe(1);
  });
});

test("a test, a retry and a replay tell them too", async () => {
  await dispatcher(true);
  await webhooks.ask("POST", `/webhooks/${id}/test`);
  expect(await told()).toBe(1);
  await emit(selo, organization, { type: "message.sent" });
  await deliver(selo, { response_status: 500, error_code: "http_status" });
  await told();
  const { items } = (await webhooks.ask("GET", `/webhooks/${id}/deliveries?event_type=message.sent&status=FAILED`))
    .body;
  expect((await webhooks.ask("POST", `/webhooks/deliveries/${items[0].id}/retry`)).status).toBe(202);
  expect(await told()).toBe(1);
  await deliver(selo, { response_status: 500, error_code: "http_status" });
  await webhooks.ask("POST", `/webhooks/${id}/replay`, { since: "2020-01-01T00:00:00Z" });
  expect(await told()).toBe(1);
});
