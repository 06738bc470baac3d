// What several dispatchers ask of the queue: who gets what, for how long, and whose results are taken.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeliveryClaim, LeasedDelivery } from "../../../src/services/webhooks/store.ts";
import type { Hook, WebhookStage } from "../../support/webhook-stage.ts";
import { outcome, QueueStage } from "./queue-stage.ts";

let queue: QueueStage;
let stage: WebhookStage;
let jobs: QueueStage["store"];
beforeAll(async () => {
  queue = await QueueStage.open();
  stage = queue.webhooks;
  jobs = queue.store;
});
afterAll(() => queue?.close());

const claim = (options: Partial<DeliveryClaim> = {}) => queue.claim(options);
const failure = { response_status: 500, error_code: "http_status" };

const of = (hook: Hook, leased: readonly LeasedDelivery[]) => leased.filter(({ endpointId }) => endpointId === hook.id);
const expire = (hook: Hook) =>
  stage.selo.database.admin.query(
    "update webhooks.deliveries set leased_until = clock_timestamp() - interval '1 ms' where endpoint_id = $1 and leased_until is not null",
    [hook.id],
  );

describe("a claim", () => {
  test("by a dispatcher that has its fill of an organization brings nothing of its, and everything of others'", async () => {
    const [hung, other] = [await stage.hook(), await stage.hook()];
    await hung.emit(3);
    await other.emit(2);
    const leased = await claim({ fullTenants: [hung.organization.id] });
    expect(leased.map(({ endpointId }) => endpointId)).toEqual([other.id, other.id]);
    expect((await claim()).map(({ endpointId }) => endpointId)).toEqual([hung.id, hung.id, hung.id]);
  });

  test("leases at most ten of an endpoint, and of one that it knows as many as it has room for", async () => {
    const [one, two, three] = [await stage.hook(), await stage.hook(), await stage.hook()];
    for (const hook of [one, two, three]) await hook.emit(60);
    const leased = await claim({
      room: new Map([
        [two.id, 50],
        [three.id, 0],
      ]),
    });
    expect([one, two, three].map((hook) => of(hook, leased).length)).toEqual([10, 50, 0]);
    expect(new Set(leased.map(({ attemptId }) => attemptId)).size).toBe(60);
  });

  test("leases for a minute", async () => {
    const hook = await stage.hook();
    await hook.emit();
    await claim();
    const { rows } = await stage.selo.database.admin.query(
      "select extract(epoch from leased_until - clock_timestamp())::float as left from webhooks.deliveries where endpoint_id = $1",
      [hook.id],
    );
    expect(rows[0].left).toBeGreaterThan(50);
    expect(rows[0].left).toBeLessThanOrEqual(60);
  });

  test("never leases what another has, however many there are at once; what is left is for the next", async () => {
    const hook = await stage.hook();
    await hook.emit(100);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ room: new Map([[hook.id, 30]]) })));
    const ids = claims.flatMap((leased) => of(hook, leased)).map(({ deliveryId }) => deliveryId);
    expect(new Set(ids).size).toBe(ids.length);
    for (let left = 100 - ids.length; left > 0; ) {
      const more = of(hook, await claim({ room: new Map([[hook.id, 30]]) }));
      expect(more.length).toBeGreaterThan(0);
      ids.push(...more.map(({ deliveryId }) => deliveryId));
      left -= more.length;
    }
    expect(new Set(ids).size).toBe(100);
    expect(of(hook, await claim())).toEqual([]);
  });

  test("asks who failed five times in a row one thing at a time", async () => {
    const hook = await stage.hook();
    await hook.emit(20);
    await hook.set("consecutive_failures = 5, failing_since = now()");
    expect(of(hook, await claim())).toHaveLength(1);
    expect(of(hook, await claim({ room: new Map([[hook.id, 9]]) }))).toEqual([]);
  });

  test("of one that keeps failing takes tests first, then retries by hand, then first attempts, then other retries, each the oldest first", async () => {
    const hook = await stage.hook();
    // Two that failed and are due again, two that are new, and two that somebody retries: one of the failed, one of the new.
    const emitted = [...(await hook.emit(3))];
    await jobs.recordAttempts(of(hook, await claim()).map((each) => outcome(each, failure)));
    await hook.makeDue();
    // Promotes what is due.
    await jobs.releaseDeliveries(of(hook, await claim()));
    emitted.push(...(await hook.emit()), ...(await hook.emit()), ...(await hook.emit()));
    const { rows } = await stage.selo.database.admin.query<{ id: string; event_id: string }>(
      "select id, event_id from webhooks.deliveries where endpoint_id = $1",
      [hook.id],
    );
    const deliveryOf = (event: number) => rows.find(({ event_id }) => event_id === emitted[event])?.id;
    for (const event of [1, 5])
      expect((await hook.ask("POST", `/webhooks/deliveries/${deliveryOf(event)}/retry`)).status).toBe(202);
    const tested = (await hook.ask("POST", `/webhooks/${hook.id}/test`)).body.delivery_id;
    const taken: string[] = [];
    for (let made = 0; made < 7; made++) {
      await hook.set("consecutive_failures = 5, failing_since = now()");
      const leased = of(hook, await claim());
      expect(leased).toHaveLength(1);
      taken.push(...leased.map(({ deliveryId }) => deliveryId));
      // A failure would come again, after some seconds.
      await jobs.recordAttempts(leased.map((each) => outcome(each)));
    }
    expect(taken).toEqual([tested, ...[1, 5, 3, 4, 0, 2].map(deliveryOf)]);
    expect(of(hook, await claim())).toEqual([]);
  });

  test("asks one that failed, and answered a test quickly since, at once", async () => {
    const hook = await stage.hook();
    await hook.emit(3);
    await hook.set("consecutive_failures = 5, failing_since = now()");
    // As a lane says that answers quickly and is at nothing.
    expect(of(hook, await claim({ room: new Map([[hook.id, 100]]) }))).toHaveLength(1);
  });

  test("takes the oldest first", async () => {
    const hook = await stage.hook();
    const events: string[] = [];
    for (let made = 0; made < 12; made++) events.push(...(await hook.emit()));
    const leased = of(hook, await claim());
    const names = leased.map(({ eventName }) => eventName).sort();
    expect(names).toEqual(events.slice(0, 10).map((id) => `evt_${id.replaceAll("-", "")}`));
  });
});

describe("a result", () => {
  test("of a lease that was taken over is refused, whether the other is still at it or done, even when both come together", async () => {
    const hook = await stage.hook();
    await hook.emit(3);
    const first = of(hook, await claim());
    await expire(hook);
    const second = of(hook, await claim());
    expect(second.map(({ deliveryId }) => deliveryId).sort()).toEqual(first.map(({ deliveryId }) => deliveryId).sort());
    expect(await jobs.recordAttempts(first.map((each) => outcome(each, failure)))).toBe(0);
    expect(await hook.attempts()).toEqual([]);
    const together = [...first.map((each) => outcome(each, failure)), ...second.map((each) => outcome(each))];
    expect(await jobs.recordAttempts(together)).toBe(3);
    expect((await hook.attempts()).map(({ id }) => id).sort()).toEqual(second.map(({ attemptId }) => attemptId).sort());
    expect((await hook.attempts()).map(({ status }) => status)).toEqual(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]);
    expect(
      await jobs.recordAttempts(
        first.map((each) => outcome(each, { response_status: 410, error_code: "http_status" })),
      ),
    ).toBe(0);
    expect(await hook.endpoint()).toMatchObject({ status: "ACTIVE", consecutive_failures: 0 });
  });

  test("after the lease, where nobody took it over, is taken", async () => {
    const hook = await stage.hook();
    await hook.emit();
    const leased = of(hook, await claim());
    await expire(hook);
    expect(await jobs.recordAttempts(leased.map((each) => outcome(each)))).toBe(1);
    expect(await hook.queue()).toEqual([]);
  });

  test("that is written twice, because the answer to the first was lost, counts once", async () => {
    const hook = await stage.hook();
    await hook.emit();
    const results = of(hook, await claim()).map((each) => outcome(each, failure));
    expect(await jobs.recordAttempts([...results, ...results])).toBe(1);
    expect(await jobs.recordAttempts(results)).toBe(0);
    expect(await hook.attempts()).toHaveLength(1);
    expect(await hook.endpoint()).toMatchObject({ consecutive_failures: 1 });
  });

  test("of what was retried by hand meanwhile is refused: the lease had ended", async () => {
    const hook = await stage.hook();
    await hook.emit();
    const [leased] = of(hook, await claim()) as [LeasedDelivery];
    await expire(hook);
    expect((await hook.ask("POST", `/webhooks/deliveries/${leased.deliveryId}/retry`)).status).toBe(202);
    expect(await jobs.recordAttempts([outcome(leased)])).toBe(0);
    expect(await hook.queue()).toMatchObject([{ trigger: "manual", attempts: 0, attempt_id: null }]);
  });
});

describe("a kind that is taken off its endpoint", () => {
  const kinds = (hook: Hook, names: string[]) => hook.ask("PATCH", `/webhooks/${hook.id}`, { event_types: names });
  const fail = async (hook: Hook) => jobs.recordAttempts(of(hook, await claim()).map((each) => outcome(each, failure)));

  test("drops its waiting retries, and neither first attempts nor retries by hand nor those of other endpoints", async () => {
    const [hook, other] = [await stage.hook(), await stage.hook()];
    for (const each of [hook, other]) {
      await each.emit(2);
      await fail(each);
    }
    const [retried] = await hook.queue();
    await hook.emit();
    await hook.ask("POST", `/webhooks/deliveries/${retried?.id}/retry`);
    expect((await kinds(hook, ["domain.*", "message.delivered"])).status).toBe(200);
    expect(await hook.queue()).toHaveLength(3);
    expect((await kinds(hook, ["domain.*", "message.sent"])).status).toBe(200);
    expect(await hook.queue()).toMatchObject([
      { trigger: "manual", attempts: 1 },
      { trigger: "auto", attempts: 0 },
    ]);
    expect(await other.queue()).toHaveLength(2);
  });

  test("is not retried after an attempt that was under way, and is with the kind", async () => {
    for (const [names, left] of [
      [["domain.*"], 0],
      [["*"], 1],
    ] as const) {
      const hook = await stage.hook();
      await hook.emit();
      const leased = of(hook, await claim());
      expect((await kinds(hook, [...names])).status).toBe(200);
      expect(await hook.queue()).toHaveLength(1);
      expect(await jobs.recordAttempts(leased.map((each) => outcome(each, failure)))).toBe(1);
      expect(await hook.queue()).toHaveLength(left);
      expect((await hook.attempts()).map(({ next_attempt_at: next }) => next !== null)).toEqual([left === 1]);
    }
  });

  test("stays as it is where the kinds are refused, and where another organization asks", async () => {
    const [hook, other] = [await stage.hook(), await stage.hook()];
    await hook.emit();
    await fail(hook);
    expect((await kinds(hook, ["domain.verified", "nonsense"])).status).toBe(422);
    expect((await other.ask("PATCH", `/webhooks/${hook.id}`, { event_types: ["domain.*"] })).status).toBe(404);
    expect(await hook.queue()).toHaveLength(1);
  });
});

describe("a dispatcher that gives back", () => {
  test("gives back what it had not begun, and nothing that is another's by now", async () => {
    const hook = await stage.hook();
    await hook.emit(4);
    const leased = of(hook, await claim());
    await stage.selo.database.admin.query(
      "update webhooks.deliveries set leased_until = clock_timestamp() - interval '1 ms' where id = $1",
      [leased[0]?.deliveryId],
    );
    const [again] = of(hook, await claim());
    expect(again?.deliveryId).toBe(leased[0]?.deliveryId);
    await jobs.releaseDeliveries(leased);
    const queue = await hook.queue();
    expect(queue.filter(({ attempt_id }) => attempt_id !== null)).toMatchObject([{ attempt_id: again?.attemptId }]);
    expect(of(hook, await claim())).toHaveLength(3);
  });
});
