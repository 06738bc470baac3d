// Retries by hand and replays: issue "Webhooks" §3.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { expectError } from "../../support/rest-client.ts";
import {
  auditOf,
  claim,
  deliver,
  emit,
  type Outcome,
  record,
  type WebhookCaller,
  webhookCaller,
} from "../../support/webhook-caller.ts";
import { description } from "../../surfaces/openapi/openapi-document.ts";

const FAILED: Outcome = { response_status: 500, error_code: "http_status" };
const LONG_AGO = "2020-01-01T00:00:00Z";

let selo: TestGateway;
let organization: TestOrganization;
let webhooks: WebhookCaller;
let id: string;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  webhooks = webhookCaller(selo, organization.test);
});
beforeEach(async () => {
  await selo.database.admin.query("delete from webhooks.deliveries");
  await selo.database.admin.query("delete from webhooks.endpoints");
  ({ id } = await webhooks.register());
});
afterAll(() => selo?.stop());

const post = (path: string, body?: object) => webhooks.ask("POST", `/webhooks/${path}`, body);
const retry = (deliveryId: string) => post(`deliveries/${deliveryId}/retry`);
const replay = (body: object) => post(`${id}/replay`, body);
const items = async (endpoint = id) => (await webhooks.ask("GET", `/webhooks/${endpoint}/deliveries`)).body.items;
const makeDue = () =>
  selo.database.admin.query("update webhooks.deliveries set due_at = clock_timestamp() where not ready");

/** An event, and what became of its delivery. */
async function delivered(
  outcome: Outcome,
  type = "message.sent",
): Promise<{ id: string; delivery_id: string; event_id: string }> {
  await emit(selo, organization, { type, data: '{ "spaced" : 1 }' });
  expect(await deliver(selo, outcome)).toBe(1);
  return (await items())[0];
}

describe("POST /webhooks/deliveries/{delivery_id}/retry", () => {
  test("takes the id of a delivery or of an attempt, and is 202 with the delivery that waits", async () => {
    const first = await delivered({});
    for (const given of [first.delivery_id, first.id]) {
      const { status, body } = await retry(given);
      expect(status).toBe(202);
      expect(body).toMatchObject({
        id: first.delivery_id,
        delivery_id: first.delivery_id,
        endpoint_id: id,
        event_id: first.event_id,
        event_type: "message.sent",
        trigger: "manual",
        status: "PENDING",
        next_attempt_at: expect.any(String),
        response_status: null,
      });
      expect(await deliver(selo, {})).toBe(1);
    }
    expect(
      (await items()).map(({ attempt, trigger, status }: Record<string, unknown>) => [attempt, trigger, status]),
    ).toEqual([
      [3, "manual", "SUCCEEDED"],
      [2, "manual", "SUCCEEDED"],
      [1, "auto", "SUCCEEDED"],
    ]);
  });

  test("sends the same event id and bytes, to the present address", async () => {
    await emit(selo, organization, { type: "message.sent", data: '{ "b" : 1,"a":2.0 }' });
    const [before] = await claim(selo);
    await record(selo, before === undefined ? [] : [before], FAILED);
    await webhooks.ask("PATCH", `/webhooks/${id}`, { url: "https://example.org/repaired" });
    await retry(before?.delivery_id ?? "");
    const [after] = await claim(selo);
    expect(after).toEqual({
      ...before,
      attempt_id: after?.attempt_id,
      attempt: 2,
      url: "https://example.org/repaired",
    });
    expect(after?.attempt_id).not.toBe(before?.attempt_id);
  });

  test("signs with the present secret", async () => {
    const { delivery_id: deliveryId } = await delivered(FAILED);
    await post(`${id}/rotate`);
    await retry(deliveryId);
    const [leased] = await claim(selo);
    const { rows } = await selo.database.admin.query(
      "select sealed_secret, sealed_previous_secret from webhooks.endpoints where id = $1",
      [id],
    );
    expect(leased).toMatchObject(rows[0]);
  });

  test("brings forward what waits for its time, and what was exhausted or skipped", async () => {
    const waiting = await delivered(FAILED);
    expect(await deliver(selo, {})).toBe(0);
    await retry(waiting.delivery_id);
    expect(await deliver(selo, {})).toBe(1);
    await post(`${id}/disable`);
    await emit(selo, organization, { type: "message.sent" });
    const [skipped] = await items();
    expect(skipped.status).toBe("SKIPPED");
    await post(`${id}/enable`);
    expect((await retry(skipped.id)).status).toBe(202);
    expect(await items()).toMatchObject([{ id: skipped.id, status: "PENDING", attempt: 0 }, {}, {}]);
    expect(await deliver(selo, {})).toBe(1);
    expect((await items())[0]).toMatchObject({
      delivery_id: skipped.id,
      status: "SUCCEEDED",
      attempt: 1,
      trigger: "manual",
    });
  });

  test("twice before it was attempted is one attempt", async () => {
    const { delivery_id: deliveryId } = await delivered({});
    for (let time = 0; time < 2; time++) expect((await retry(deliveryId)).status).toBe(202);
    expect(await deliver(selo, {})).toBe(1);
    expect(await deliver(selo, {})).toBe(0);
  });

  test("is 409 while an attempt is under way, and not once its lease is over", async () => {
    await emit(selo, organization, { type: "message.sent" });
    const [leased] = await claim(selo);
    const answer = await retry(leased?.delivery_id ?? "");
    expectError(answer, 409, "conflict");
    expect(answer.body.detail.message).toBe("An attempt is under way.");
    await selo.database.admin.query(
      "update webhooks.deliveries set leased_until = clock_timestamp() - interval '1 second'",
    );
    expect((await retry(leased?.delivery_id ?? "")).status).toBe(202);
  });

  test("is 409 when the webhook is disabled, and when it was deleted", async () => {
    const { delivery_id: deliveryId } = await delivered(FAILED);
    await post(`${id}/disable`);
    const disabled = await retry(deliveryId);
    expectError(disabled, 409, "conflict");
    expect(disabled.body.detail.message).toBe("The webhook is disabled: enable it first.");
    await webhooks.ask("DELETE", `/webhooks/${id}`);
    const deleted = await retry(deliveryId);
    expectError(deleted, 409, "conflict");
    expect(deleted.body.detail.message).toBe("The webhook was deleted.");
  });

  test("is 404 for an unknown delivery, another's, the other environment's, and once the event is no longer kept", async () => {
    const { delivery_id: deliveryId, id: attemptId, event_id: eventId } = await delivered({});
    const stranger = await selo.newOrganization();
    for (const token of [organization.live, stranger.test, stranger.live])
      for (const given of [deliveryId, attemptId])
        expectError(
          await webhooks.ask("POST", `/webhooks/deliveries/${given}/retry`, undefined, { token }),
          404,
          "not_found",
        );
    expectError(await retry(randomUUID()), 404, "not_found");
    expectError(await retry("x"), 422, "invalid_request", ["delivery_id"]);
    await selo.database.admin.query("delete from webhooks.events where id = $1::uuid", [eventId.slice(4)]);
    expectError(await retry(deliveryId), 404, "not_found");
  });

  test("with an Idempotency-Key happens once", async () => {
    const { delivery_id: deliveryId } = await delivered({});
    const key = randomUUID();
    const ask = () => webhooks.ask("POST", `/webhooks/deliveries/${deliveryId}/retry`, undefined, { key });
    const first = await ask();
    expect(await deliver(selo, {})).toBe(1);
    expect((await ask()).body).toEqual(first.body);
    expect(await deliver(selo, {})).toBe(0);
  });
});

describe("POST /webhooks/{id}/replay", () => {
  test("is 202 with how many, and attempts again whatever did not succeed, the same bytes each", async () => {
    const failed = await delivered(FAILED);
    await delivered({});
    await post(`${id}/disable`);
    for (let number = 0; number < 3; number++) await emit(selo, organization, { type: "message.opened" });
    await post(`${id}/enable`);
    const { status, body } = await replay({ since: LONG_AGO });
    expect({ status, body }).toEqual({ status: 202, body: { replayed: 4, has_more: false } });
    const leased = await claim(selo);
    expect(leased.map(({ delivery_id }) => delivery_id)).toContain(failed.delivery_id);
    for (const { body: bytes } of leased) {
      const { id: name } = JSON.parse(bytes);
      expect((await webhooks.ask("GET", `/events/${name}`)).text).toBe(bytes);
    }
    await record(selo, leased, {});
    expect((await replay({ since: LONG_AGO })).body).toEqual({ replayed: 0, has_more: false });
    expect((await auditOf(selo, id)).filter(({ action }) => action === "webhook.replayed").length).toBe(1);
  });

  test("by the status that the last attempt ended with", async () => {
    await delivered({});
    await delivered(FAILED);
    const twice = await delivered(FAILED);
    await retry(twice.delivery_id);
    await deliver(selo, {});
    await post(`${id}/disable`);
    await emit(selo, organization, { type: "message.sent" });
    await post(`${id}/enable`);
    const replayed = async (status: string) => {
      const answer = (await replay({ since: LONG_AGO, status })).body.replayed;
      await selo.database.admin.query(
        "update webhooks.deliveries set ready = false, due_at = now() + interval '1 hour'",
      );
      return answer;
    };
    expect(await replayed("EXHAUSTED")).toBe(0);
    expect(await replayed("FAILED")).toBe(1);
    expect(await replayed("SKIPPED")).toBe(1);
    expect(await replayed("SUCCEEDED")).toBe(2);
  });

  test("of the events of a period: from since, to before until", async () => {
    const times: string[] = [];
    await post(`${id}/disable`);
    for (let number = 0; number < 3; number++) {
      // Times are told apart by the millisecond.
      await selo.database.admin.query("select pg_sleep(0.002)");
      const { rows } = await selo.database.admin.query("select to_json(clock_timestamp()) as now");
      times.push(rows[0].now);
      await emit(selo, organization, { type: "message.sent" });
    }
    await post(`${id}/enable`);
    expect((await replay({ since: times[1], until: times[2] })).body.replayed).toBe(1);
    expect((await replay({ since: times[2] })).body.replayed).toBe(1);
    expect((await replay({ since: times[0], until: null, status: null })).body.replayed).toBe(1);
    await post(`${id}/disable`);
    await emit(selo, organization, { type: "message.sent" });
    await post(`${id}/enable`);
    expect((await replay({ since: "9998-01-01T00:00:00Z" })).body.replayed).toBe(0);
    // Without any, everything that is kept.
    expect((await replay({})).body.replayed).toBe(1);
    expect((await replay({ since: "0001-01-01T00:00:00Z", until: LONG_AGO })).body.replayed).toBe(0);
  });

  test("leaves alone what is under way or waits already, and other webhooks", async () => {
    await delivered(FAILED);
    const other = await webhooks.register();
    await emit(selo, organization, { type: "message.sent" });
    // Of this webhook's event an attempt is under way; the other's has failed.
    const leased = await claim(selo);
    expect(leased.length).toBe(2);
    await record(
      selo,
      leased.filter(({ endpoint_id: endpoint }) => endpoint === other.id),
      FAILED,
    );
    expect((await replay({ since: LONG_AGO })).body.replayed).toBe(1);
    expect((await replay({ since: LONG_AGO })).body.replayed).toBe(0);
    expect(await items(other.id)).toMatchObject([{ status: "FAILED", trigger: "auto" }]);
    expect((await claim(selo)).map(({ endpoint_id: endpoint }) => endpoint)).toEqual([id]);
  });

  test("takes tests too, as tests", async () => {
    await post(`${id}/test`);
    await deliver(selo, FAILED);
    const [tested] = await items();
    expect((await replay({ since: LONG_AGO })).body).toEqual({ replayed: 1, has_more: false });
    expect(await deliver(selo, {})).toBe(1);
    expect((await items())[0]).toMatchObject({
      delivery_id: tested.delivery_id,
      event_type: "webhook.test",
      trigger: "test",
      attempt: 2,
      status: "SUCCEEDED",
    });
    expect((await replay({ since: LONG_AGO })).body.replayed).toBe(0);
  });

  test("leaves out events that are no longer kept: there is nothing to post", async () => {
    const old = await delivered(FAILED);
    await delivered(FAILED);
    await selo.database.admin.query("delete from webhooks.events where id <= $1::uuid", [old.event_id.slice(4)]);
    expect((await replay({ since: LONG_AGO })).body).toEqual({ replayed: 1, has_more: false });
    expect(await deliver(selo, {})).toBe(1);
    const { rows } = await selo.database.admin.query("select 1 from webhooks.deliveries where ready");
    expect(rows).toEqual([]);
  });

  test("replays at most 10,000 with each request, the oldest first, and says whether there are more", async () => {
    const most = description.components.schemas["WebhookReplay"]?.["properties"].replayed.maximum;
    expect(most).toBe(10_000);
    expect(description.paths["/webhooks/{id}/replay"]?.["post"]?.description).toContain("up to 10,000");
    await post(`${id}/disable`);
    await selo.database.admin.query(
      `with event as (
         insert into webhooks.events (tenant_id, environment, id, type, occurred_at, body)
         select $1, 'test', platform.uuidv7(), 'message.sent', now(), '{}' from generate_series(1, $3) returning id)
       insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt, automatic_attempts, trigger, status)
       select $1, event.id, 'test', $2, event.id, event.id, 'message.sent', 0, 0, 'auto', 'SKIPPED' from event`,
      [organization.id, id, most + 1],
    );
    await post(`${id}/enable`);
    const { rows } = await selo.database.admin.query(
      "select max(id::text) as newest from webhooks.attempts where endpoint_id = $1",
      [id],
    );
    expect((await replay({ since: LONG_AGO })).body).toEqual({ replayed: most, has_more: true });
    const { rows: left } = await selo.database.admin.query("select id from webhooks.attempts where endpoint_id = $1", [
      id,
    ]);
    expect(left).toEqual([{ id: rows[0].newest }]);
    expect((await replay({ since: LONG_AGO })).body).toEqual({ replayed: 1, has_more: false });
  });

  test("is 409 while the webhook is disabled, 404 for another's", async () => {
    await post(`${id}/disable`);
    expectError(await replay({ since: LONG_AGO }), 409, "conflict");
    expectError(
      await webhooks.ask("POST", `/webhooks/${id}/replay`, { since: LONG_AGO }, { token: organization.live }),
      404,
      "not_found",
    );
  });

  test.each<[string, object, string]>([
    ["since without a time", { since: "2026-11-20" }, "since"],
    ["since without an offset", { since: "2026-11-20T00:00:00" }, "since"],
    ["until no time", { since: LONG_AGO, until: "tomorrow" }, "until"],
    ["until before since", { since: "2026-11-20T00:00:00Z", until: LONG_AGO }, "until"],
    ["until at since", { since: LONG_AGO, until: LONG_AGO }, "until"],
    ["a status that never ends a delivery", { since: LONG_AGO, status: "PENDING" }, "status"],
    ["a status there is not", { since: LONG_AGO, status: "failed" }, "status"],
    ["an unknown member", { since: LONG_AGO, event_type: "message.sent" }, "event_type"],
  ])("is 422: %s", async (_, body, field) => {
    expectError(await replay(body), 422, "invalid_request", [field]);
  });
});

test("a retry by hand that fails is followed by the automatic attempts that are left", async () => {
  const { delivery_id: deliveryId } = await delivered(FAILED);
  await retry(deliveryId);
  expect(await deliver(selo, FAILED)).toBe(1);
  expect((await items())[0]).toMatchObject({
    attempt: 2,
    trigger: "manual",
    status: "FAILED",
    next_attempt_at: expect.any(String),
  });
  await makeDue();
  expect(await deliver(selo, FAILED)).toBe(1);
  expect((await items())[0]).toMatchObject({ attempt: 3, trigger: "auto", status: "FAILED" });
});

test("neither waits for whoever counts for the webhook, who may hold the delivery", async () => {
  const { delivery_id: deliveryId } = await delivered(FAILED);
  const client = await selo.database.admin.connect();
  try {
    await client.query("begin");
    await client.query("update webhooks.endpoints set consecutive_failures = consecutive_failures + 1 where id = $1", [
      id,
    ]);
    expect((await replay({ since: LONG_AGO })).body.replayed).toBe(1);
    expect((await retry(deliveryId)).status).toBe(202);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
