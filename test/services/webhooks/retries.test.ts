// When a delivery is attempted again, by the schedule, by the receiver's wish, by hand.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AttemptRow, type Hook, WebhookStage } from "../../support/webhook-stage.ts";

let stage: WebhookStage;
beforeAll(async () => {
  stage = await WebhookStage.open();
});
afterAll(() => stage?.close());

/** Issue 5, §3. In seconds. */
const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const secondsUntilNext = ({ next_attempt_at, requested_at }: AttemptRow) =>
  (Number(next_attempt_at) - Number(requested_at)) / 1_000;
/** Counted from the request at least, and from now, when it is recorded, at most. */
function expectNextWithin(attempt: AttemptRow | undefined, least: number, most: number): void {
  expect(secondsUntilNext(attempt as AttemptRow)).toBeGreaterThanOrEqual(least);
  expect((Number(attempt?.next_attempt_at) - Date.now()) / 1_000).toBeLessThanOrEqual(most);
}
/** Never early, and at most a tenth late. */
const expectDelay = (attempt: AttemptRow | undefined, seconds: number) =>
  expectNextWithin(attempt, seconds, seconds * 1.1);

async function fail(hook: Hook, attempts: number, from = 0): Promise<AttemptRow[]> {
  for (let made = from; made < attempts; made++) {
    if (made > 0) await hook.makeDue();
    await hook.attempted(made + 1);
  }
  return hook.attempts();
}

describe("the schedule", () => {
  test("is 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h, up to a tenth later, never early; EXHAUSTED after the tenth attempt", async () => {
    const hook = await stage.hook(500);
    await hook.emit();
    const attempts = await fail(hook, 10);
    for (const [place, seconds] of SCHEDULE.entries()) {
      expect(attempts[place]).toMatchObject({ attempt: place + 1, status: "FAILED", trigger: "auto" });
      expectDelay(attempts[place], seconds);
    }
    expect(attempts[9]).toMatchObject({ attempt: 10, status: "EXHAUSTED", next_attempt_at: null });
    expect(await hook.queue()).toEqual([]);
    const jitters = attempts
      .slice(1, 9)
      .map((attempt, place) => secondsUntilNext(attempt) / Number(SCHEDULE[place + 1]));
    expect(Math.max(...jitters) - Math.min(...jitters)).toBeGreaterThan(0.001);
    expect(hook.received.map(({ headers }) => headers["x-webhook-attempt"])).toEqual(
      Array.from({ length: 10 }, (_, place) => String(place + 1)),
    );
  });

  test("is not hurried: what is due in a second is not attempted before", async () => {
    const hook = await stage.hook(500);
    await hook.emit();
    await hook.attempted(1);
    const { admin } = stage.selo.database;
    const { rows } = await admin.query<{ due_at: Date }>(
      "update webhooks.deliveries set due_at = clock_timestamp() + interval '1 second' where endpoint_id = $1 returning due_at",
      [hook.id],
    );
    const [, second] = await hook.attempted(2);
    expect(Number(second?.requested_at)).toBeGreaterThanOrEqual(Number(rows[0]?.due_at));
  });
});

describe("Retry-After", () => {
  const retryAfter =
    (status: number, value: string | (() => string)) => (_request: unknown, response: ServerResponse) =>
      response.writeHead(status, { "retry-after": typeof value === "string" ? value : value() }).end();

  test.each([
    [429, "in seconds", "600", 600, 600],
    [503, "in seconds", "600", 600, 600],
    [503, "of more than a day", "90000", 86_400, 86_400],
    [429, "beyond all numbers", "9".repeat(40), 86_400, 86_400],
    [429, "earlier than the schedule", "1", 5, 5.5],
    [429, "of nonsense", "soon", 5, 5.5],
    [429, "of a negative number", "-600", 5, 5.5],
    [500, "of another status", "600", 5, 5.5],
    [503, "at a date in the past", "Sun, 06 Nov 1994 08:49:37 GMT", 5, 5.5],
    [503, "at a date that never comes", "Fri, 31 Dec 9999 23:59:59 GMT", 86_400, 86_400],
  ])("%i %s (%s)", async (status, _what, value, least, most) => {
    const hook = await stage.hook(retryAfter(status, value));
    await hook.emit();
    const [attempt] = await hook.attempted(1);
    expect(attempt).toMatchObject({ status: "FAILED", response_status: status });
    expectNextWithin(attempt, least, most);
  });

  test.each([429, 503])("%i at a date ten minutes from now", async (status) => {
    const date = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 600_000);
    const hook = await stage.hook(retryAfter(status, date.toUTCString()));
    await hook.emit();
    const [attempt] = await hook.attempted(1);
    expect(Number(attempt?.next_attempt_at)).toBeGreaterThanOrEqual(Number(date));
    // As many seconds as it was away when the answer came, up to a second more.
    expect(Number(attempt?.next_attempt_at)).toBeLessThanOrEqual(Date.now() + 601_000);
  });
});

describe("a retry by hand", () => {
  const retry = (hook: Hook, id = "") => hook.ask("POST", `/webhooks/deliveries/${id}/retry`);

  test("of what succeeded posts the same bytes under the same id again, by either id, and is no automatic attempt", async () => {
    const hook = await stage.hook();
    await hook.emit();
    const [first] = await hook.attempted(1);
    expect((await retry(hook, first?.delivery_id)).status).toBe(202);
    const [, second] = await hook.attempted(2);
    expect((await retry(hook, second?.id)).status).toBe(202);
    expect(await hook.attempted(3)).toMatchObject([
      { trigger: "auto", attempt: 1, automatic_attempts: 1 },
      { trigger: "manual", attempt: 2, automatic_attempts: 1, delivery_id: first?.delivery_id },
      { trigger: "manual", attempt: 3, automatic_attempts: 1, delivery_id: first?.delivery_id },
    ]);
    expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(hook.received.map(({ headers }) => headers["x-webhook-id"])).size).toBe(1);
    expect(hook.received.map(({ headers }) => headers["x-webhook-attempt"])).toEqual(["1", "2", "3"]);
  });

  test("that fails is followed by the automatic attempts that are left, and counts for no failure", async () => {
    const hook = await stage.hook(500);
    await hook.emit();
    const [first] = await fail(hook, 2);
    expect((await hook.endpoint())?.consecutive_failures).toBe(2);
    expect((await retry(hook, first?.delivery_id)).status).toBe(202);
    const attempts = await hook.attempted(3);
    expect(attempts[2]).toMatchObject({ trigger: "manual", attempt: 3, automatic_attempts: 2, status: "FAILED" });
    expectDelay(attempts[2], 300);
    expect((await hook.endpoint())?.consecutive_failures).toBe(2);
    expect((await fail(hook, 4, 3))[3]).toMatchObject({ trigger: "auto", attempt: 4, automatic_attempts: 3 });
    const last = (await fail(hook, 11, 4))[10];
    expect(last).toMatchObject({ trigger: "auto", attempt: 11, automatic_attempts: 10, status: "EXHAUSTED" });
  });

  test("of what is exhausted is made once, and exhausted again; one that succeeds sets the count of failures to zero", async () => {
    const hook = await stage.hook(500);
    await hook.emit();
    const [first] = await hook.attempted(1);
    await stage.selo.database.admin.query(
      "update webhooks.deliveries set automatic_attempts = 9, attempts = 9 where endpoint_id = $1",
      [hook.id],
    );
    await fail(hook, 2, 1);
    await retry(hook, first?.delivery_id);
    expect((await hook.attempted(3))[2]).toMatchObject({
      status: "EXHAUSTED",
      trigger: "manual",
      attempt: 11,
      next_attempt_at: null,
    });
    expect(await hook.queue()).toEqual([]);
    expect((await hook.endpoint())?.consecutive_failures).toBe(2);
    hook.answer(200);
    await retry(hook, first?.delivery_id);
    expect((await hook.attempted(4))[3]).toMatchObject({ status: "SUCCEEDED", trigger: "manual", attempt: 12 });
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 0, failing_since: null });
  });

  test("is refused with 409 while an attempt is under way, and takes the place of one that waits", async () => {
    let release: () => void = () => {};
    const hook = await stage.hook((_request, response) => {
      release = () => response.writeHead(500).end();
    });
    await hook.emit();
    await expect.poll(() => hook.received.length).toBe(1);
    const [waiting] = await hook.queue();
    expect(await retry(hook, waiting?.id)).toMatchObject({ status: 409, body: { detail: { code: "conflict" } } });
    release();
    await hook.attempted(1);
    hook.answer(200);
    expect((await retry(hook, waiting?.id)).status).toBe(202);
    expect((await hook.attempted(2))[1]).toMatchObject({ trigger: "manual", status: "SUCCEEDED" });
    expect(await hook.queue()).toEqual([]);
  });

  test("does not deadlock with the result of an attempt that is being written", async () => {
    const hook = await stage.hook(500);
    await hook.emit();
    const [first] = await hook.attempted(1);
    const writer = await stage.selo.database.admin.connect();
    try {
      await writer.query("begin");
      await writer.query("select from webhooks.deliveries where endpoint_id = $1 for update", [hook.id]);
      expect((await retry(hook, first?.delivery_id)).status).toBe(409);
      await writer.query("update webhooks.endpoints set consecutive_failures = 2 where id = $1", [hook.id]);
      await writer.query("commit");
    } finally {
      writer.release();
    }
    expect((await retry(hook, first?.delivery_id)).status).toBe(202);
  });
});

describe("a test event", () => {
  test("that is retried by hand is a test again", async () => {
    const hook = await stage.hook(500);
    await hook.ask("POST", `/webhooks/${hook.id}/test`);
    const [first] = await hook.attempted(1);
    expect((await hook.ask("POST", `/webhooks/deliveries/${first?.delivery_id}/retry`)).status).toBe(202);
    expect((await hook.attempted(2))[1]).toMatchObject({
      trigger: "test",
      attempt: 2,
      status: "FAILED",
      next_attempt_at: null,
    });
    expect(await hook.queue()).toEqual([]);
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 0 });
  });

  test("that succeeds sets last_success_at, once it is answered and not before", async () => {
    const hook = await stage.hook(200);
    expect(await hook.endpoint()).toMatchObject({ last_success_at: null });
    await hook.ask("POST", `/webhooks/${hook.id}/test`);
    const [attempt] = await hook.attempted(1);
    const { last_success_at: at } = (await hook.endpoint()) ?? {};
    expect(Number(at)).toBeGreaterThanOrEqual(Number(attempt?.requested_at));
    expect((await hook.ask("GET", `/webhooks/${hook.id}`)).body.last_success_at).toEqual(expect.any(String));
  });

  test("is sent once, whatever is subscribed, never tried again and never counted", async () => {
    const hook = await stage.hook(500);
    expect((await hook.ask("POST", `/webhooks/${hook.id}/test`)).status).toBe(202);
    expect(await hook.attempted(1)).toMatchObject([
      { trigger: "test", status: "FAILED", attempt: 1, automatic_attempts: 0, next_attempt_at: null },
    ]);
    expect(await hook.queue()).toEqual([]);
    expect(await hook.endpoint()).toMatchObject({
      consecutive_failures: 0,
      failing_since: null,
      last_success_at: null,
    });
    expect(JSON.parse(hook.received[0]?.body ?? "")).toMatchObject({ type: "webhook.test", resource_id: hook.id });
    await hook.set("consecutive_failures = 3, failing_since = now()");
    hook.answer(200);
    await hook.ask("POST", `/webhooks/${hook.id}/test`);
    expect((await hook.attempted(2))[1]).toMatchObject({ trigger: "test", status: "SUCCEEDED" });
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 3, failing_since: expect.any(Date) });
  });
});
