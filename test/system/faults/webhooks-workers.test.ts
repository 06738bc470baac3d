// Workers that die, are stopped, are slow or have a wrong clock: what was lost, and what was doubled.
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SeloProcess } from "../../support/selo-process.ts";
import { FaultStage, killed } from "./webhooks.ts";

const WEBHOOKS = 3;
/** In flight at most: 10 of each webhook and worker. */
const IN_FLIGHT = 10 * WEBHOOKS;
const LEASE_SECONDS = 60;
const MOST_ROUNDS = 5;

let stage: FaultStage;
beforeAll(async () => {
  stage = await FaultStage.open(WEBHOOKS);
});
afterAll(() => stage?.close());

const workers: SeloProcess[] = [];
async function startWorker(environment?: Readonly<Record<string, string>>): Promise<SeloProcess> {
  const worker = await stage.deployment.startWorker(environment);
  workers.push(worker);
  return worker;
}
afterEach(async () => {
  for (const worker of workers.splice(0)) await killed(worker);
  await stage.clear();
});

const held = (count: number) => expect.poll(() => stage.heldCount, { timeout: 30_000, interval: 20 }).toBe(count);

/** A worker with all its places taken by attempts that are not answered, after it has found its webhooks to be quick. */
async function workerInFlight(): Promise<SeloProcess> {
  const worker = await startWorker();
  await stage.emit(50);
  await stage.settled(20_000);
  stage.hold();
  await stage.emit(150);
  await held(IN_FLIGHT);
  return worker;
}

test("kill -9 of a worker amid its POSTs: nothing is lost, at most what was in flight is doubled, others take over when its lease is over", async () => {
  const worker = await workerInFlight();
  stage.holding.clear(); // what is held stays so
  const leases = await stage.leases();
  expect(leases.length).toBeGreaterThanOrEqual(IN_FLIGHT);
  expect(Math.round(Math.min(...leases.map(({ seconds }) => seconds)))).toBe(LEASE_SECONDS);
  const other = await startWorker();
  await killed(worker);
  await stage.emit(50);
  const end = await stage.age(leases);
  await stage.settled(60_000);
  const tally = await stage.tally();
  console.log(`kill -9 of a worker: all delivered, ${JSON.stringify(tally)}`);
  for (const repeated of stage.repeated()) expect(repeated.at).toBeGreaterThanOrEqual(Number(end));
  expect(tally).toMatchObject({ events: 250, lost: 0, invented: 0 });
  expect(tally.doubled).toBeLessThanOrEqual(IN_FLIGHT);
  expect(tally.doubled).toBeGreaterThan(0); // the test would show nothing otherwise
  await stage.expectEachSucceededOnce();
  expect(other.child.exitCode).toBeNull();
}, 180_000);

test("a stop waits for what is in flight, records it, gives back what was leased ahead, and begins nothing: no POST is doubled, none waits for a lease", async () => {
  const worker = await workerInFlight();
  const ahead = async () => (await stage.queue()).leased - IN_FLIGHT;
  // A worker leases ahead for a second, and only while its webhooks are quick: on a busy machine it may not, and then only the rest is shown.
  let events = 200;
  for (let round = 1; round < MOST_ROUNDS && (await ahead()) === 0; round++, events += 150) {
    stage.release();
    await stage.settled(60_000);
    stage.hold();
    await stage.emit(150);
    await held(IN_FLIGHT);
  }
  console.log(`a stop gives back ${await ahead()} deliveries leased ahead`);
  const begun = stage.receiver.received.length;
  worker.child.kill("SIGTERM");
  await expect.poll(async () => (await stage.queue()).leased, { timeout: 30_000 }).toBe(IN_FLIGHT);
  stage.release();
  const { code } = await worker.finished;
  expect(code).toBe(0);
  expect(stage.receiver.received).toHaveLength(begun);
  expect(await stage.queue()).toEqual({ waiting: 150 * WEBHOOKS - IN_FLIGHT, leased: 0 });
  await startWorker();
  await stage.settled(60_000);
  expect(await stage.tally()).toEqual({ events, lost: 0, doubled: 0, invented: 0 });
  await stage.expectEachSucceededOnce();
}, 240_000);

test("a lease that ended while its worker was still at it: another attempt is made, and the result of the first is refused", async () => {
  await startWorker();
  stage.hold();
  await stage.emit(2);
  await held(2 * WEBHOOKS);
  const late = [...stage.held.values()].flatMap((responses) => responses.splice(0));
  stage.holding.clear();
  await stage.deployment.admin.query(
    "update webhooks.deliveries set leased_until = clock_timestamp() - interval '1 ms'",
  );
  await startWorker();
  await stage.settled(20_000);
  const before = await stage.attempts();
  for (const response of late) response.writeHead(410).end();
  // Whatever is recorded after them: they were.
  await stage.emit(1);
  await stage.settled(20_000);
  const attempts = await stage.attempts();
  expect(attempts.slice(0, before.length)).toEqual(before);
  expect(attempts.map(({ status }) => status)).toEqual(Array(3 * WEBHOOKS).fill("SUCCEEDED"));
  const { rows } = await stage.deployment.admin.query(
    "select distinct status, consecutive_failures from webhooks.endpoints",
  );
  expect(rows).toEqual([{ status: "ACTIVE", consecutive_failures: 0 }]);
  expect(await stage.tally()).toEqual({ events: 3, lost: 0, doubled: 2 * WEBHOOKS, invented: 0 });
  await stage.expectEachSucceededOnce();
}, 120_000);

test("a worker that hangs past its lease takes up nothing it has leased, and its results are refused", async () => {
  const worker = await workerInFlight();
  worker.child.kill("SIGSTOP");
  const late = [...stage.held.values()].flatMap((responses) => responses.splice(0));
  stage.holding.clear();
  await stage.deployment.admin.query(
    "update webhooks.deliveries set leased_until = clock_timestamp() - interval '1 ms' where leased_until is not null",
  );
  await startWorker();
  await stage.settled(30_000);
  for (const response of late) response.writeHead(500).end();
  worker.child.kill("SIGCONT");
  worker.child.kill("SIGTERM");
  await worker.finished;
  const tally = await stage.tally();
  expect(tally).toMatchObject({ events: 200, lost: 0, invented: 0 });
  expect((await stage.attempts()).filter(({ status }) => status !== "SUCCEEDED")).toEqual([]);
  await stage.expectEachSucceededOnce();
}, 120_000);

test.each([10, -10])(
  "a worker whose clock is off by %i minutes: timestamps and retries are by the database's clock, and leases are kept",
  async (minutes) => {
    const preload = path.join(import.meta.dirname, "shifted-clock.mjs");
    const wrong = { NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_MS: String(minutes * 60_000) };
    await startWorker(wrong);
    await stage.emit(20);
    await stage.settled(20_000);
    for (const { headers, at } of stage.receiver.received) {
      expect(Math.abs(Number(headers["x-webhook-timestamp"]) - at / 1_000)).toBeLessThan(5);
    }
    for (const { requested_at } of await stage.attempts()) {
      expect(Math.abs(Number(requested_at) - Date.now())).toBeLessThan(30_000);
    }
    // No other worker takes the open attempts of this one. An attempt ends after 15 s: on a busy machine, some attempts end meanwhile and are repeated.
    stage.hold();
    await stage.emit(5);
    await held(5 * WEBHOOKS);
    await startWorker();
    stage.holding.clear();
    await stage.emit(20);
    await expect.poll(async () => (await stage.tally()).lost, { timeout: 60_000 }).toBe(0);
    const timedOut = async () => (await stage.attempts()).filter(({ error_code }) => error_code === "timeout").length;
    expect(stage.repeated().length).toBeLessThanOrEqual(await timedOut());
    const date = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 600_000);
    for (const response of [...stage.held.values()].flatMap((responses) => responses.splice(0))) {
      response.writeHead(503, { "retry-after": date.toUTCString() }).end();
    }
    await expect.poll(async () => (await stage.queue()).leased, { timeout: 60_000 }).toBe(0);
    const failed = (await stage.attempts()).filter(({ response_status }) => response_status === 503);
    expect(failed.length + (await timedOut())).toBe(5 * WEBHOOKS);
    for (const { next_attempt_at } of failed) {
      expect(Number(next_attempt_at)).toBeGreaterThanOrEqual(Number(date));
      expect(Number(next_attempt_at)).toBeLessThan(Number(date) + 30_000);
    }
    const { doubled, ...tally } = await stage.tally();
    expect(tally).toEqual({ events: 45, lost: 0, invented: 0 });
    expect(doubled).toBeLessThanOrEqual(await timedOut());
  },
  120_000,
);
