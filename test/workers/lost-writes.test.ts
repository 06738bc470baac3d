// A worker that cannot write how several of its jobs ended: graphile-worker ends then, and may wait for ever for writes that have failed.
import { Logger } from "graphile-worker";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Jobs } from "../../src/postgres/jobs.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { JobRunner } from "../../workers/job-runner.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let runner: JobRunner;
const admin = (text: string) => database.admin.query(text);
const numberOf = async (text: string) => Number((await admin(`select (${text}) as value`)).rows[0].value);

/** Two writes are lost while a third job runs, whose end then is written. Jobs that run again end at once. */
beforeEach(async () => {
  database = await createTestDatabase();
  const connection = { url: database.workerUrl, role: "selo_worker" as const, applicationName: "test" };
  pool = createPool({ ...connection, statementTimeoutMs: 10_000 }, 8, () => {});
  await admin(
    `create sequence public.lost;
     create function public.lose() returns trigger language plpgsql security definer as $$
     begin
       perform nextval('public.lost');
       raise exception 'lost';
     end $$;
     create trigger lose before delete on graphile_worker._private_jobs for each row execute function public.lose()`,
  );
  const jobs = ["first", "second", "third"] as const;
  const ends = { first: Promise.withResolvers(), second: Promise.withResolvers(), third: Promise.withResolvers() };
  const running = new Set<string>();
  const taskOf = (name: keyof typeof ends) => async () => {
    running.add(name);
    await ends[name].promise;
    if (name === "third") throw new Error("as a job may");
  };
  runner = await JobRunner.start({
    jobs: new Jobs(pool),
    log: pino({ level: "silent" }),
    lastWritesMs: 100,
    runner: {
      pgPool: pool,
      schema: "graphile_worker",
      concurrency: jobs.length,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      parsedCronItems: [],
      taskList: Object.fromEntries(jobs.map((name) => [name, taskOf(name)])),
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
  });
  for (const name of jobs) await admin(`select graphile_worker.add_job('${name}', max_attempts => 2)`);
  await expect.poll(() => running.size).toBe(jobs.length);
  const lost = "select case when is_called then last_value else 0 end from public.lost";
  for (const [before, name] of (["first", "second"] as const).entries()) {
    ends[name].resolve(null);
    await expect.poll(() => numberOf(lost)).toBe(before + 1);
  }
  ends.third.resolve(null);
});
afterEach(async () => {
  await runner.stop();
  await pool.end();
  await database.drop();
});

test("begins anew, and runs those jobs again", async () => {
  await admin("drop trigger lose on graphile_worker._private_jobs");
  const left = "select count(*) from graphile_worker._private_jobs where last_error is null";
  await expect.poll(() => numberOf(left)).toBe(0);
});

test("stops, and leaves those jobs to others", async () => {
  await runner.stop();
  expect(await numberOf("select count(*) from graphile_worker._private_jobs where locked_by is not null")).toBe(2);
  // Its sign of life stays, so that others find it silent.
  expect(await numberOf("select count(*) from platform.workers")).toBe(1);
});
