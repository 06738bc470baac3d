// The job process: its tasks on a real database, its crontab, and its end.

import { createHash, randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import pg from "pg";
import pino, { type Logger } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readConfig } from "../../src/main/config.ts";
import { Jobs } from "../../src/postgres/jobs.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { forgetIdempotencyKeys } from "../../src/services/platform/store.ts";
import { services } from "../../src/services/services.ts";
import { type RunningWorker, schedule, startWorker } from "../../workers/main.ts";
import { sweepIdempotencyKeys } from "../../workers/platform/sweep-idempotency-keys.ts";
import { reverifyProofs } from "../../workers/signature/reverify.ts";
import type { TaskContext, WorkerTask } from "../../workers/task.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { masterKeys } from "../support/master-keys.ts";
import { tamper as tamperWith } from "../support/tamper.ts";
import { taskContext } from "../support/worker.ts";

/** Any login of the database may say so. */
const BREAKING_MIGRATION = `select pg_notify('worker:migrate', '{"breaking": true, "migrationNumber": 999}')`;

let selo: TestGateway;
let organization: TestOrganization;
let pool: ReturnType<typeof createPool>;
beforeAll(async () => {
  selo = await startTestGateway();
  pool = createPool({ url: selo.database.workerUrl, role: "selo_worker", applicationName: "test worker" }, 3, () => {});
});
afterAll(async () => {
  await pool.end();
  await selo.stop();
});
beforeEach(async () => {
  organization = await selo.newOrganization();
});

const admin = (text: string, values: unknown[] = []) => selo.database.admin.query(text, values);

const tamper = (...statements: [string, unknown[]][]) => tamperWith(selo.database, ...statements);

interface LogLine {
  readonly level: number;
  readonly msg?: string;
  readonly alarm?: string;
  readonly failed?: number;
  readonly overdue?: number;
  readonly swept?: number;
}

function collectLogs(): { readonly log: Logger; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as LogLine);
      done();
    },
  });
  return { log: pino({ level: "trace" }, sink), lines };
}

async function run(task: WorkerTask, more: Partial<TaskContext> = {}): Promise<LogLine[]> {
  const { log, lines } = collectLogs();
  await task({}, { ...taskContext(pool, masterKeys, log), ...more });
  return lines;
}

async function register(environment: "live" | "test" = "live", members: object = {}): Promise<string> {
  const response = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${organization[environment]}`, "content-type": "application/json" },
    body: JSON.stringify({ sha256: randomBytes(32).toString("hex"), ...members }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

async function queued(id: string): Promise<{ failure: string | null } | null> {
  const { rows } = await admin("select failure from signature.unverified_proofs where proof_id = $1", [id]);
  return (rows[0] as { failure: string | null } | undefined) ?? null;
}

describe("signature__reverify_proofs", () => {
  test("takes good proofs of every environment and organization off the queue, quietly", async () => {
    const ids = [await register("live"), await register("test", { label: "ção 🏷 \u2028", file_size: 2 ** 53 - 1 })];
    organization = await selo.newOrganization();
    ids.push(await register("live"));
    for (const id of ids) expect(await queued(id)).toEqual({ failure: null });
    const lines = await run(reverifyProofs);
    for (const id of ids) expect(await queued(id)).toBeNull();
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
  });

  test("a worker that stops leaves the proofs that wait to the next run", async () => {
    const id = await register();
    expect(await run(reverifyProofs, { stopping: AbortSignal.abort() })).toEqual([]);
    expect(await queued(id)).toEqual({ failure: null });
    await run(reverifyProofs);
    expect(await queued(id)).toBeNull();
  });

  test("with nothing to do ends quietly, again and again", async () => {
    expect(await run(reverifyProofs)).toEqual([]);
    expect(await run(reverifyProofs)).toEqual([]);
  });

  const evidence = (change: string) =>
    `update signature.proofs set evidence = ${change} where id = $1 and evidence <> ${change}`;
  test.each<[string, (id: string, good: string) => [string, unknown[]][], RegExp]>([
    [
      "evidence with another label, still canonical",
      (id) => [[evidence(`replace(evidence, '"label":"Contract"', '"label":"Tontract"')`), [id]]],
      /evidence/,
    ],
    [
      "evidence with another organization, which no column holds",
      (id) => [[evidence(`replace(evidence, 'Test Organization', 'Best Organization')`), [id]]],
      /Ed25519 signature/,
    ],
    ["evidence with a space", (id) => [[evidence(`replace(evidence, '":', '": ')`), [id]]], /not canonical/],
    ["evidence that is no JSON", (id) => [[evidence(`left(evidence, -1)`), [id]]], /evidence/],
    [
      "evidence with a fraction",
      (id) => [[evidence(`replace(evidence, '"schema_version":1', '"schema_version":1.5')`), [id]]],
      /evidence/,
    ],
    [
      "the Ed25519 signature",
      (id) => [
        [
          "update signature.proofs set platform_signature = set_byte(platform_signature, 40, get_byte(platform_signature, 40) # 1) where id = $1",
          [id],
        ],
      ],
      /Ed25519 signature/,
    ],
    [
      "the ML-DSA-87 signature",
      (id) => [
        [
          "update signature.proofs set platform_signature_pq = set_byte(platform_signature_pq, 4000, get_byte(platform_signature_pq, 4000) # 1) where id = $1",
          [id],
        ],
      ],
      /ML-DSA-87 signature/,
    ],
    [
      "both signatures swapped with those of another proof",
      (id, good) => [
        [
          "update signature.proofs as bad set platform_signature = other.platform_signature, platform_signature_pq = other.platform_signature_pq from signature.proofs as other where bad.id = $1 and other.id = $2",
          [id, good],
        ],
      ],
      /Ed25519 signature/,
    ],
    [
      "the key it names",
      (id) => [["update signature.proofs set platform_key_id = 'ed25519-00000000000000000000' where id = $1", [id]]],
      /key|record/,
    ],
    [
      "a column beside the evidence",
      (id) => [["update signature.proofs set sha256 = sha256('other'::bytea) where id = $1", [id]]],
      /record/,
    ],
    [
      "the instant beside the evidence",
      (id) => [
        ["update signature.proofs set registered_at = registered_at - interval '1 microsecond' where id = $1", [id]],
      ],
      /record/,
    ],
  ])(
    "refuses a proof when somebody changed %s, says which check failed and sounds the alarm",
    async (_, changes, failure) => {
      const good = await register();
      const id = await register("live", { label: "Contract", file_size: 1 });
      await tamper(...changes(id, good));
      const lines = await run(reverifyProofs);
      expect(await queued(good)).toBeNull();
      expect((await queued(id))?.failure).toMatch(failure);
      const alarms = lines.filter(({ alarm }) => alarm === "proofs_failed_verification");
      expect(alarms).toHaveLength(1);
      expect(alarms[0]).toMatchObject({ level: 60, failed: 1 });
      // It sounds as long as the proof stands there, and is not verified away by a second run.
      const again = await run(reverifyProofs);
      expect(again.filter(({ alarm, level }) => alarm !== undefined && level === 60)).toHaveLength(1);
      expect((await queued(id))?.failure).toMatch(failure);
      await tamper(["delete from signature.unverified_proofs where proof_id = $1", [id]]);
      expect(await run(reverifyProofs)).toEqual([]);
    },
  );

  const gone = (id: string): [string, unknown[]] => ["delete from signature.proofs where id = $1", [id]];
  const forget = () => admin("delete from signature.unverified_proofs");

  test("a proof that somebody deleted is refused as gone, and sounds the alarm", async () => {
    const [id, good] = [await register(), await register()];
    await tamper(gone(id));
    const lines = await run(reverifyProofs);
    expect(await queued(good)).toBeNull();
    expect(await queued(id)).toEqual({ failure: "the proof is gone" });
    expect(lines.filter(({ alarm }) => alarm !== undefined)).toMatchObject([
      { alarm: "proofs_failed_verification", level: 60, failed: 1 },
    ]);
    await forget();
  });

  test("more deleted proofs than one turn takes do not keep the others from being verified", async () => {
    // Ids that sort before every real one: they are the first in the queue, whatever comes.
    await admin(
      `insert into signature.unverified_proofs (tenant_id, environment, proof_id)
       select $1, 'live', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, 150) as n`,
      [organization.id],
    );
    const good = [await register("live"), await register("test")];
    const lines = await run(reverifyProofs);
    for (const id of good) expect(await queued(id)).toBeNull();
    const { rows } = await admin("select failure, count(*)::int as proofs from signature.unverified_proofs group by 1");
    expect(rows).toEqual([{ failure: "the proof is gone", proofs: 150 }]);
    expect(lines.filter(({ alarm }) => alarm !== undefined)).toMatchObject([{ failed: 150 }]);
    await forget();
  });

  test("a proof that has waited for more than five minutes sounds an alarm until it is verified, a younger one none", async () => {
    const [old, young] = [await register("test"), await register("test")];
    const setAge = (id: string, age: string) =>
      tamper([
        "update signature.unverified_proofs set created_at = now() - $2::interval where proof_id = $1",
        [id, age],
      ]);
    await setAge(old, "5 minutes 2 seconds");
    await setAge(young, "4 minutes 30 seconds");
    // A worker whose verification does not get anywhere: nobody is told where proofs wait.
    const { log, lines } = collectLogs();
    const idle = new Jobs(pool);
    const query = idle.query.bind(idle);
    vi.spyOn(idle, "query").mockImplementation((text, values) =>
      String(text).includes("jobs.environments_with_unverified_proofs") ? Promise.resolve([]) : query(text, values),
    );
    await reverifyProofs({}, { ...taskContext(pool, masterKeys, log), jobs: idle });
    expect(lines).toMatchObject([{ alarm: "proofs_wait_for_verification", overdue: 1 }]);
    expect(lines[0]?.level).toBeGreaterThanOrEqual(50);
    expect(await run(reverifyProofs)).toEqual([]);
    expect([await queued(old), await queued(young)]).toEqual([null, null]);
  });

  test("refuses a proof when the registry's key was replaced under its id", async () => {
    const id = await register("test");
    const { rows } = await admin(
      "select key_id, public_key from platform.platform_keys where environment = 'test' and algorithm = 'Ed25519'",
    );
    const { key_id, public_key } = rows[0] as { key_id: string; public_key: Buffer };
    await tamper([
      "update platform.platform_keys as key set public_key = (select other.public_key from platform.platform_keys as other where other.environment = 'live' and other.algorithm = 'Ed25519') where key.key_id = $1",
      [key_id],
    ]);
    await run(reverifyProofs);
    await tamper(["update platform.platform_keys set public_key = $2 where key_id = $1", [key_id, public_key]]);
    expect((await queued(id))?.failure).toMatch(/Ed25519 signature/);
    await tamper(["delete from signature.unverified_proofs where proof_id = $1", [id]]);
  });

  test("a proof sealed with a key that has been retired since is as good as ever", async () => {
    const id = await register("test");
    const update = "update platform.platform_keys set status = $1, retired_at = $2 where environment = 'test'";
    await admin(update, ["retired", new Date()]);
    const lines = await run(reverifyProofs);
    await admin(update, ["active", null]);
    expect(await queued(id)).toBeNull();
    expect(lines).toEqual([]);
  });
});

describe("platform__sweep_idempotency_keys", () => {
  async function keepKey(age: string): Promise<string> {
    const key = `key-${randomBytes(6).toString("hex")}`;
    await admin(
      `insert into platform.idempotency_keys (tenant_id, environment, key, request_hash, status, body, created_at)
       values ($1, 'live', $2, $3, 201, '{}', now() - $4::interval)`,
      [organization.id, key, createHash("sha256").update(key).digest(), age],
    );
    return key;
  }
  const kept = async (key: string) =>
    (await admin("select from platform.idempotency_keys where key = $1", [key])).rowCount === 1;

  test("forgets keys after 7 days and not before", async () => {
    const old = [await keepKey("7 days 1 minute"), await keepKey("1000 days")];
    const young = [await keepKey("6 days 23:59"), await keepKey("0")];
    const lines = await run(sweepIdempotencyKeys);
    for (const key of old) expect(await kept(key)).toBe(false);
    for (const key of young) expect(await kept(key)).toBe(true);
    expect(lines).toMatchObject([{ swept: 2 }]);
    expect(await run(sweepIdempotencyKeys)).toEqual([]);
  });

  test("after IDEMPOTENCY_RETENTION_DAYS when that is another number", async () => {
    await selo.operator.changeSetting("idempotency_retention_days", "1");
    const old = await keepKey("25 hours");
    const young = await keepKey("23 hours");
    await run(sweepIdempotencyKeys);
    await selo.operator.changeSetting("idempotency_retention_days", "7");
    expect([await kept(old), await kept(young)]).toEqual([false, true]);
  });

  test("a forgotten key may be used for another request", async () => {
    const post = (sha256: string) =>
      fetch(`${selo.baseUrl}/api/v1/proofs`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${organization.live}`,
          "content-type": "application/json",
          "idempotency-key": "again",
        },
        body: JSON.stringify({ sha256 }),
      });
    expect((await post("d".repeat(64))).status).toBe(201);
    expect((await post("e".repeat(64))).status).toBe(409);
    await admin("update platform.idempotency_keys set created_at = now() - interval '8 days' where key = 'again'");
    await run(sweepIdempotencyKeys);
    const response = await post("e".repeat(64));
    expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([201, null]);
  });

  test("many keys are forgotten a bounded number at a time, all in one run", async () => {
    await admin(
      `insert into platform.idempotency_keys (tenant_id, environment, key, request_hash, status, body, created_at)
       select $1, 'test', 'bulk-' || n, decode(repeat('00', 32), 'hex'), 200, '{}', now() - interval '9 days'
       from generate_series(1, 25000) as n`,
      [organization.id],
    );
    expect(await forgetIdempotencyKeys(new Jobs(pool), 10)).toBe(10);
    expect(await run(sweepIdempotencyKeys)).toMatchObject([{ swept: 24_990 }]);
  });
});

describe("the schedules of services", () => {
  const items = schedule(services, readConfig({}));

  test("name tasks by their service, each under a job key of its own", () => {
    const names = services.flatMap(({ name, tasks = {} }) => Object.keys(tasks).map((verb) => `${name}__${verb}`));
    expect(items.length).toBeGreaterThan(0);
    for (const { task } of items) expect(names).toContain(task);
    for (const name of names) expect(name).toMatch(/^[a-z]+__[a-z_]+$/);
    for (const { task, options } of items) expect(options.jobKey).toBe(task);
  });

  test("runs the re-verification, the sweep of addresses and the record of faults every minute, that of keys at least daily", () => {
    const at = (task: string, time: string) =>
      items.some((item) => {
        const date = new Date(time);
        return (
          item.task === task &&
          (typeof item.match === "function"
            ? item.match({
                min: date.getUTCMinutes(),
                hour: date.getUTCHours(),
                date: date.getUTCDate(),
                month: date.getUTCMonth() + 1,
                dow: date.getUTCDay(),
              })
            : false)
        );
      });
    const minutes = Array.from({ length: 1440 }, (_, minute) =>
      new Date(Date.UTC(2026, 10, 20, 0, minute)).toISOString(),
    );
    expect(minutes.every((time) => at("signature__reverify_proofs", time))).toBe(true);
    expect(minutes.every((time) => at("platform__sweep_request_counts", time))).toBe(true);
    expect(minutes.every((time) => at("platform__watch_faults", time))).toBe(true);
    expect(minutes.some((time) => at("platform__sweep_idempotency_keys", time))).toBe(true);
  });
});

describe("platform.add_job", () => {
  /** In one transaction as the gateway's commands run: as the owner, in a tenant's context. */
  async function addJob(task: string, end: "commit" | "rollback", payload: object = { what: 1 }): Promise<void> {
    const client = await selo.database.admin.connect();
    try {
      await client.query("begin");
      await client.query("set local role selo_owner");
      await client.query("select set_config('app.tenant_id', $1, true), set_config('app.environment', 'test', true)", [
        organization.id,
      ]);
      await client.query("select platform.add_job($1, $2, now() + interval '1 hour')", [task, payload]);
      await client.query(end);
    } finally {
      client.release();
    }
  }
  const jobs = async (task: string) => {
    const { rows } = await admin(
      `select job.payload from graphile_worker._private_jobs as job
       join graphile_worker._private_tasks as task on task.id = job.task_id where task.identifier = $1`,
      [task],
    );
    return rows.map(({ payload }: { payload: unknown }) => payload);
  };

  test("adds a job that carries tenant and environment, in the transaction that makes it necessary", async () => {
    await addJob("test__kept", "commit");
    expect(await jobs("test__kept")).toEqual([{ what: 1, tenant_id: organization.id, environment: "test" }]);
  });

  test("a payload that names another tenant or environment does not get there", async () => {
    const other = await selo.newOrganization();
    await addJob("test__elsewhere", "commit", { tenant_id: other.id, environment: "live", what: 2 });
    expect(await jobs("test__elsewhere")).toEqual([{ what: 2, tenant_id: organization.id, environment: "test" }]);
  });

  test("adds none when that transaction rolls back", async () => {
    await addJob("test__undone", "rollback");
    expect(await jobs("test__undone")).toEqual([]);
  });

  test("is not for the gateway's login", async () => {
    const app = createPool({ url: selo.database.appUrl, role: null, applicationName: "test" }, 1, () => {});
    try {
      await expect(app.query("select platform.add_job('test__stranger')")).rejects.toMatchObject({ code: "42501" });
    } finally {
      await app.end();
    }
  });
});

describe("jobs.call", () => {
  const context = () => ({ tenantId: organization.id, environment: "live" as const });

  test("runs a job function in the context of its tenant", async () => {
    const id = await register("live");
    const other = await selo.newOrganization();
    const jobs = new Jobs(pool);
    const list = (tenantId: string, environment: "live" | "test") =>
      jobs.call({ tenantId, environment }, "list_unverified_proofs", { limit: 10 });
    expect(await list(organization.id, "live")).toMatchObject([{ id }]);
    expect(await list(organization.id, "test")).toEqual([]);
    expect(await list(other.id, "live")).toEqual([]);
    await run(reverifyProofs);
  });

  test.each([
    "call",
    "nothing",
    "sweep_idempotency_keys",
    "proof_alarms",
    "environments_with_unverified_proofs",
    "pg_sleep",
    "platform.grant_credits",
    "list_unverified_proofs('{}'::jsonb); drop table signature.proofs; --",
    'list_unverified_proofs"',
    "LIST_UNVERIFIED_PROOFS",
    "",
  ])("refuses what is no job function: %s", async (name) => {
    await expect(new Jobs(pool).call(context(), name)).rejects.toThrow();
    expect((await admin("select to_regclass('signature.proofs') is not null as there")).rows).toEqual([
      { there: true },
    ]);
  });

  test("leaves no context behind on the connection", async () => {
    const one = createPool({ url: selo.database.workerUrl, role: "selo_worker", applicationName: "test" }, 1, () => {});
    try {
      await new Jobs(one).call(context(), "list_unverified_proofs", { limit: 1 });
      const { rows } = await one.query("select nullif(current_setting('app.tenant_id', true), '') as tenant");
      expect(rows).toEqual([{ tenant: null }]);
    } finally {
      await one.end();
    }
  });

  test("is not for the gateway's login", async () => {
    const app = createPool({ url: selo.database.appUrl, role: null, applicationName: "test" }, 1, () => {});
    try {
      await expect(
        app.query("select jobs.call($1, 'live', 'list_unverified_proofs')", [organization.id]),
      ).rejects.toMatchObject({ code: "42501" });
    } finally {
      await app.end();
    }
  });
});

describe("the worker", () => {
  const start = (log: Logger) =>
    startWorker({ services, config: selo.config, databaseUrl: selo.database.workerUrl, masterKeys, log });

  test("runs added jobs of its tasks and stops when asked, having settled `ended`", async () => {
    const id = await register();
    const { log, lines } = collectLogs();
    const worker = await start(log);
    try {
      await admin("select graphile_worker.add_job('signature__reverify_proofs')");
      await expect.poll(() => queued(id)).toBeNull();
    } finally {
      await worker.stop();
    }
    await worker.ended;
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  test("whose connections Postgres cuts goes on with its work, also when they are cut again and again", async () => {
    const { log } = collectLogs();
    const worker = await start(log);
    let ended = false;
    const noteEnd = () => {
      ended = true;
    };
    void worker.ended.then(noteEnd, noteEnd);
    try {
      for (let cut = 0; cut < 3; cut++) {
        const cutConnections = () =>
          admin(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'selo worker'",
          );
        await expect.poll(async () => (await cutConnections()).rowCount).toBeGreaterThan(0);
        await admin(
          `insert into platform.idempotency_keys (tenant_id, environment, key, request_hash, status, body, created_at)
           values ($1, 'live', 'after-the-cut', decode(repeat('00', 32), 'hex'), 200, '{}', now() - interval '9 days')`,
          [organization.id],
        );
        await admin("select graphile_worker.add_job('platform__sweep_idempotency_keys')");
        const key = "select from platform.idempotency_keys where key = 'after-the-cut'";
        await expect.poll(async () => (await admin(key)).rowCount).toBe(0);
      }
      expect(ended).toBe(false);
    } finally {
      await worker.stop();
    }
  });

  test("whose connections Postgres cuts while it learns its tasks does so as well", async () => {
    const holder = await selo.database.admin.connect();
    const { log } = collectLogs();
    let worker: RunningWorker | null = null;
    try {
      await holder.query("begin; lock table graphile_worker._private_tasks in access exclusive mode");
      const starting = start(log);
      const cut = `select pg_terminate_backend(pid) from pg_locks
        where relation = 'graphile_worker._private_tasks'::regclass and not granted`;
      await expect.poll(async () => (await admin(cut)).rowCount).toBeGreaterThan(0);
      await holder.query("rollback");
      worker = await starting;
      let ended = false;
      const noteEnd = () => {
        ended = true;
      };
      void worker.ended.then(noteEnd, noteEnd);
      const id = await register();
      await admin("select graphile_worker.add_job('signature__reverify_proofs')");
      await expect.poll(() => queued(id)).toBeNull();
      expect(ended).toBe(false);
    } finally {
      holder.release(true);
      await worker?.stop();
    }
  });

  test("ends after a newer version has migrated its tables: its supervisor starts the new version", async () => {
    const { log } = collectLogs();
    const worker = await start(log);
    const ended = worker.ended.then(
      () => "ended",
      () => "ended",
    );
    const listening = `select from pg_stat_activity
      where datname = current_database() and application_name = 'selo worker' and query like 'LISTEN%'`;
    await expect.poll(async () => (await admin(listening)).rowCount).toBeGreaterThan(0);
    // What a newer graphile-worker does when it changes the tables under this one.
    await admin("insert into graphile_worker.migrations (id, breaking) values (999, true)");
    try {
      await admin(BREAKING_MIGRATION);
      const outcome = await Promise.race([
        ended,
        new Promise((resolve) => setTimeout(() => resolve("goes on"), 30_000)),
      ]);
      process.exitCode = undefined; // which the runner sets, for this process is not its own
      await worker.stop();
      expect(outcome).toBe("ended");
    } finally {
      await admin("delete from graphile_worker.migrations where id = 999");
    }
  });

  test("goes on when somebody, such as an analyst, announces a migration of its tables that there was not", async () => {
    const { login, url } = await selo.operator.createAnalyst(organization.id, "live");
    const analyst = new pg.Client({ connectionString: url });
    const { log, lines } = collectLogs();
    const worker = await start(log);
    let ended = false;
    const noteEnd = () => {
      ended = true;
    };
    void worker.ended.then(noteEnd, noteEnd);
    try {
      await analyst.connect();
      const warned = () => lines.some(({ msg }) => msg?.startsWith("somebody announced"));
      // Until the worker listens, nobody hears it.
      await expect.poll(() => analyst.query(BREAKING_MIGRATION).then(warned), { interval: 100 }).toBe(true);
      const id = await register();
      await admin("select graphile_worker.add_job('signature__reverify_proofs')");
      await expect.poll(() => queued(id)).toBeNull();
      expect(ended).toBe(false);
    } finally {
      await worker.stop();
      await analyst.end();
      await selo.operator.revokeAnalyst(login);
    }
  });
});
