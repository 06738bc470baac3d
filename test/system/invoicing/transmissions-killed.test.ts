// Workers that are killed and Postgres that is cut while invoices are transmitted: each becomes one NFS-e. And no secret of an issuer is left anywhere.
import fs from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { backUp, backupFolder } from "../../support/backup-folder.ts";
import { byLane } from "../../support/lane.ts";
import { InvoiceFaults } from "./invoice-faults.ts";

const KILLS = byLane({ lane: 20, full: 200 });
const MOST_TEST_MS = 30_000 * KILLS;
const WORKERS = 2;
/** Invoices that wait at any time, so that each worker has something to do. */
const WAITING = 16;
/** A worker is killed when so many requests have come since it runs, and so many milliseconds later, at most. */
const MOST = { requests: 20, milliseconds: 30 };

let stage: InvoiceFaults;
beforeAll(async () => {
  stage = await InvoiceFaults.open();
  await keepJobs();
}, 120_000);
afterAll(() => stage?.close());

/** What requests meet, the same for the same seed. Most are answered, some late. */
const incidents = (seed: number) =>
  fc.sample(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ kind: fc.constant("delay" as const), ms: fc.integer({ min: 0, max: 120 }) }),
      },
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          ...(["drop_before", "drop_after", "drop_halfway", "error_after", "garbage"] as const).map((kind) => ({
            kind,
          })),
        ),
      },
    ),
    { seed, numRuns: 500 },
  );

/** Asks for invoices and cancellations for as long as others do something. */
async function busyWhile(work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      await stage.emit(Math.max(0, WAITING - (await stage.waiting())));
      await stage.cancelSome();
      await pause(10);
    }
  })();
  await Promise.all([
    asking,
    work().finally(() => {
      isOver = true;
    }),
  ]);
}

test(
  `kill -9 of workers at ${KILLS} random instants: each invoice becomes one NFS-e, and each cancellation is made once`,
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const [requests, milliseconds] = [fc.integer({ min: 1, max: MOST.requests }), fc.nat(MOST.milliseconds)];
    const instants = fc.sample(fc.record({ requests, milliseconds }), { seed, numRuns: KILLS });
    const first = [...(await stage.runningWorkers(WORKERS))];
    await stage.emit(WORKERS * 3); // two of them are canceled while workers are killed
    await stage.settled();
    await stage.beginKilling();
    let held = 0;
    await busyWhile(async () => {
      const killInTurn = async () => {
        for (let instant = instants.pop(); instant !== undefined; instant = instants.pop()) {
          const { child, finished } = first.pop() ?? (await stage.startWorker());
          stage.simulator.setScenario({
            next: incidents(seed + instants.length).map((step) => ({ ...step, on: "any" })),
          });
          const end = stage.simulator.requests().length + instant.requests;
          await expect
            .poll(() => stage.simulator.requests().length, { timeout: 60_000, interval: 5 })
            .toBeGreaterThanOrEqual(end);
          await pause(instant.milliseconds);
          child.kill("SIGKILL");
          await finished;
          held += await stage.leased();
        }
      };
      await Promise.all(Array.from({ length: WORKERS }, killInTurn));
    });
    await stage.runningWorkers(WORKERS);
    await stage.settled();
    console.log(
      `${KILLS} kills (seed ${seed}): ${stage.emitted.length} invoices, ${stage.toCancel.size} canceled, ${held} attempts were under way`,
    );
    expect(held).toBeGreaterThan(0); // the test would show nothing otherwise
    expect(stage.toCancel.size).toBeGreaterThan(0);
    await stage.expectOneEach();
  },
  MOST_TEST_MS,
);

test("Postgres is cut while invoices and cancellations are under way: its workers go on, and each becomes one NFS-e", async () => {
  const workers = await stage.runningWorkers(WORKERS);
  await stage.emit(WORKERS * 3);
  await stage.settled();
  await stage.beginKilling();
  const canceled = stage.toCancel.size;
  stage.simulator.setScenario({ next: Array.from({ length: 100 }, () => ({ kind: "delay", ms: 300, on: "any" })) });
  const before = stage.simulator.requests().length;
  await stage.cancelSome();
  expect(stage.toCancel.size).toBeGreaterThan(canceled);
  await stage.emit(WAITING);
  await expect.poll(() => stage.simulator.requests().length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before);
  expect(await stage.leased()).toBeGreaterThan(0);
  await stage.deployment.cutPostgres();
  await stage.deployment.startPostgres();
  await stage.settled();
  expect(workers.map(({ child }) => child.exitCode)).toEqual(workers.map(() => null));
  await stage.expectOneEach();
}, 240_000);

/** Keeps what jobs are told: those that are done are gone. */
async function keepJobs(): Promise<void> {
  await stage.deployment.admin.query(`
    create table public.told_jobs (job text not null);
    create function public.keep_job() returns trigger language plpgsql security definer set search_path = '' as $$
      begin
        insert into public.told_jobs values (new::text);
        return new;
      end
    $$;
    create trigger keep_job after insert or update on graphile_worker._private_jobs for each row execute function public.keep_job();`);
}

test("neither password nor key of a certificate stands in a log, in a job or in a backup", async () => {
  const { admin } = stage.deployment;
  const logs = stage.programs.map(({ output }) => output.stdout + output.stderr).join("\n");
  const { rows } = await admin.query<{ job: string }>("select job from public.told_jobs");
  const folder = backupFolder();
  onTestFinished(() => folder.remove());
  const file = folder.file("invoices.backup");
  await backUp({ adminUrl: String(admin.options.connectionString) }, file);
  const backup = gunzipSync(fs.readFileSync(file));
  const places = { logs: Buffer.from(logs), jobs: Buffer.from(rows.map(({ job }) => job).join("\n")), backup };
  // Each place has what it would hold them beside.
  const [invoice = ""] = stage.emitted;
  expect(places.logs.includes("/api/v1/issuers/")).toBe(true);
  expect(places.backup.includes(invoice)).toBe(true);
  const { texts, bytes } = stage.secrets;
  for (const [place, content] of Object.entries(places))
    for (const secret of [...texts, ...bytes])
      expect([place, secret, content.includes(secret)]).toEqual([place, secret, false]);
}, 120_000);
