// What the worker tells of its jobs: lines that name job and request, alarms, metrics; and nothing of what jobs carry.
import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import type { Logger } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/main/config.ts";
import { createLogger } from "../../src/main/log.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { services } from "../../src/services/services.ts";
import { Metrics } from "../../src/surfaces/metrics/metrics.ts";
import { type RunningWorker, startWorker } from "../../workers/main.ts";
import { watchJobs } from "../../workers/platform/watch-jobs.ts";
import { runJob } from "../../workers/run-job.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { parseExposition } from "../support/exposition.ts";
import { breakSealing, NEVER } from "../support/failing-seal.ts";
import { masterKeys } from "../support/master-keys.ts";
import { taskContext } from "../support/worker.ts";

const TENANT = "0197a0c0-0000-7000-8000-000000000000";

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
const workers: RunningWorker[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.workerUrl, role: "selo_worker", applicationName: "test" }, 2, () => {});
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await database.admin.query("delete from graphile_worker._private_jobs");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

type Line = Readonly<Record<string, unknown>>;

function collectLogs(): { readonly log: Logger; readonly lines: Line[] } {
  const lines: Line[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as Line);
      done();
    },
  });
  return { log: createLogger("trace", sink), lines };
}

async function start(log: Logger, environment: Readonly<Record<string, string>> = {}): Promise<RunningWorker> {
  const worker = await startWorker({
    services,
    config: readConfig({ DATABASE_URL: database.workerUrl, AUDIT_SEAL_SCHEDULE: NEVER, ...environment }),
    databaseUrl: database.workerUrl,
    masterKeys,
    log,
  });
  workers.push(worker);
  return worker;
}

/** Adds a job as a command of a request does. */
async function addJob(requestId: string, payload: object, maxAttempts: number): Promise<string> {
  const client = await database.admin.connect();
  try {
    await client.query("begin");
    await client.query("set local role selo_owner");
    await client.query("select platform.enter_context($1, 'test', null, null, null)", [TENANT]);
    await client.query("select platform.enter_origin($1)", [
      { request_id: requestId, address: "203.0.113.7", channel: "rest" },
    ]);
    await client.query("select platform.add_job('platform__seal_audit', $1, p_max_attempts => $2)", [
      payload,
      maxAttempts,
    ]);
    await client.query("commit");
  } finally {
    client.release();
  }
  const { rows } = await database.admin.query<{ id: string }>("select max(id)::text as id from graphile_worker.jobs");
  return rows[0]?.id ?? "";
}

describe("lines of a job", () => {
  test("name task, job, attempt and the request it came from", async () => {
    const { log, lines } = collectLogs();
    await start(log);
    const requestId = randomUUID();
    const id = await addJob(requestId, {}, 3);
    const sealed = () => lines.filter(({ msg }) => msg === "sealed the audit trail");
    await expect.poll(() => sealed().length).toBe(1);
    expect(sealed()).toMatchObject([
      { level: 30, task: "platform__seal_audit", job_id: id, attempt: 1, request_id: requestId },
    ]);
  });

  test("that fails say so with each attempt, with an alarm at the last, and hold no payload, address, detail or value", async () => {
    const { log, lines } = collectLogs();
    const mend = await breakSealing(database);
    try {
      await start(log);
      const requestId = randomUUID();
      const id = await addJob(requestId, { e_mail: "quiet-payload@example.org", label: "quiet-label" }, 2);
      const told = () => lines.filter(({ job_id }) => job_id === id);
      await expect.poll(() => told().length).toBe(1);
      // The second attempt is due in some seconds; now is as good.
      const locked = "select from graphile_worker.jobs where id = $1 and locked_at is not null";
      await expect.poll(async () => (await database.admin.query(locked, [id])).rowCount).toBe(0);
      await database.admin.query("select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now())", [id]);
      await expect.poll(() => told().length).toBe(2);
      const common = {
        task: "platform__seal_audit",
        request_id: requestId,
        reason: "no answer from … for now",
        at: expect.arrayContaining([expect.stringContaining("workers/run-job.ts")]),
      };
      expect(told()).toMatchObject([
        { ...common, level: 40, attempt: 1, msg: "an attempt of a job failed; another follows" },
        { ...common, level: 50, attempt: 2, alarm: "job_failed", msg: "a job failed for good: see selo jobs failed" },
      ]);
      expect(told()[0]).not.toHaveProperty("alarm");
      expect(JSON.stringify(lines)).not.toMatch(/quiet|example\.org|203\.0\.113|@/);
    } finally {
      await mend();
    }
  });

  test.each([
    ["no request", {}],
    ["what is no id", { request_id: "quiet words of somebody" }],
    ["another type", { request_id: { quiet: 1 } }],
    ["an array", [1]],
  ])("name no request when the payload has %s", async (_, payload) => {
    const { log, lines } = collectLogs();
    const job = { id: "7", task_identifier: "test__any", attempts: 1, max_attempts: 1, payload };
    const context = taskContext(pool, masterKeys, log);
    await runJob(async (_payload, { log }) => log.info("done"), job, context, new Metrics());
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ task: "test__any", job_id: "7", attempt: 1, msg: "done" });
    expect(lines[0]).not.toHaveProperty("request_id");
    expect(JSON.stringify(lines)).not.toContain("quiet");
  });

  test("what is thrown and is no error fails the job all the same", async () => {
    const { log, lines } = collectLogs();
    const job = { id: "7", task_identifier: "test__any", attempts: 1, max_attempts: 1, payload: {} };
    const context = taskContext(pool, masterKeys, log);
    const task = async () => {
      throw "only words";
    };
    await expect(runJob(task, job, context, new Metrics())).rejects.toBe("only words");
    expect(lines).toMatchObject([{ level: 50, alarm: "job_failed", reason: "only words" }]);
  });
});

describe("platform__watch_jobs", () => {
  const watch = async () => {
    const { log, lines } = collectLogs();
    await watchJobs({}, taskContext(pool, masterKeys, log));
    return lines;
  };

  test("sounds the alarm for each task as long as there are jobs whose attempts are used up, and is silent otherwise", async () => {
    const { admin } = database;
    await admin.query("select graphile_worker.add_job('test__one', max_attempts => 1) from generate_series(1, 2)");
    await admin.query("select graphile_worker.add_job('test__two', max_attempts => 2) from generate_series(1, 2)");
    expect(await watch()).toEqual([]);
    await admin.query("update graphile_worker._private_jobs set attempts = 1");
    const one = { level: 50, alarm: "jobs_failed", failed_task: "test__one", failed: 2 };
    expect(await watch()).toMatchObject([one]);
    await admin.query("update graphile_worker._private_jobs set attempts = 2 where max_attempts = 2");
    expect(await watch()).toMatchObject([one, { failed_task: "test__two", failed: 2 }]);
    expect(await watch()).toHaveLength(2);
    await admin.query("select platform.retry_jobs()");
    expect(await watch()).toEqual([]);
  });
});

describe("METRICS_PORT of a worker", () => {
  test("has /metrics, with attempts by outcome and the last success, and /healthz; nothing listens without it", async () => {
    const { log } = collectLogs();
    expect((await start(log)).metricsPort).toBeNull();
    await workers.splice(0)[0]?.stop();
    const worker = await start(log, { METRICS_PORT: "0" });
    const own = `http://127.0.0.1:${worker.metricsPort}`;
    const scrape = async () => parseExposition(await (await fetch(`${own}/metrics`)).text());
    const attempts = async (outcome: string) =>
      (await scrape()).value("selo_job_duration_seconds_count", { task: "platform__seal_audit", outcome });
    await addJob(randomUUID(), {}, 1);
    await expect.poll(() => attempts("succeeded")).toBe(1);
    const mend = await breakSealing(database);
    try {
      await addJob(randomUUID(), {}, 1);
      await addJob(randomUUID(), {}, 5);
      await expect.poll(() => attempts("failed_for_good")).toBe(1);
      await expect.poll(() => attempts("failed")).toBe(1);
    } finally {
      await mend();
    }
    expect(await attempts("succeeded")).toBe(1);
    const now = await scrape();
    const success = now.value("selo_job_last_success_timestamp_seconds", { task: "platform__seal_audit" });
    expect(Math.abs(success - Date.now() / 1_000)).toBeLessThan(600);
    expect(now.value("selo_database_connections", { pool: "worker" })).toBeGreaterThan(0);
    expect(now.value("selo_database_up")).toBe(1);
    expect(now.has("nodejs_eventloop_lag_seconds")).toBe(true);
    await expect
      .poll(async () => (await scrape()).value("selo_jobs", { task: "platform__seal_audit", state: "failed" }), {
        timeout: 30_000,
      })
      .toBe(1);
    expect(await (await fetch(`${own}/healthz`)).json()).toEqual({ status: "ok" });
    await worker.stop();
    workers.length = 0;
    await expect(fetch(`${own}/healthz`)).rejects.toThrow();
  });
});
