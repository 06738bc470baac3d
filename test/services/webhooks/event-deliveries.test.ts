// `deliveries` of an event in GraphQL: the attempts of one event, to every endpoint.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { answered, type GraphqlAnswer, graphql } from "../../support/graphql-client.ts";
import { readStatements } from "../../support/read-statements.ts";
import { deliver, emit, type Outcome, type WebhookCaller, webhookCaller } from "../../support/webhook-caller.ts";

const FAILED: Outcome = { response_status: 500, error_code: "http_status" };
const SUCCEEDED: Outcome = { response_status: 200 };

let selo: TestGateway;
let organization: TestOrganization;
let stranger: TestOrganization;
let webhooks: WebhookCaller;
/** Of three endpoints: two that are active and one that is disabled. */
let endpoints: string[];
/** To both active endpoints failed once and succeeded after it; to the disabled one it was skipped. */
let retried: string;
/** Not attempted yet; to the disabled endpoint it was skipped. */
let waiting: string;
/** From before there was an endpoint. */
let unwanted: string;
/** The stranger's, not attempted yet. */
let theirs: string;
/** The organization's own in the other environment, not attempted yet. */
let live: string;

const nameOf = (uuid: string) => `evt_${uuid.replaceAll("-", "")}`;

beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  stranger = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.test);
  unwanted = await emit(selo, organization, { type: "message.sent" });
  endpoints = [];
  for (let place = 0; place < 3; place++) endpoints.push((await webhooks.register()).id);
  await webhooks.ask("POST", `/webhooks/${endpoints[2]}/disable`);
  retried = await emit(selo, organization, { type: "message.sent" });
  for (const outcome of [FAILED, SUCCEEDED]) {
    expect(await deliver(selo, outcome)).toBe(2);
    await selo.database.admin.query("update webhooks.deliveries set due_at = clock_timestamp() where not ready");
  }
  await webhookCaller(selo, organization.live).register();
  await webhookCaller(selo, stranger.test).register();
  waiting = await emit(selo, organization, { type: "message.bounced" });
  live = await emit(selo, organization, { type: "message.sent", environment: "live" });
  theirs = await emit(selo, stranger, { type: "message.sent" });
});
afterAll(() => selo?.stop());
afterEach(() => vi.restoreAllMocks());

const ask = (document: string, token = organization.test, variables: Record<string, unknown> = {}) =>
  graphql(selo, token, document, variables);

interface Delivery {
  readonly id: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly status: string;
}
interface Page {
  readonly nodes: readonly Delivery[];
  readonly totalCount: number;
  readonly totalCountCapped: boolean;
  readonly edges: readonly { readonly cursor: string; readonly node: Delivery }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}
const NODE = "id deliveryId endpointId eventId attempt status";
const INFO = "pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";

/** `deliveries` of an event, with these arguments. */
async function deliveriesOf(event: string, args = "", selection = `nodes { ${NODE} }`): Promise<Page> {
  const answer = await ask(`{ webhookEvent(id: "${nameOf(event)}") { deliveries${args} { ${selection} } } }`);
  expect(answer.errors).toEqual([]);
  return answered<{ deliveries: Page }>(answer, "webhookEvent").deliveries;
}

const statusesOf = ({ nodes }: Page, endpoint: string | undefined) =>
  nodes.filter(({ endpointId }) => endpointId === endpoint).map(({ attempt, status }) => `${attempt} ${status}`);
/** As lists are ordered without `orderBy`. */
const newestFirst = (ids: readonly string[]) => [...ids].sort().reverse();
const wrongField = ({ errors }: GraphqlAnswer) => errors[0]?.extensions.fields?.map(({ field }) => field);

describe("the deliveries of an event", () => {
  test("are its attempts to every endpoint, retries and skipped deliveries too, the newest first", async () => {
    const page = await deliveriesOf(retried);
    expect(page.nodes).toHaveLength(5);
    expect(statusesOf(page, endpoints[0])).toEqual(["2 SUCCEEDED", "1 FAILED"]);
    expect(statusesOf(page, endpoints[1])).toEqual(["2 SUCCEEDED", "1 FAILED"]);
    expect(statusesOf(page, endpoints[2])).toEqual(["0 SKIPPED"]);
    expect(new Set(page.nodes.map(({ eventId }) => eventId))).toEqual(new Set([nameOf(retried)]));
    const ids = page.nodes.map(({ id }) => id);
    expect(ids).toEqual(newestFirst(ids));
    // The same rows as in the lists of the endpoints.
    const lists = await Promise.all(
      endpoints.map(async (id) => (await webhooks.ask("GET", `/webhooks/${id}/deliveries`)).body.items),
    );
    const ofEvent = lists.flat().filter(({ event_id }: { event_id: string }) => event_id === nameOf(retried));
    expect(newestFirst(ofEvent.map(({ id }: { id: string }) => id))).toEqual(ids);
  });

  test("wait as PENDING before their first attempt", async () => {
    const page = await deliveriesOf(waiting);
    expect(endpoints.map((endpoint) => statusesOf(page, endpoint))).toEqual([
      ["0 PENDING"],
      ["0 PENDING"],
      ["0 SKIPPED"],
    ]);
  });

  test("are an empty list, not null, for an event that no endpoint wanted", async () => {
    expect(
      await deliveriesOf(unwanted, "", `nodes { ${NODE} } edges { cursor } totalCount totalCountCapped ${INFO}`),
    ).toEqual({
      nodes: [],
      edges: [],
      totalCount: 0,
      totalCountCapped: false,
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  test("are read page by page, forwards and backwards, in either order", async () => {
    const all = (await deliveriesOf(retried)).nodes.map(({ id }) => id);
    const selection = `nodes { id } totalCount ${INFO}`;
    for (const [order, expected] of [
      ["ID_DESC", all],
      ["ID_ASC", [...all].reverse()],
    ] as const) {
      const forwards: string[] = [];
      for (let after = "", more = true; more; ) {
        const page = await deliveriesOf(retried, `(first: 2, orderBy: ${order}${after})`, selection);
        expect(page.totalCount).toBe(5);
        forwards.push(...page.nodes.map(({ id }) => id));
        after = `, after: "${page.pageInfo.endCursor}"`;
        more = page.pageInfo.hasNextPage;
      }
      expect(forwards).toEqual(expected);
      const backwards: string[] = [];
      for (let before = "", more = true; more; ) {
        const page = await deliveriesOf(retried, `(last: 2, orderBy: ${order}${before})`, selection);
        backwards.unshift(...page.nodes.map(({ id }) => id));
        before = `, before: "${page.pageInfo.startCursor}"`;
        more = page.pageInfo.hasPreviousPage;
      }
      expect(backwards).toEqual(expected);
    }
  });

  test("are filtered as everywhere: those to one endpoint", async () => {
    const filter = `(filter: {endpointId: {equalTo: "${endpoints[0]}"}})`;
    const page = await deliveriesOf(retried, filter, `nodes { ${NODE} } totalCount`);
    expect(statusesOf(page, endpoints[0])).toEqual(["2 SUCCEEDED", "1 FAILED"]);
    expect([page.nodes.length, page.totalCount]).toEqual([2, 2]);
  });

  test("lead on to their webhook and back to their event", async () => {
    const page = await deliveriesOf(retried, "(first: 1)", "nodes { webhook { id } event { id type } }");
    expect(page.nodes).toEqual([
      { webhook: { id: expect.any(String) }, event: { id: nameOf(retried), type: "message.sent" } },
    ]);
    const [{ webhook } = { webhook: { id: "" } }] = page.nodes as unknown as { webhook: { id: string } }[];
    expect(endpoints).toContain(webhook.id);
  });

  test.each([
    ["first: 201", "first"],
    ["first: 0", "first"],
    ["first: 1, last: 1", "last"],
    ['after: "nonsense"', "after"],
  ])("refuse %s", async (args, field) => {
    const answer = await ask(`{ webhookEvent(id: "${nameOf(retried)}") { deliveries(${args}) { nodes { id } } } }`);
    expect([answer.errors[0]?.extensions.code, wrongField(answer)]).toEqual(["invalid_request", [field]]);
  });
});

describe("of other organizations and environments", () => {
  const LIST = `{ webhookEvents(first: 10) { nodes { id deliveries(first: 20) { totalCount nodes { ${NODE} } } } } }`;
  async function idsSeen(token: string): Promise<Map<string, string[]>> {
    const answer = await ask(LIST, token);
    expect(answer.errors).toEqual([]);
    const { nodes } = answered<{ nodes: { id: string; deliveries: Page }[] }>(answer, "webhookEvents");
    for (const { deliveries } of nodes) expect(deliveries.totalCount).toBe(deliveries.nodes.length);
    return new Map(nodes.map(({ id, deliveries }) => [id, deliveries.nodes.map((node) => node.id)]));
  }

  test("nothing is seen: each token has the events of its own, with their deliveries", async () => {
    const known = [
      [organization.test, [retried, waiting, unwanted], [5, 3, 0]],
      [organization.live, [live], [1]],
      [stranger.test, [theirs], [1]],
    ] as const;
    for (const [token, events, counts] of known) {
      const seen = await idsSeen(token);
      expect([...seen.keys()].sort()).toEqual(events.map(nameOf).sort());
      expect(events.map((event) => seen.get(nameOf(event))?.length)).toEqual(counts);
    }
  });

  test("nothing is led to, even where rows of another organization name the event", async () => {
    const admin = await selo.database.admin.connect();
    try {
      // Rows as no function writes them: deliveries and attempts of others that name this organization's event.
      await admin.query("begin");
      await admin.query("update webhooks.deliveries set event_id = $1 where event_id = any ($2)", [
        unwanted,
        [theirs, live],
      ]);
      await admin.query(
        `insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts, trigger, status)
         select tenant_id, platform.uuidv7(), environment, endpoint_id, id, event_id, event_type, 0, 0, 'auto', 'SKIPPED'
         from webhooks.deliveries where event_id = $1`,
        [unwanted],
      );
      await admin.query("commit");
    } finally {
      admin.release();
    }
    const { rows } = await selo.database.admin.query(
      `select (select count(*)::integer from webhooks.deliveries where event_id = $1) as deliveries,
         (select count(*)::integer from webhooks.attempts where event_id = $1) as attempts`,
      [unwanted],
    );
    expect(rows).toEqual([{ deliveries: 2, attempts: 2 }]);
    expect(await deliveriesOf(unwanted, "", "totalCount nodes { id }")).toEqual({ totalCount: 0, nodes: [] });
    await selo.database.admin.query("delete from webhooks.attempts where event_id = $1", [unwanted]);
    for (const [tenant, environment, event] of [
      [stranger.id, "test", theirs],
      [organization.id, "live", live],
    ])
      await selo.database.admin.query(
        "update webhooks.deliveries set event_id = $1 where event_id = $2 and tenant_id = $3 and environment = $4",
        [event, unwanted, tenant, environment],
      );
  });

  test("an event of another organization is not found, so neither are its deliveries", async () => {
    for (const event of [theirs, live]) {
      const answer = await ask(`{ webhookEvent(id: "${nameOf(event)}") { deliveries { nodes { id } } } }`);
      expect([answer.errors, answered(answer, "webhookEvent")]).toEqual([[], null]);
    }
  });

  test("a token without the scope is refused", async () => {
    const token = await selo.operator.createToken(organization.id, "test", "reader", ["proofs:read"]);
    const answer = await ask(
      "{ webhookEvents(first: 2) { nodes { deliveries(first: 2) { nodes { id } } } } }",
      token.token,
    );
    expect(answer.errors.map(({ extensions }) => extensions.code)).toEqual(["missing_scope"]);
  });
});

describe("a page of events", () => {
  const list = (size: number, selection: string) => () =>
    ask(`{ webhookEvents(first: ${size}) { nodes { id deliveries(first: 2) { ${selection} } } } }`);

  test("is read with the deliveries of all of them in as many statements as one event", async () => {
    for (const selection of ["nodes { id }", "totalCount nodes { id }", "edges { cursor } pageInfo { hasNextPage }"]) {
      const one = await readStatements(list(1, selection));
      const three = await readStatements(list(3, selection));
      expect([selection, three.length]).toEqual([selection, one.length]);
      expect(one.length).toBeLessThanOrEqual(3);
    }
  });

  test("counts deliveries only where totalCount is selected, and then all in one statement", async () => {
    const counts = async (selection: string) =>
      (await readStatements(list(3, selection))).filter((text) => /count\(/.test(text)).length;
    expect(await counts("nodes { id } pageInfo { hasNextPage }")).toBe(0);
    expect(await counts("totalCount nodes { id }")).toBe(1);
  });

  test("costs the deliveries that it asks for", async () => {
    const document = (rows: number) =>
      `{ webhookEvents(first: ${rows}) { nodes { deliveries(first: 49) { nodes { id status trigger } } } } }`;
    // 1, and for each event 1 and 1 for its list and 49 times 4: three fields and what a connection wraps them in.
    expect((await ask(document(151))).errors).toEqual([]);
    const refused = await ask(document(152));
    expect(refused.errors[0]?.extensions.fields?.[0]?.message).toMatch(
      /^asks for [0-9,]+ values, page sizes counted; at most 30,000$/,
    );
  });
});

test("an analyst joins deliveries to their events by event_uuid, and REST does not show it", async () => {
  const { login, url } = await selo.operator.createAnalyst(
    organization.id,
    "test",
    `ev_${randomBytes(6).toString("hex")}`,
  );
  const analyst = new pg.Client({ connectionString: url });
  await analyst.connect();
  const { rows } = await analyst.query(
    `select event.id, delivery.event_id from api.webhook_deliveries as delivery
     join api.webhook_events as event on event.uuid = delivery.event_uuid where delivery.event_uuid = $1`,
    [retried],
  );
  await analyst.end();
  await selo.operator.revokeAnalyst(login);
  expect(rows).toEqual(Array.from({ length: 5 }, () => ({ id: nameOf(retried), event_id: nameOf(retried) })));
  const path = `/webhooks/${endpoints[0]}/deliveries`;
  const { body } = await webhooks.ask("GET", path);
  expect(body.items.length).toBeGreaterThan(0);
  for (const item of body.items) expect(item).not.toHaveProperty("event_uuid");
  expect(await webhooks.ask("GET", `${path}?fields=event_uuid`)).toMatchObject({ status: 422 });
  const retry = await webhooks.ask("POST", `/webhooks/deliveries/${body.items[0].id}/retry`);
  expect([retry.status, "event_uuid" in retry.body]).toEqual([202, false]);
});
