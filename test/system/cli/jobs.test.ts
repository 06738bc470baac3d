// `selo jobs list | failed | retry` over jobs that really failed.
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { services } from "../../../src/services/services.ts";
import { type RunningWorker, startWorker } from "../../../workers/main.ts";
import { command, commandJson } from "../../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { breakSealing, NEVER } from "../../support/failing-seal.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { masterKeys } from "../../support/master-keys.ts";

let database: TestDatabase;
let worker: RunningWorker;
let environment: Record<string, string>;
let mend: () => Promise<void>;
beforeAll(async () => {
  database = await createTestDatabase();
  environment = { DATABASE_URL: database.appUrl, DATABASE_ADMIN_URL: database.adminUrl };
  mend = await breakSealing(database);
  worker = await startWorker({
    services,
    config: readConfig({ ...environment, AUDIT_SEAL_SCHEDULE: NEVER, SELO_MASTER_KEY: TEST_MASTER_KEY }),
    databaseUrl: database.workerUrl,
    masterKeys,
    log: pino({ level: "silent" }),
  });
});
afterAll(async () => {
  await worker.stop();
  await database.drop();
});
// Whatever else the schedule brought.
beforeEach(async () => {
  await database.admin.query("delete from graphile_worker._private_jobs where locked_at is null");
});

interface FailedJob {
  readonly id: number;
  readonly task: string;
  readonly attempts: number;
  readonly error: string;
  readonly created_at: string;
  readonly failed_at: string;
}

const failed = async () =>
  (await commandJson<FailedJob[]>(["jobs", "failed"], environment)).filter(
    ({ task }) => task === "platform__seal_audit",
  );

/** Adds jobs whose only attempt fails, and waits until it has. */
async function failingJobs(count: number): Promise<number[]> {
  const { rows } = await database.admin.query<{ id: number }>(
    `select (graphile_worker.add_job('platform__seal_audit', '{"secret": "quiet payload"}', max_attempts => 1)).id::int as id
     from generate_series(1, $1)`,
    [count],
  );
  const open =
    "select from graphile_worker.jobs where task_identifier = 'platform__seal_audit' and (attempts = 0 or locked_at is not null)";
  await expect.poll(async () => (await database.admin.query(open)).rowCount).toBe(0);
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

const events = async () => {
  const { rows } = await database.admin.query<{ action: string; details: { job: number; task: string } }>(
    "select action, details::json as details from platform.audit_events where action = 'job.retried' order by seq",
  );
  return rows.map(({ details }) => details.job);
};

test("failed lists jobs whose attempts are used up, with the error on one line and never the payload", async () => {
  const [id] = await failingJobs(1);
  const jobs = await failed();
  expect(jobs).toEqual([
    {
      id,
      task: "platform__seal_audit",
      attempts: 1,
      error: "no answer from quiet@example.org for now",
      created_at: expect.stringMatching(/Z$/),
      failed_at: expect.stringMatching(/Z$/),
    },
  ]);
  const asText = await command(["jobs", "failed"], environment);
  expect(asText.code).toBe(0);
  expect(asText.stdout).toMatch(new RegExp(`^ *${id}  platform__seal_audit +1  \\S+Z  no answer from`, "m"));
  for (const output of [JSON.stringify(jobs), asText.stdout]) expect(output).not.toMatch(/quiet payload|quiet detail/);
});

test("list counts jobs by task and state", async () => {
  await failingJobs(2);
  await database.admin.query("select graphile_worker.add_job('test__nobody')");
  await database.admin.query(
    "select graphile_worker.add_job('platform__seal_audit', run_at => now() + interval '1 day')",
  );
  const states = await commandJson<{ task: string }[]>(["jobs", "list"], environment);
  const of = (name: string) => states.find(({ task }) => task === name);
  expect(of("platform__seal_audit")).toMatchObject({ waiting: 0, scheduled: 1, running: 0, failed: 2 });
  expect(of("test__nobody")).toMatchObject({ waiting: 1, scheduled: 0, running: 0, failed: 0 });
  const asText = await command(["jobs", "list"], environment);
  expect(asText.stdout).toMatch(/^platform__seal_audit +0 +1 +0 +2$/m);
});

test("an id that is not of a failed job is refused, changes nothing and is no event, whatever stands beside it", async () => {
  const [id = 0] = await failingJobs(1);
  const { rows } = await database.admin.query<{ id: number }>(
    "select (graphile_worker.add_job('test__nobody')).id::int as id",
  );
  const before = await events();
  for (const other of [rows[0]?.id ?? 0, 999_999_999]) {
    const refused = await command(["jobs", "retry", String(id), String(other)], environment);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(new RegExp(`^not_found: .*\\b${other}\\b.*\\n$`));
  }
  expect((await failed()).map((job) => job.id)).toEqual([id]);
  expect(await events()).toEqual(before);
});

test.each([[[]], [["7", "--all"]], [["seven"]], [["-1"]], [["1.5"]]])("retry %j is refused", async (args) => {
  const refused = await command(["jobs", "retry", ...args], environment);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^error: /);
});

test("retry gives a job its attempts again, which the worker uses; who asked for it is an event", async () => {
  const ids = await failingJobs(2);
  const [first = 0, second = 0] = ids;
  const before = await events();
  await mend();
  expect(await commandJson(["jobs", "retry", String(first)], environment)).toEqual([
    { id: first, task: "platform__seal_audit" },
  ]);
  await expect
    .poll(
      async () => (await database.admin.query("select from graphile_worker.jobs where id = $1", [first])).rowCount,
      {
        timeout: 30_000,
      },
    )
    .toBe(0);
  expect((await database.admin.query("select from platform.audit_seals")).rowCount).toBe(1);
  expect((await failed()).map(({ id }) => id)).toEqual([second]);
  expect(await events()).toEqual([...before, first]);

  const all = await commandJson<{ id: number }[]>(["jobs", "retry", "--all"], environment);
  expect(all.map(({ id }) => id)).toContain(second);
  await expect.poll(async () => (await failed()).length).toBe(0);
  await expect.poll(async () => (await database.admin.query("select from platform.audit_seals")).rowCount).toBe(2);
  expect(await events()).toEqual([...before, first, ...all.map(({ id }) => id)]);
  expect(await commandJson(["jobs", "retry", "--all"], environment)).toEqual([]);
  expect((await command(["jobs", "failed"], environment)).stdout).toBe("no failed jobs\n");
});
