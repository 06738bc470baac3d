// GET /webhooks/{id}/deliveries: issue "Webhooks" §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import {
  claim,
  deliver,
  emit,
  type Outcome,
  record,
  type WebhookCaller,
  webhookCaller,
} from "../../support/webhook-caller.ts";

const FAILED: Outcome = { response_status: 500, error_code: "http_status", response_body: "no" };
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z$/;

let selo: TestGateway;
let organization: TestOrganization;
let webhooks: WebhookCaller;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.test);
});
afterAll(() => selo?.stop());

interface Item {
  readonly id: string;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly status: string;
  readonly attempt: number;
}

const list = async (id: string, query = ""): Promise<Item[]> => {
  const answer = await webhooks.ask("GET", `/webhooks/${id}/deliveries${query}`);
  expect(answer.status).toBe(200);
  return answer.body.items;
};

/** A webhook that alone wants the next events, with what an emitted event of this kind becomes for it. */
async function prepared(outcomes: readonly (Outcome | null)[], type = "message.sent"): Promise<string> {
  await selo.database.admin.query("delete from webhooks.deliveries");
  await selo.database.admin.query("delete from webhooks.endpoints");
  const { id } = await webhooks.register();
  for (const outcome of outcomes) {
    await emit(selo, organization, { type });
    if (outcome !== null) expect(await deliver(selo, outcome)).toBe(1);
  }
  return id;
}

/** What waits for its time is due now. */
const makeDue = () =>
  selo.database.admin.query("update webhooks.deliveries set due_at = clock_timestamp() where not ready");

describe("an item", () => {
  test("of a delivery without an attempt has attempt 0, its own id, and every member", async () => {
    const id = await prepared([null]);
    const [item] = await list(id);
    expect(Object.entries(item ?? {})).toEqual([
      ["id", expect.any(String)],
      ["endpoint_id", id],
      ["delivery_id", item?.id],
      ["event_id", expect.stringMatching(/^evt_[0-9a-f]{32}$/)],
      ["event_type", "message.sent"],
      ["attempt", 0],
      ["trigger", "auto"],
      ["status", "PENDING"],
      ["url", null],
      ["requested_at", null],
      ["duration_ms", null],
      ["response_status", null],
      ["response_body", null],
      ["truncated", false],
      ["error_code", null],
      ["error_detail", null],
      ["next_attempt_at", expect.stringMatching(INSTANT)],
    ]);
  });

  test("of one under way is still that", async () => {
    const id = await prepared([null]);
    const leased = await claim(selo);
    expect(await list(id)).toMatchObject([{ id: leased[0]?.delivery_id, attempt: 0, status: "PENDING" }]);
    await record(selo, leased, {});
  });

  test("of a disabled webhook is skipped, with attempt 0", async () => {
    const id = await prepared([]);
    await webhooks.ask("POST", `/webhooks/${id}/disable`);
    await emit(selo, organization, { type: "message.sent" });
    const [item] = await list(id);
    expect(item).toMatchObject({
      id: item?.delivery_id,
      attempt: 0,
      status: "SKIPPED",
      trigger: "auto",
      url: null,
      requested_at: null,
      next_attempt_at: null,
    });
  });

  test("of a success shows request, response and timing", async () => {
    const id = await prepared([{ response_status: 204, response_body: "", duration_ms: 34 }]);
    const [item] = await list(id);
    expect(item).toMatchObject({
      attempt: 1,
      trigger: "auto",
      status: "SUCCEEDED",
      url: "https://example.com/hook",
      duration_ms: 34,
      response_status: 204,
      response_body: "",
      truncated: false,
      error_code: null,
      next_attempt_at: null,
      requested_at: expect.stringMatching(INSTANT),
    });
    expect(item?.id).not.toBe(item?.delivery_id);
  });

  test("of a failure says why, what was answered, whether it was cut, and when the next comes", async () => {
    const id = await prepared([{ ...FAILED, truncated: true, response_body: "x".repeat(16_384) }]);
    expect(await list(id)).toMatchObject([
      {
        attempt: 1,
        status: "FAILED",
        error_code: "http_status",
        response_status: 500,
        response_body: "x".repeat(16_384),
        truncated: true,
        next_attempt_at: expect.stringMatching(INSTANT),
      },
    ]);
  });

  test("of a failure of TLS says what failed", async () => {
    const failed = { response_status: undefined, error_code: "tls_failed", error_detail: "expired" };
    const id = await prepared([failed as unknown as Outcome]);
    const [item] = await list(id);
    expect(item).toMatchObject({ status: "FAILED", error_code: "tls_failed", error_detail: "expired" });
  });

  test("of an answer with a status over 599 is kept with it, and found by it", async () => {
    const id = await prepared([{ ...FAILED, response_status: 799 }, FAILED]);
    expect(await list(id, "?response_status=799")).toMatchObject([{ status: "FAILED", response_status: 799 }]);
    expect(await list(id, "?response_status=999")).toEqual([]);
    expectError(await webhooks.ask("GET", `/webhooks/${id}/deliveries?response_status=1000`), 422, "invalid_request", [
      "response_status",
    ]);
  });

  test("is one for each attempt: a delivery that was tried twice has two, both with its id", async () => {
    const id = await prepared([FAILED]);
    await makeDue();
    expect(await deliver(selo, {})).toBe(1);
    const items = await list(id);
    expect(items.map(({ attempt, status }) => [attempt, status])).toEqual([
      [2, "SUCCEEDED"],
      [1, "FAILED"],
    ]);
    expect(new Set(items.map(({ delivery_id }) => delivery_id)).size).toBe(1);
    expect(new Set(items.map(({ event_id }) => event_id)).size).toBe(1);
    expect(new Set(items.map(({ id: itemId }) => itemId)).size).toBe(2);
  });

  test("of the tenth automatic attempt that failed is EXHAUSTED, and none follows", async () => {
    const id = await prepared([FAILED]);
    for (let attempt = 2; attempt <= 10; attempt++) {
      await makeDue();
      expect(await deliver(selo, FAILED)).toBe(1);
    }
    const items = await list(id);
    expect(items.map(({ attempt }) => attempt)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(items[0]).toMatchObject({ status: "EXHAUSTED", next_attempt_at: null });
    expect(items.slice(1).every(({ status }) => status === "FAILED")).toBe(true);
  });

  test("of a test event has the trigger test, and one attempt", async () => {
    const id = await prepared([]);
    await webhooks.ask("POST", `/webhooks/${id}/test`);
    await deliver(selo, FAILED);
    expect(await list(id)).toMatchObject([
      { trigger: "test", event_type: "webhook.test", attempt: 1, status: "FAILED", next_attempt_at: null },
    ]);
    expect((await webhooks.ask("GET", `/webhooks/${id}`)).body.consecutive_failures).toBe(0);
  });
});

describe("the list", () => {
  let id: string;
  /** Newest first: PENDING, SKIPPED, EXHAUSTED (of domain.verified), SUCCEEDED 201, FAILED 503, FAILED timeout. */
  let items: Item[];
  beforeAll(async () => {
    id = await prepared([{ error_code: "timeout" }, { ...FAILED, response_status: 503 }, { response_status: 201 }]);
    await selo.database.admin.query(
      "update webhooks.attempts set response_status = null, response_body = null where endpoint_id = $1 and error_code = 'timeout'",
      [id],
    );
    await emit(selo, organization, { type: "domain.verified" });
    await selo.database.admin.query(
      "update webhooks.deliveries set automatic_attempts = 9 where endpoint_id = $1 and ready",
      [id],
    );
    await deliver(selo, FAILED);
    await webhooks.ask("POST", `/webhooks/${id}/disable`);
    await emit(selo, organization, { type: "message.opened" });
    await webhooks.ask("POST", `/webhooks/${id}/enable`);
    await emit(selo, organization, { type: "message.sent" });
    items = await list(id);
  });
  const only = async (query: string) =>
    (await list(id, query)).map((item) => items.findIndex((each) => each.id === item.id));

  test("is newest first, and this webhook's alone", async () => {
    expect(items.map(({ status }) => status)).toEqual([
      "PENDING",
      "SKIPPED",
      "EXHAUSTED",
      "SUCCEEDED",
      "FAILED",
      "FAILED",
    ]);
    expect(items.map((item) => item.id)).toEqual(
      items
        .map((item) => item.id)
        .toSorted()
        .toReversed(),
    );
    const other = await webhooks.register();
    expect(await list(other.id)).toEqual([]);
  });

  test.each([
    ["PENDING", [0]],
    ["SKIPPED", [1]],
    ["EXHAUSTED", [2]],
    ["SUCCEEDED", [3]],
    ["FAILED", [4, 5]],
    ["PENDING,FAILED", [0, 4, 5]],
    ["EXHAUSTED,SUCCEEDED", [2, 3]],
    ["FAILED&status=SKIPPED,EXHAUSTED", [1, 2, 4, 5]],
  ])("by status %s", async (status, places) => expect(await only(`?status=${status}`)).toEqual(places));

  test.each([
    ["domain.verified", [2]],
    ["message.opened", [1]],
    ["message.sent", [0, 3, 4, 5]],
    ["proof.registered", []],
    ["nonsense", []],
  ])("by event_type %s", async (type, places) => expect(await only(`?event_type=${type}`)).toEqual(places));

  test.each([
    [201, [3]],
    [500, [2]],
    [503, [4]],
    [200, []],
    [599, []],
  ])("by response_status %d", async (status, places) =>
    expect(await only(`?response_status=${status}`)).toEqual(places),
  );

  test("by time: from, to and both, and by several at once", async () => {
    const { rows } = await selo.database.admin.query<{ at: string }>(
      "select to_json(to_timestamp(('x' || substr(replace(id, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)) as at from unnest($1::text[]) with ordinality as item (id, place) order by place",
      [items.map((item) => item.id)],
    );
    const at = (place: number) => encodeURIComponent(rows[place]?.at ?? "");
    expect(await only(`?from=${at(3)}`)).toEqual([0, 1, 2, 3]);
    expect(await only(`?to=${at(3)}`)).toEqual([4, 5]);
    expect(await only(`?from=${at(4)}&to=${at(1)}`)).toEqual([2, 3, 4]);
    expect(await only(`?from=${at(4)}&to=${at(1)}&status=FAILED`)).toEqual([4]);
    expect(await only(`?status=FAILED&response_status=503&event_type=message.sent&from=${at(5)}`)).toEqual([4]);
    expect(await only("?status=SUCCEEDED&response_status=503")).toEqual([]);
    expect(await only("?status=PENDING&response_status=200")).toEqual([]);
    expect(await only("?from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z")).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test("in pages, with the total of what the filters leave", async () => {
    const page = await webhooks.ask("GET", `/webhooks/${id}/deliveries?limit=2&offset=1`);
    expect(page.body).toMatchObject({ total: 6, limit: 2, offset: 1 });
    expect(page.body.items.map((item: Item) => item.id)).toEqual([items[1]?.id, items[2]?.id]);
    expect(page.headers.get("link")).toMatch(/offset=3.*rel="next".*rel="prev"/);
    expect((await webhooks.ask("GET", `/webhooks/${id}/deliveries?status=FAILED&limit=1`)).body.total).toBe(2);
    expect(await only("?offset=6")).toEqual([]);
  });

  test("refuses what is no filter with 422 that says why", async () => {
    const refused = async (query: string, field: string) =>
      expectError(await webhooks.ask("GET", `/webhooks/${id}/deliveries?${query}`), 422, "invalid_request", [field]);
    for (const status of ["pending", "", "FAILED,", "FAILED, SUCCEEDED"]) await refused(`status=${status}`, "status");
    for (const status of ["", "2xx", "200.0"]) await refused(`response_status=${status}`, "response_status");
    for (const time of ["", "yesterday", "2026-11-20", "0000-01-01T00:00:00Z"])
      for (const name of ["from", "to"]) await refused(`${name}=${time}`, name);
    await refused("endpoint_id=x", "endpoint_id");
  });
});
