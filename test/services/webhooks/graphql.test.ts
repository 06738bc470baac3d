// Webhooks by GraphQL: the same commands as by REST, with the same answers and errors.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { eventKinds } from "../../support/service-facts.ts";
import { auditOf, deliver, emit, type WebhookCaller, webhookCaller } from "../../support/webhook-caller.ts";

const WEBHOOK =
  "id url description eventTypes status disabledReason consecutiveFailures lastSuccessAt previousSecretExpiresAt createdAt";
const DELIVERY =
  "id endpointId deliveryId eventId eventType attempt trigger status url requestedAt durationMs responseStatus responseBody truncated errorCode errorDetail nextAttemptAt";

let selo: TestGateway;
let organization: TestOrganization;
let webhooks: WebhookCaller;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.test);
});
afterAll(() => selo?.stop());

const ask = (query: string, variables: object = {}, headers: Record<string, string> = {}) =>
  graphql(selo, organization.test, query, variables as Record<string, unknown>, headers);
const run = (mutation: string, input: object, selection: string, headers?: Record<string, string>) => {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
  return ask(`mutation($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`, { input }, headers);
};
// biome-ignore lint/suspicious/noExplicitAny: expectations look into it
const result = (answer: GraphqlAnswer): any => {
  expect(answer.errors).toEqual([]);
  return Object.values(answer.data ?? {})[0];
};
const codes = ({ status, errors }: GraphqlAnswer) => [status, ...errors.map(({ extensions }) => extensions.code)];
const fields = ({ errors }: GraphqlAnswer) => errors[0]?.extensions.fields?.map(({ field }) => field);

/** Members whose values are enums of GraphQL, in capitals. */
const ENUMS: ReadonlySet<string> = new Set(["trigger", "disabled_reason"]);

/** A resource of REST by the names of GraphQL. */
function camel(resource: object): object {
  const named = Object.entries(resource).map(([name, value]) => [
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    ENUMS.has(name) && typeof value === "string" ? value.toUpperCase() : value,
  ]);
  return Object.fromEntries(named);
}
const byRest = async (id: string) => camel((await webhooks.ask("GET", `/webhooks/${id}`)).body);
const INPUT = { url: "https://example.com/hook", eventTypes: ["message.*", "*", "*"], description: "Ours" };
const create = async (input: object = INPUT) =>
  result(await run("createWebhook", input, `secret webhook { ${WEBHOOK} }`));

describe("createWebhook", () => {
  test("answers the webhook, as REST shows it, and its secret, once", async () => {
    const { secret, webhook } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(webhook).toMatchObject({ ...INPUT, eventTypes: ["message.*", "*"], status: "ACTIVE", disabledReason: null });
    expect(webhook).toEqual(await byRest(webhook.id));
    expect(result(await ask(`{ webhookEndpoint(id: "${webhook.id}") { ${WEBHOOK} } }`))).toEqual(webhook);
  });

  test("with an Idempotency-Key makes one, and the repetition has no secret", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const answers = [];
    for (let time = 0; time < 2; time++)
      answers.push(await run("createWebhook", INPUT, "secret webhook { id }", headers));
    const [first, again] = answers.map(result);
    expect(again).toEqual({ ...first, secret: null });
    expect(answers.map((answer) => answer.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  });

  test.each<[string, object, string]>([
    ["a private address", { url: "https://10.0.0.1/" }, "url"],
    ["http to this machine, where it is not allowed", { url: "http://localhost:3000/" }, "url"],
    ["an unknown kind", { eventTypes: ["message.unheard"] }, "eventTypes"],
  ])("422 names the member as GraphQL does: %s", async (_, change, field) => {
    const answer = await run("createWebhook", { ...INPUT, ...change }, "secret");
    expect(codes(answer)).toEqual([422, "invalid_request"]);
    expect(fields(answer)).toEqual([field]);
  });
});

test("updateWebhook changes what is given; null removes the description", async () => {
  const { webhook } = await create();
  const update = async (change: object) =>
    result(await run("updateWebhook", { id: webhook.id, ...change }, `webhook { ${WEBHOOK} }`)).webhook;
  expect(await update({ url: "https://example.org/new" })).toEqual({ ...webhook, url: "https://example.org/new" });
  expect(await update({ url: webhook.url, eventTypes: ["*"] })).toEqual({ ...webhook, eventTypes: ["*"] });
  expect(await update({ description: null })).toEqual({ ...webhook, eventTypes: ["*"], description: null });
  expect(await update({})).toEqual({ ...webhook, eventTypes: ["*"], description: null });
  // Null for what cannot be null is as if it were not there: GraphQL cannot leave a variable out.
  expect(await update({ url: null, eventTypes: null, description: "Ours" })).toEqual({
    ...webhook,
    eventTypes: ["*"],
    description: "Ours",
  });
  expect(codes(await run("updateWebhook", { id: webhook.id, url: "http://example.com" }, "webhook { id }"))).toEqual([
    422,
    "invalid_request",
  ]);
});

test("rotateWebhookSecret answers another secret, and until when the one before signs", async () => {
  const { secret, webhook } = await create();
  const rotated = result(await run("rotateWebhookSecret", { id: webhook.id }, `secret webhook { ${WEBHOOK} }`));
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  expect(rotated.webhook).toEqual({ ...webhook, previousSecretExpiresAt: expect.any(String) });
});

test("disableWebhook, enableWebhook, testWebhook and deleteWebhook do what their paths of REST do", async () => {
  const { webhook } = await create();
  const { id } = webhook;
  const row = async (mutation: string) => result(await run(mutation, { id }, `webhook { ${WEBHOOK} }`)).webhook;
  expect(await row("disableWebhook")).toEqual({ ...webhook, status: "DISABLED", disabledReason: "MANUAL" });
  expect(codes(await run("testWebhook", { id }, "delivery { id }"))).toEqual([409, "conflict"]);
  expect(await row("enableWebhook")).toEqual(webhook);
  const { delivery } = result(await run("testWebhook", { id }, `delivery { ${DELIVERY} }`));
  expect(delivery).toMatchObject({
    endpointId: id,
    eventType: "webhook.test",
    trigger: "TEST",
    status: "PENDING",
    attempt: 0,
  });
  expect(result(await ask(`{ webhookDelivery(id: "${delivery.id}") { ${DELIVERY} } }`))).toEqual(delivery);
  expect(result(await run("deleteWebhook", { id }, "done"))).toEqual({ done: true });
  expect(codes(await run("deleteWebhook", { id }, "done"))).toEqual([404, "not_found"]);
  expect((await auditOf(selo, id)).map(({ action }) => action)).toEqual([
    "webhook.created",
    "webhook.disabled",
    "webhook.enabled",
    "webhook.tested",
    "webhook.deleted",
  ]);
});

test("retryWebhookDelivery and replayWebhook bring back what failed", async () => {
  await selo.database.admin.query("delete from webhooks.deliveries");
  const { webhook } = await create({ ...INPUT, eventTypes: ["domain.verified"] });
  await emit(selo, organization, { type: "domain.verified" });
  await deliver(selo, { response_status: 500, error_code: "http_status" });
  const [item] = (await webhooks.ask("GET", `/webhooks/${webhook.id}/deliveries`)).body.items;
  const retried = await run("retryWebhookDelivery", { deliveryId: item.id }, `delivery { ${DELIVERY} }`);
  expect(result(retried).delivery).toMatchObject({ id: item.delivery_id, trigger: "MANUAL", status: "PENDING" });
  await deliver(selo, { response_status: 500, error_code: "http_status" });
  const replayed = await run(
    "replayWebhook",
    { id: webhook.id, since: "2026-01-01T00:00:00Z", status: "FAILED" },
    "replayed hasMore",
  );
  expect(result(replayed)).toEqual({ replayed: 1, hasMore: false });
  const wrong = await run(
    "replayWebhook",
    { id: webhook.id, since: "2026-01-01T00:00:00Z", status: "PENDING" },
    "replayed",
  );
  expect([codes(wrong), fields(wrong)]).toEqual([[422, "invalid_request"], ["status"]]);
});

test("lists are newest first, and deliveries are those of one webhook where it is named", async () => {
  const own = await selo.newOrganization();
  const caller = webhookCaller(selo, own.test);
  const [first, second] = [await caller.register(), await caller.register({ event_types: ["message.sent"] })];
  for (const type of ["message.sent", "message.opened"]) await emit(selo, own, { type });
  const list = async (query: string) =>
    answered<{ nodes: Record<string, unknown>[] }>(
      await graphql(selo, own.test, `{ ${query} }`),
      query.split(/\W/)[0] ?? "",
    ).nodes;
  expect((await list("webhookEndpoints { nodes { id } }")).map(({ id }) => id)).toEqual([second.id, first.id]);
  expect((await list("webhookEvents { nodes { type } }")).map(({ type }) => type)).toEqual([
    "message.opened",
    "message.sent",
  ]);
  const ofFirst = await list(
    `webhookDeliveries(filter: {endpointId: {equalTo: "${first.id}"}}) { nodes { ${DELIVERY} } }`,
  );
  const { items } = (await caller.ask("GET", `/webhooks/${first.id}/deliveries`)).body;
  expect(ofFirst).toEqual(items.map(camel));
  expect((await list("webhookDeliveries { nodes { id } }")).length).toBe(3);
  const kinds = await list("webhookEventKinds(first: 100) { nodes { name dataSchema } }");
  expect(kinds.length).toBe(eventKinds.sent.length + eventKinds.later.length);
});
