// Which workers are taken for gone: jobs.note_worker; and whose jobs become free.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createLogger } from "../../src/main/log.ts";
import { Jobs } from "../../src/postgres/jobs.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { SignsOfLife } from "../../workers/signs-of-life.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const GONE_SECONDS = 15;
const GAP_SECONDS = 7.5;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => void (await database.admin.query("delete from platform.workers")));

/** A worker that lives for so long without a gap, and gave its last sign so long ago. */
const worker = (id: string, sinceSeconds: number, seenSeconds: number) =>
  database.admin.query(
    "insert into platform.workers (id, since, seen_at) values ($1, now() - $2 * interval '1 second', now() - $3 * interval '1 second')",
    [id, sinceSeconds, seenSeconds],
  );
const sign = async (id: string): Promise<readonly string[]> =>
  (await database.admin.query("select jobs.note_worker($1) as gone", [id])).rows[0].gone;

test(`one that gave no sign for ${GONE_SECONDS} seconds is gone, and one that gave a sign just before is not`, async () => {
  await worker("us", 100, 2);
  await worker("over", 100, GONE_SECONDS + 1);
  await worker("under", 100, GONE_SECONDS - 1);
  expect(await sign("us")).toEqual(["over"]);
  // Until somebody has given its jobs to others.
  expect(await sign("us")).toEqual(["over"]);
  await database.admin.query("select jobs.forget_workers('{over}')");
  expect(await sign("us")).toEqual([]);
});

test("a worker that has just begun takes nobody for gone, and one that has signed for long enough does", async () => {
  await worker("over", 100, 50);
  expect(await sign("us")).toEqual([]);
  await database.admin.query("update platform.workers set since = since - interval '14 seconds' where id = 'us'");
  expect(await sign("us")).toEqual([]);
  await database.admin.query("update platform.workers set since = since - interval '1 second' where id = 'us'");
  expect(await sign("us")).toEqual(["over"]);
});

test("after an outage of Postgres the first worker that is back takes nobody for gone", async () => {
  await worker("us", 100, 35);
  await worker("other", 100, 40);
  expect(await sign("us")).toEqual([]);
  expect(await sign("other")).toEqual([]);
  expect(await sign("us")).toEqual([]);
});

test(`a gap of up to ${GAP_SECONDS} seconds is none`, async () => {
  await worker("over", 100, 50);
  await worker("us", 100, GAP_SECONDS - 1);
  expect(await sign("us")).toEqual(["over"]);
  await worker("late", 100, GAP_SECONDS + 1);
  expect(await sign("late")).toEqual([]);
});

test("jobs that a runner of this process left behind are free at the first sign of the next one; those of others are not", async () => {
  const { admin } = database;
  await worker("left", 100, 0);
  await worker("other", 100, 0);
  await admin.query(
    `select graphile_worker.add_job('signature__reverify_proofs', job_key => name) from unnest('{left,other}'::text[]) as name`,
  );
  await admin.query("update graphile_worker._private_jobs set locked_by = key, locked_at = now()");
  const pool = createPool(
    { url: database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 10_000 },
    1,
    () => {},
  );
  const signs = new SignsOfLife({ jobs: new Jobs(pool), id: "us", ended: ["left"], log: createLogger("silent") });
  const rows = async (text: string) => (await admin.query(text)).rows.map((row) => Object.values(row)[0]);
  try {
    await expect.poll(() => rows("select id from platform.workers order by id")).toEqual(["other", "us"]);
    expect(await rows("select key from graphile_worker._private_jobs where locked_at is not null")).toEqual(["other"]);
  } finally {
    await signs.stop();
    await pool.end();
  }
  expect(signs.notFreed).toEqual([]);
  expect(await rows("select id from platform.workers")).toEqual(["other"]);
});

test("names whose jobs could not be freed, because Postgres was away, are kept for the next runner", async () => {
  const pool = createPool(
    { url: database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 10_000 },
    1,
    () => {},
  );
  await pool.end();
  const signs = new SignsOfLife({ jobs: new Jobs(pool), id: "us", ended: ["left"], log: createLogger("silent") });
  await signs.leave();
  expect(signs.notFreed).toEqual(["left"]);
});
