import fs from "node:fs";
import path from "node:path";
import { parseCrontab, run, type TaskList, Logger as WorkerLogger } from "graphile-worker";
import type { Logger } from "pino";
import type { Config } from "../src/config.ts";
import { Jobs } from "../src/db/jobs.ts";
import { createPool } from "../src/db/pool.ts";
import { requireMigrated } from "../src/db/require-migrated.ts";
import type { TaskContext, WorkerTask } from "./task.ts";
import { sealAuditTrail } from "./tasks/platform__seal_audit.ts";
import { sweepIdempotencyKeys } from "./tasks/platform__sweep_idempotency_keys.ts";
import { sweepRequestCounts } from "./tasks/platform__sweep_request_counts.ts";
import { reverifyProofs } from "./tasks/signature__reverify_proofs.ts";

/** Every job, by the name of its file in `tasks/`. */
const tasks: Readonly<Record<string, WorkerTask>> = {
  platform__seal_audit: sealAuditTrail,
  platform__sweep_idempotency_keys: sweepIdempotencyKeys,
  platform__sweep_request_counts: sweepRequestCounts,
  signature__reverify_proofs: reverifyProofs,
};

export interface WorkerOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly log: Logger;
}

export interface RunningWorker {
  /** Settles when the runner ends by itself, as it does when Postgres restarts: the process must end then, or it would idle on. */
  readonly ended: Promise<void>;
  /** Finishes the jobs under way. */
  stop(): Promise<void>;
}

/** Starts the job runner. Any number of processes may run it on one database. */
export async function startWorker({ config, databaseUrl, masterKey, log }: WorkerOptions): Promise<RunningWorker> {
  const pool = createPool(
    { url: databaseUrl, role: "selo_worker", applicationName: "selo worker", statementTimeoutMs: 60_000 },
    config.workerConcurrency + 2,
    (error) => log.warn({ err: error }, "an idle database connection broke"),
  );
  try {
    await requireMigrated(pool, "jobs.proof_alarms()");
    const runner = await run({
      pgPool: pool,
      schema: "graphile_worker",
      concurrency: config.workerConcurrency,
      pollInterval: 2_000,
      noHandleSignals: true,
      taskList: taskListFor({ jobs: new Jobs(pool), masterKey, log }),
      parsedCronItems: schedule(config),
      logger: quietLogger(log),
    });
    const stop = async () => {
      await runner.stop().catch(() => {}); // it had ended by itself
      await pool.end();
    };
    return { ended: runner.promise, stop };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** What `crontab` says, and what the deployment chooses. */
function schedule(config: Config) {
  const crontab = fs.readFileSync(path.join(import.meta.dirname, "crontab"), "utf8");
  return parseCrontab(`${crontab}\n${config.auditSealSchedule} platform__seal_audit ?max=5\n`);
}

function taskListFor(context: TaskContext): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(payload, context)]),
  );
}

/** Payloads may hold what logs must not: only graphile-worker's own words, at its warnings and errors. */
function quietLogger(log: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message) => {
    if (level === "error") log.error({ scope: scope.label }, message);
    else if (level === "warning") log.warn({ scope: scope.label }, message);
  });
}
