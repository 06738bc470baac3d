// Postgres goes away amid deliveries, or what emits is undone: what was lost, and what was doubled.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { FaultStage, killed } from "./webhooks.ts";

const WEBHOOKS = 3;
const IN_FLIGHT = 10 * WEBHOOKS;

let stage: FaultStage;
beforeAll(async () => {
  stage = await FaultStage.open(WEBHOOKS);
});
afterAll(() => stage?.close());
afterEach(() => stage.clear());

/** Emits one event after the other, and goes on when Postgres is away; whether an event was committed then, its log knows. */
function emitting(): { stop(): Promise<void> } {
  let stopped = false;
  const running = (async () => {
    while (!stopped) await stage.emit(1).catch(() => pause(50));
  })();
  return {
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

async function outage(name: string, away: () => Promise<void>): Promise<void> {
  const worker = await stage.deployment.runningWorker();
  const emitter = emitting();
  try {
    await expect.poll(() => stage.receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(100 * WEBHOOKS);
    await away();
    const lost = await stage.leases();
    const back = performance.now();
    const then = stage.receiver.received.length;
    await expect
      .poll(() => stage.receiver.received.length, { timeout: 30_000, interval: 20 })
      .toBeGreaterThan(then + IN_FLIGHT);
    const resumed = performance.now() - back;
    await emitter.stop();
    // What was claimed by an answer that never came waits for its lease.
    await expect.poll(async () => (await stage.queue()).waiting, { timeout: 60_000 }).toBeLessThanOrEqual(lost.length);
    await stage.age(lost);
    await stage.settled(60_000);
    const tally = await stage.tally();
    console.log(`${name}: resumed after ${(resumed / 1_000).toFixed(1)} s, ${JSON.stringify(tally)}`);
    expect(tally).toMatchObject({ lost: 0, invented: 0 });
    expect(tally.doubled).toBeLessThanOrEqual(IN_FLIGHT);
    await stage.expectEachSucceededOnce();
    expect(worker.child.exitCode).toBeNull();
  } finally {
    await emitter.stop();
  }
}

test("Postgres is killed under load and recovers: nothing is lost, and deliveries go on", async () => {
  await outage("Postgres restarted", async () => {
    await stage.deployment.cutPostgres();
    await stage.deployment.startPostgres();
  });
}, 240_000);

test("Postgres is away for some seconds: nothing is lost, and deliveries go on when it is back", async () => {
  await outage("Postgres away for 5 s", async () => {
    await stage.deployment.cutPostgres();
    await pause(5_000); // the outage itself
    await stage.deployment.startPostgres();
  });
}, 240_000);

test("Postgres restarts while attempts are under way: their results are recorded when it is back, and none is made again", async () => {
  const worker = await stage.deployment.runningWorker();
  stage.hold();
  await stage.emit(10);
  await expect.poll(() => stage.heldCount, { timeout: 30_000 }).toBe(IN_FLIGHT);
  await stage.deployment.cutPostgres();
  stage.release();
  await stage.deployment.startPostgres();
  await stage.settled(60_000);
  expect(await stage.tally()).toEqual({ events: 10, lost: 0, doubled: 0, invented: 0 });
  await stage.expectEachSucceededOnce();
  expect(worker.child.exitCode).toBeNull();
}, 180_000);

test("whoever emits and rolls back, or breaks off, has emitted nothing; who commits beside them has", async () => {
  const worker = await stage.deployment.runningWorker();
  try {
    await stage.emit(20, "rollback");
    const client = await stage.deployment.admin.connect();
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'test', null, null, null)", [stage.organization.id]);
    await client.query("select webhooks.emit_event('message.delivered', platform.uuidv7(), '{}', clock_timestamp())");
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    client.on("error", () => {}); // cut on purpose
    await stage.deployment.admin.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    client.release(true);
    await stage.emit(5);
    await stage.settled(20_000);
    await expect.poll(() => stage.receiver.received.length).toBe(5 * WEBHOOKS);
    expect(await stage.tally()).toEqual({ events: 5, lost: 0, doubled: 0, invented: 0 });
    await stage.expectEachSucceededOnce();
  } finally {
    await killed(worker);
  }
}, 60_000);
