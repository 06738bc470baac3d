import { type JobHelpers, parseCrontab, type TaskList, Logger as WorkerLogger } from "graphile-worker";
import type { Logger } from "pino";
import type { MasterKeyring } from "../src/adapters/crypto/master-keyring.ts";
import { openStorage } from "../src/adapters/storage/open-storage.ts";
import type { Config } from "../src/config/config.ts";
import { AuditReader } from "../src/postgres/audit-reader.ts";
import { Jobs } from "../src/postgres/jobs.ts";
import { requireMigrated } from "../src/postgres/migrate/require-migrated.ts";
import { createPool } from "../src/postgres/pool.ts";
import { repeatDeadlocked } from "../src/postgres/repeat-deadlocked.ts";
import { listenForMetrics, type MetricsListener } from "../src/surfaces/metrics/endpoint.ts";
import { loadMetrics, metricsOf } from "../src/surfaces/metrics/load-metrics.ts";
import type { Metrics } from "../src/surfaces/metrics/metrics.ts";
import { JobRunner } from "./job-runner.ts";
import { type JobContext, runJob } from "./run-job.ts";
import type { WorkerTask } from "./task.ts";
import type { Beside, WorkedService, WorkerContext } from "./worked-service.ts";

export interface WorkerOptions {
  readonly services: readonly WorkedService[];
  readonly config: Config;
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeyring;
  readonly log: Logger;
  /** Shared by everything that runs in one process, which then serves /metrics itself. Without it the worker makes and serves its own metrics. */
  readonly metrics?: Metrics;
}

export interface RunningWorker {
  /** Port of the worker's own listener for /metrics and /healthz; null without such a listener. */
  readonly metricsPort: number | null;
  /** Settles when a newer version has migrated the job tables, which this one must not work on: the process must end then. */
  readonly ended: Promise<void>;
  /** Finishes the jobs and the attempts under way. */
  stop(): Promise<void>;
}

/** Starts the job runner and what services run beside it. Any number of processes may work on one database. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { services, config, databaseUrl, masterKeys, log } = options;
  const metrics = options.metrics ?? metricsOf(services);
  const connection = {
    url: databaseUrl,
    role: "selo_worker" as const,
    applicationName: "selo worker",
    statementTimeoutMs: 60_000,
  };
  const pool = createPool(connection, config.workerConcurrency + 4, (error) =>
    log.warn({ err: error }, "an idle database connection broke"),
  );
  repeatDeadlocked(pool);
  const jobs = new Jobs(pool);
  metrics.watchPool("worker", pool);
  metrics.watchQueues(() => jobs.queueStates());
  let listener: MetricsListener | null = null;
  const stopping = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const each of closers) await each();
    await listener?.close();
    await pool.end();
  };
  try {
    await requireMigrated(pool, "jobs.queue_states()");
    if (options.metrics === undefined) listener = await listenForMetrics(config, metrics);
    await loadMetrics(services, metrics);
    const objects = await openStorage(config);
    const context: WorkerContext = {
      ...{ services, config, connection, jobs, masterKeys, objects, metrics, log },
      onClose: (each) => void closers.push(each),
    };
    const tasks = await loadTasks(services, context);
    const runner = await JobRunner.start({
      jobs,
      log,
      runner: {
        pgPool: pool,
        schema: "graphile_worker",
        concurrency: config.workerConcurrency,
        pollInterval: 2_000,
        noHandleSignals: true,
        taskList: taskListFor(
          tasks,
          { jobs, openAudit: () => AuditReader.open(connection, null), masterKeys, log, stopping: stopping.signal },
          metrics,
        ),
        parsedCronItems: schedule(services, config),
        logger: quietLogger(log),
        // Ended jobs are written at once, and a stop waits for the write. The runner's default delay would lose jobs that have just ended, and they would run again.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
    });
    const beside: Beside[] = [];
    const stop = async () => {
      stopping.abort(new Error("the worker stops"));
      await Promise.all([runner.stop(), ...beside.map((each) => each.stop())]);
      await close();
    };
    try {
      for (const start of services.flatMap((service) => service.beside ?? [])) beside.push(await start(context));
    } catch (error) {
      await Promise.all([runner.stop(), ...beside.map((each) => each.stop())]);
      throw error;
    }
    return { metricsPort: listener?.port ?? null, ended: runner.ended, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The schedules of the services' jobs. Each job has a job key, so the next run replaces a failed run. A failed run would otherwise
 * stay in the queue and sound the alarm forever.
 */
export function schedule(services: readonly Pick<WorkedService, "name" | "tasks">[], config: Pick<Config, "of">) {
  const lines = services.flatMap(({ name: service, tasks = {} }) =>
    Object.entries(tasks).flatMap(([verb, { schedule }]) => {
      if (schedule === undefined) return [];
      const at = typeof schedule.at === "string" ? schedule.at : schedule.at(config);
      const name = `${service}__${verb}`;
      const priority = schedule.priority === undefined ? "" : `&priority=${schedule.priority}`;
      return [`${at} ${name} ?max=${schedule.attempts}&jobKey=${name}${priority}`];
    }),
  );
  return parseCrontab(lines.join("\n"));
}

/** The tasks that this worker can run, by name in the queue. */
async function loadTasks(
  services: readonly WorkedService[],
  context: WorkerContext,
): Promise<ReadonlyMap<string, WorkerTask>> {
  const loaded = new Map<string, WorkerTask>();
  for (const { name, tasks = {} } of services)
    for (const [verb, { load }] of Object.entries(tasks)) {
      const task = await load(context);
      if (task !== null) loaded.set(`${name}__${verb}`, task);
    }
  return loaded;
}

function taskListFor(all: ReadonlyMap<string, WorkerTask>, context: JobContext, metrics: Metrics): TaskList {
  return Object.fromEntries(
    [...all].map(([name, task]) => [
      name,
      (_payload: unknown, { job }: JobHelpers) => runJob(task, job, context, metrics),
    ]),
  );
}

/** Payloads may hold data that logs must not contain. So only warnings and errors in graphile-worker's own words pass; run-job.ts logs failed jobs. */
function quietLogger(log: Logger): WorkerLogger {
  return new WorkerLogger((scope) => (level, message, meta) => {
    if (meta?.["failure"] === true) return;
    if (level === "error") log.error({ scope: scope.label }, message);
    else if (level === "warning") log.warn({ scope: scope.label }, message);
  });
}
