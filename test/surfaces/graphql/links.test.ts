// Objects that objects lead to: each is read through its view, as if it were asked for by itself.
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { writeZone } from "../../services/dns/write-zone.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, graphql } from "../../support/graphql-client.ts";
import { readStatements } from "../../support/read-statements.ts";
import { call } from "../../support/rest-client.ts";
import { emit, webhookCaller } from "../../support/webhook-caller.ts";

let selo: TestGateway;
let organization: TestOrganization;
let stranger: TestOrganization;
/** Of the organization in test, each with a delivery of each of three events. */
let webhooks: { readonly id: string }[];
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  stranger = await selo.newOrganization();
  const { register } = webhookCaller(selo, organization.test);
  webhooks = [await register({ description: "one" }), await register({ description: "two" })];
  for (let turn = 0; turn < 3; turn++) await emit(selo, organization, { type: "message.sent" });
  await webhookCaller(selo, stranger.test).register({ description: "a stranger's" });
  await selo.seal();
});
afterAll(() => selo?.stop());
afterEach(() => vi.restoreAllMocks());

async function nodesOf<Node>(field: string, selection: string, token = organization.test): Promise<Node[]> {
  const answer = await graphql(selo, token, `{ ${field} { nodes { ${selection} } } }`);
  expect(answer.errors).toEqual([]);
  return answered<{ nodes: Node[] }>(answer, field.split("(")[0] ?? "").nodes;
}

interface Delivery {
  readonly endpointId: string;
  readonly eventId: string;
  readonly webhook: { readonly id: string; readonly description: string } | null;
  readonly event: { readonly id: string; readonly type: string } | null;
}
const DELIVERY = "endpointId eventId webhook { id description } event { id type }";

test("a delivery leads to its webhook and its event, and a webhook to its deliveries", async () => {
  const deliveries = await nodesOf<Delivery>("webhookDeliveries", DELIVERY);
  expect(deliveries).toHaveLength(6);
  for (const { endpointId, eventId, webhook, event } of deliveries) {
    expect(webhook).toEqual({ id: endpointId, description: endpointId === webhooks[0]?.id ? "one" : "two" });
    expect(event).toEqual({ id: eventId, type: "message.sent" });
  }
  const endpoints = await nodesOf<{ id: string; deliveries: { totalCount: number; nodes: Delivery[] } }>(
    "webhookEndpoints(first: 2)",
    `id deliveries(first: 2) { totalCount nodes { ${DELIVERY} } }`,
  );
  expect(endpoints).toHaveLength(2);
  for (const { id, deliveries: own } of endpoints) {
    expect(own.totalCount).toBe(3);
    expect(own.nodes.map(({ endpointId }) => endpointId)).toEqual([id, id]);
  }
});

test("below a mutation's payload, too", async () => {
  const [{ id = "" } = {}] = webhooks;
  const mutation = `mutation { testWebhook(input: {id: "${id}"}) { delivery { webhook { id } event { type } } } }`;
  expect((await graphql(selo, organization.test, mutation)).data).toEqual({
    testWebhook: { delivery: { webhook: { id }, event: { type: "webhook.test" } } },
  });
  const disabled = `mutation { enableWebhook(input: {id: "${id}"}) { webhook { deliveries(first: 1) { totalCount nodes { event { type } } } } } }`;
  expect((await graphql(selo, organization.test, disabled)).data).toEqual({
    enableWebhook: { webhook: { deliveries: { totalCount: 4, nodes: [{ event: { type: "webhook.test" } }] } } },
  });
});

test("an event of the audit trail leads to the token that acted, and to its seal", async () => {
  const sha256 = randomBytes(32).toString("hex");
  await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256 } });
  const number = await selo.seal();
  type Event = { action: string; actorType: string; actorId: string | null; token: object | null; seal: object | null };
  const events = await nodesOf<Event>(
    "auditEvents",
    "action actorType actorId sealedBy token { id name prefix scopes } seal { id platformKey { id status } }",
    organization.live,
  );
  const registered = events.find(({ action }) => action === "proof.registered");
  expect(registered).toMatchObject({
    token: { id: registered?.actorId, prefix: organization.live.slice(0, 15) },
    seal: { id: String(number), platformKey: { status: "ACTIVE" } },
  });
  // Nobody's token made the organization.
  const others = events.filter(({ actorType }) => actorType !== "token");
  expect(others.length).toBeGreaterThan(0);
  for (const { token } of others) expect(token).toBeNull();
  const [proof] = await nodesOf<object>(
    "proofs",
    "platformKeyId platformPqKeyId platformKey { id algorithm environment } platformPqKey { id algorithm }",
    organization.live,
  );
  const { platformKeyId, platformPqKeyId } = proof as Record<string, string>;
  expect(proof).toMatchObject({
    platformKey: { id: platformKeyId, algorithm: "Ed25519", environment: "LIVE" },
    platformPqKey: { id: platformPqKeyId, algorithm: "ML-DSA-87" },
  });
});

test("what another organization or environment has is not led to, whatever a row says", async () => {
  const [own] = await nodesOf<{ id: string }>("webhookEndpoints", "id", stranger.test);
  const admin = await selo.database.admin.connect();
  const first = `(select id from webhooks.deliveries where tenant_id = '${organization.id}' order by id limit 1)`;
  try {
    // Rows as no function writes them.
    await admin.query("begin");
    await admin.query("set local session_replication_role = replica");
    await admin.query(
      `update webhooks.deliveries set endpoint_id = '${own?.id}', event_id = '${await eventOf(stranger)}' where id = ${first}`,
    );
    await admin.query(
      `update platform.audit_events set actor_type = 'token', actor_id = (select id from platform.tokens where tenant_id = $1 limit 1)
       where tenant_id = $2 and environment = 'test' and action = 'webhook.created'`,
      [stranger.id, organization.id],
    );
    await admin.query("commit");
  } finally {
    admin.release();
  }
  const moved = (await nodesOf<Delivery>("webhookDeliveries", DELIVERY)).filter(
    ({ endpointId }) => endpointId === own?.id,
  );
  expect(moved).toMatchObject([{ webhook: null, event: null }]);
  const events = await nodesOf<{ action: string; token: unknown }>("auditEvents", "action token { id name }");
  const created = events.filter(({ action }) => action === "webhook.created");
  expect(created.map(({ token }) => token)).toEqual(created.map(() => null));
  expect(created.length).toBeGreaterThan(0);
  // A stranger's webhook shows no delivery of this organization's.
  const [theirs] = await nodesOf<{ deliveries: object }>(
    "webhookEndpoints(first: 1)",
    "deliveries { totalCount nodes { id } }",
    stranger.test,
  );
  const { rows: ownIds } = await selo.database.admin.query("select id from webhooks.deliveries where tenant_id = $1", [
    stranger.id,
  ]);
  expect(theirs?.deliveries).toEqual({ totalCount: ownIds.length, nodes: ownIds });
  const environment = await nodesOf<{ token: unknown }>("auditEvents", "token { id }", organization.live);
  expect(environment.length).toBeGreaterThan(0);
});

async function eventOf({ id }: TestOrganization): Promise<string> {
  await emit(selo, stranger, { type: "message.sent" });
  const { rows } = await selo.database.admin.query("select id from webhooks.events where tenant_id = $1 limit 1", [id]);
  return rows[0].id;
}

test("a token needs the scope of what it is led to as of what it begins with", async () => {
  const { rows } = await selo.database.admin.query<{ view: string; scope: string | null }>(
    `select relname as view, (regexp_match(pg_get_viewdef(oid), 'may_read\\(''([a-z:]+)'''))[1] as scope
     from pg_class where relnamespace = 'api'::regnamespace and relkind = 'v'`,
  );
  const scopes = new Map(rows.map(({ view, scope }) => [view, scope]));
  const { rows: links } = await selo.database.admin.query<{ of: string; to: string }>(
    `select replace(view, 'api.', '') as of, found.parts[1] as to from gateway.view_comments
     cross join lateral regexp_matches(comment, '(?n)^@(?:foreignKey .* references|links \\w+) api\\.(\\w+)', 'g') as found (parts)`,
  );
  expect(links.length).toBeGreaterThan(5);
  // None leads to what needs another scope, but for zones and their records: the next test says what a key without it is told.
  const others = links.filter(({ of, to }) => `${of} ${to}` !== "dns_records dns_zones");
  expect(others.length).toBe(links.length - 1);
  for (const { of, to } of others)
    expect([of, to, [null, scopes.get(of)]]).toEqual([of, to, expect.arrayContaining([scopes.get(to)])]);
});

test("a key with the scope of records alone is not led to their zones, nor one with that of zones to their records", async () => {
  const { secret } = await issueKey(selo.operator, organization.id, "all");
  await writeZone(selo, organization, secret, "linked.example");
  const documents = {
    "record:read": [
      "{ dnsRecords(first: 1) { nodes { zoneId } } }",
      "{ dnsRecords(first: 1) { nodes { zone { name } } } }",
    ],
    "zone:read": [
      "{ dnsZones(first: 5) { nodes { name } } }",
      "{ dnsZones(first: 5) { nodes { records(first: 5) { nodes { name } } } } }",
    ],
  };
  for (const [scope, [own = "", led = ""]] of Object.entries(documents)) {
    expect((await graphql(selo, secret, led)).errors).toEqual([]);
    const key = (await issueKey(selo.operator, organization.id, "one", [scope])).secret;
    expect((await graphql(selo, key, own)).errors).toEqual([]);
    const { errors, data } = await graphql(selo, key, led);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(["missing_scope"]);
    expect(JSON.stringify(data)).not.toContain("linked.example");
  }
});

test("a page of rows is read with what it leads to in as many statements, however many rows it has", async () => {
  const count = async (size: number) =>
    (await readStatements(() => nodesOf(`webhookDeliveries(first: ${size})`, DELIVERY))).length;
  expect(await count(1)).toBe(2);
  expect(await count(6)).toBe(2);
  const lists = async (size: number) =>
    (
      await readStatements(() =>
        nodesOf(`webhookEndpoints(first: ${size})`, "id deliveries { totalCount nodes { id } }"),
      )
    ).length;
  expect(await lists(2)).toBe(await lists(1));
  const tokens = await readStatements(() => nodesOf("auditEvents(first: 5)", "id token { name } seal { id }"));
  expect(tokens).toHaveLength(1);
});

test("a list inside of a list costs its rows", async () => {
  const document = (rows: number) =>
    `{ webhookEndpoints(first: ${rows}) { nodes { deliveries(first: 49) { nodes { id webhook { id } } } } } }`;
  // 1 and for each row the list's 1, and 49 times 3 and what a connection wraps them in.
  expect((await graphql(selo, organization.test, document(151))).status).toBe(200);
  const refused = await graphql(selo, organization.test, document(152));
  expect(refused.errors[0]?.extensions.fields?.[0]?.message).toMatch(
    /^asks for [0-9,]+ values, page sizes counted; at most 30,000$/,
  );
});
