// Everything that writes to the queue, at the same moment, about the same webhooks: nobody waits in a circle, and what was emitted is
// either still to be delivered or was.
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LeasedDelivery } from "../../../src/services/webhooks/store.ts";
import { byLane } from "../../support/lane.ts";
import { inContext } from "../../support/owner.ts";
import type { Hook, WebhookStage } from "../../support/webhook-stage.ts";
import { outcome, QueueStage } from "./queue-stage.ts";

/** More in races.full.test.ts. */
const ROUNDS = byLane({ lane: 20, full: 80 });
const WAITS = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  and query like '%retry_deliveries%'`;

let queue: QueueStage;
let stage: WebhookStage;
beforeAll(async () => {
  queue = await QueueStage.open();
  stage = queue.webhooks;
});
afterAll(() => queue?.close());

const count = async (text: string) =>
  (await stage.selo.database.admin.query<{ count: number }>(`select count(*)::integer as count from ${text}`)).rows[0]
    ?.count;

/** Of each ten, four fail, and of each hundred one is gone. */
function resultOf(leased: LeasedDelivery, number: number) {
  const status = number % 100 === 99 ? 410 : number % 10 < 4 ? 500 : 200;
  return outcome(leased, { response_status: status, ...(status === 200 ? {} : { error_code: "http_status" }) });
}

test("dispatchers, retries, replays, tests and changes of the same webhooks at once lose nothing and deadlock never", async () => {
  const hooks = [await stage.hook(), await stage.hook()] as const;
  const statuses: number[] = [];
  let recorded = 0;
  let stale = 0;
  const dispatch = async () => {
    const leased = await queue.claim({ limit: 200 });
    const taken = await queue.store.recordAttempts(leased.map((each) => resultOf(each, recorded++)));
    stale += leased.length - taken;
  };
  const ask = async (hook: Hook, method: string, path: string, body?: object) => {
    const answer = await hook.ask(method, path, body);
    statuses.push(answer.status);
    return answer.body;
  };
  const since = "2020-01-01T00:00:00Z";
  const work: readonly ((hook: Hook, round: number) => Promise<unknown>)[] = [
    dispatch,
    dispatch,
    dispatch,
    (hook) => hook.emit(10),
    async (hook) => {
      const { items } = await ask(hook, "GET", `/webhooks/${hook.id}/deliveries?limit=5`);
      for (const { id } of items) await ask(hook, "POST", `/webhooks/deliveries/${id}/retry`);
    },
    (hook) => ask(hook, "POST", `/webhooks/${hook.id}/replay`, { since }),
    (hook) => ask(hook, "POST", `/webhooks/${hook.id}/replay`, { since, status: "SUCCEEDED" }),
    (hook, round) => ask(hook, "POST", `/webhooks/${hook.id}/${round % 4 === 0 ? "disable" : "enable"}`),
    (hook, round) => ask(hook, "PATCH", `/webhooks/${hook.id}`, { description: String(round) }),
    (hook) => ask(hook, "POST", `/webhooks/${hook.id}/rotate`),
    (hook) => ask(hook, "POST", `/webhooks/${hook.id}/test`),
    (hook) => hook.makeDue(),
  ];
  await Promise.all(
    work.map(async (piece, place) => {
      for (let round = 0; round < ROUNDS; round++) await piece(hooks[(round + place) % 2 === 0 ? 0 : 1], round);
    }),
  );

  // 409: under way, or disabled.
  expect(statuses.filter((status) => ![200, 202, 409].includes(status))).toEqual([]);
  expect(recorded).toBeGreaterThan(ROUNDS);
  expect(stale).toBe(0);
  const events = 10 * ROUNDS;
  expect(await count("webhooks.events where type <> 'webhook.test'")).toBe(events);
  expect(
    await count(`(select event_id from webhooks.deliveries where event_type <> 'webhook.test'
      union select event_id from webhooks.attempts where event_type <> 'webhook.test') as known`),
  ).toBe(events);
  // Attempts are numbered without gaps and none twice, and the queue knows how many there were.
  expect(
    await count(`(select from webhooks.attempts where attempt > 0
      group by delivery_id having max(attempt) <> count(*) or count(distinct attempt) <> count(*)) as wrong`),
  ).toBe(0);
  expect(
    await count(`webhooks.deliveries as delivery where delivery.attempts <>
      (select count(*) from webhooks.attempts as attempt where attempt.delivery_id = delivery.id and attempt.attempt > 0)`),
  ).toBe(0);
  // What is skipped had no attempt, and does not wait for one.
  expect(
    await count(`webhooks.attempts as skipped where skipped.attempt = 0 and (
      exists (select from webhooks.attempts as made where made.delivery_id = skipped.delivery_id and made.attempt > 0)
      or exists (select from webhooks.deliveries as waiting where waiting.id = skipped.delivery_id))`),
  ).toBe(0);
}, 300_000);

test("a retry that waits for another one counts the attempt that followed the other", async () => {
  const hook = await stage.hook();
  await hook.emit();
  await queue.store.recordAttempts((await queue.claim()).map((leased) => outcome(leased)));
  const [{ delivery_id: id = "" } = {}] = await hook.attempts();
  const context = [stage.owner, hook.organization.id, "test"] as const;
  const retry = (client: PoolClient) => client.query("select webhooks.retry_deliveries(array[$1::uuid])", [id]);
  let later: Promise<unknown> | null = null;
  await inContext(...context, async (client) => {
    await retry(client);
    later = inContext(...context, retry);
    await expect.poll(() => count(WAITS)).toBe(1);
    // The same transaction takes the delivery away, so that the later retry finds none when its wait ends.
    await client.query(
      `with settled as (delete from webhooks.deliveries where id = $1 returning *)
       insert into webhooks.attempts (tenant_id, id, environment, endpoint_id, delivery_id, event_id, event_type, attempt,
         automatic_attempts, trigger, status, url, requested_at, duration_ms, response_status, truncated)
       select tenant_id, platform.uuidv7(), environment, endpoint_id, id, event_id, event_type, attempts + 1,
         automatic_attempts, trigger, 'SUCCEEDED', 'https://example.com/', clock_timestamp(), 1, 200, false from settled`,
      [id],
    );
  });
  await later;
  expect(await hook.queue()).toMatchObject([{ id, attempts: 2 }]);
});
