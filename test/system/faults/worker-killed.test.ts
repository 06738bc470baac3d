// kill -9 of a worker that has a job: another worker takes the job soon, and the job of a worker that lives is left alone.
import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Deployment, deploy } from "./deployment.ts";

/** By default of jobs.note_worker(). */
const SILENT_MS = 15_000;
/** So much of it passes at once. */
const PASSED_MS = 9_000;

let deployment: Deployment;
/** Accepts connections and says nothing: a flush there lasts for two seconds, and its job fails. */
let silent: net.Server;
beforeAll(async () => {
  silent = net.createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
  deployment = await deploy();
}, 120_000);
afterAll(async () => {
  await deployment?.stop();
  silent?.close();
});

const rows = async (text: string, values: unknown[] = []) => (await deployment.admin.query(text, values)).rows;
const jobOf = (zone: string) =>
  rows("select locked_by, attempts from graphile_worker._private_jobs where payload ->> 'zone' = $1", [zone]);

test("kill -9 of a worker that has a job: after fifteen seconds another one takes the job, and only that", async () => {
  const killed = await deployment.startWorker({
    NAMESERVER_CONTROL_URLS: `http://127.0.0.1:${(silent.address() as net.AddressInfo).port}`,
    NAMESERVER_CONTROL_KEY: "k".repeat(32),
  });
  await rows("select graphile_worker.add_job('dns__flush_zone', '{\"zone\": \"killed.test\"}')");
  await expect
    .poll(async () => (await jobOf("killed.test"))[0]?.locked_by, { timeout: 20_000, interval: 10 })
    .toBeTruthy();
  killed.child.kill("SIGKILL");
  await killed.finished;
  const [held] = await jobOf("killed.test");
  expect(held).toEqual({ locked_by: expect.stringMatching(/^pool-/), attempts: 1 });

  // One that lives, and a job that it has as if it took long. Its sign of life says so.
  const living = await deployment.startWorker();
  await expect.poll(async () => (await rows("select id from platform.workers")).length, { timeout: 20_000 }).toBe(2);
  await rows(
    `select graphile_worker.add_job('dns__flush_zone', '{"zone": "living.test"}', run_at => now() + interval '1 hour')`,
  );
  await rows(
    `update graphile_worker._private_jobs set locked_at = now(), attempts = 1, locked_by = (select id from platform.workers where id <> $1)
     where payload ->> 'zone' = 'living.test'`,
    [held?.locked_by],
  );
  // As if the dead one were silent for longer, and the other one were there for longer.
  const passed = [PASSED_MS, held?.locked_by];
  await rows("update platform.workers set since = since - $1 * interval '1 ms' where id <> $2", passed);
  const [dead] = await rows(
    "update platform.workers set since = since - $1 * interval '1 ms', seen_at = seen_at - $1 * interval '1 ms' where id = $2 returning seen_at",
    passed,
  );
  // The other worker knows no nameserver, so its job ends at once.
  await expect.poll(() => jobOf("killed.test"), { timeout: 60_000, interval: 100 }).toEqual([]);
  expect(Date.now() - Number(dead?.seen_at)).toBeGreaterThanOrEqual(SILENT_MS);
  expect(await jobOf("living.test")).toEqual([{ locked_by: expect.stringMatching(/^pool-/), attempts: 1 }]);
  expect(await rows("select id from platform.workers where id = $1", [held?.locked_by])).toEqual([]);

  // One that stops says so itself.
  living.child.kill("SIGTERM");
  await living.finished;
  expect(await rows("select from platform.workers")).toEqual([]);
}, 120_000);
