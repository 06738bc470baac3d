import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type Runner, type RunnerOptions, run, type WorkerEvents } from "graphile-worker";
import type { Logger } from "pino";
import type { Jobs } from "../src/postgres/jobs.ts";
import { checkMigrations } from "./checked-migrations.ts";
import { onLostTasks } from "./lost-tasks.ts";
import { SignsOfLife } from "./signs-of-life.ts";

const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** For the last writes of a run that failed: see {@link watchWrites}. A write that comes after the next run took the job again would end that one. */
const LAST_WRITES_MS = 10_000;
/** A runner that ran for so long was well: the pause after it is the shortest again. */
const WELL_MS = 30_000;

export interface JobRunnerOptions {
  readonly jobs: Jobs;
  readonly log: Logger;
  /** How long the last writes of a run that failed are waited for; ten seconds by default. */
  readonly lastWritesMs?: number;
  /** What graphile-worker is given, but its events. */
  readonly runner: Omit<RunnerOptions, "events">;
}

/** One run of graphile-worker, and the signs of life under its name. */
interface Run {
  readonly runner: Runner;
  /** Settles when it has ended by itself, or was stopped. */
  readonly ended: Promise<unknown>;
  /** Whether the end of a job could not be written, so that the job is still its own in the queue. */
  readonly hasLostJobs: () => boolean;
  readonly signs: SignsOfLife;
  readonly began: number;
}

/**
 * The runner of jobs, which is run again whenever it ends by itself: graphile-worker ends it when Postgres goes away. It ends for good only
 * when it is stopped, and after a migration of the job tables that older versions must not work on.
 */
export class JobRunner {
  /** Settles when a newer version has migrated the job tables: this process must end then. */
  readonly ended: Promise<void>;
  readonly #options: JobRunnerOptions;
  /** graphile-worker's newest migration that breaks older versions, as this process began. */
  readonly #migration: number;
  readonly #stopping = new AbortController();
  #run: Run;
  /** The run has ended by itself, and no other has begun. */
  #hasLeft = false;

  private constructor(options: JobRunnerOptions, migration: number, first: Run) {
    this.#options = options;
    this.#migration = migration;
    this.#run = first;
    this.ended = this.#keepRunning();
  }

  /** @throws what keeps the first run from beginning */
  static async start(options: JobRunnerOptions): Promise<JobRunner> {
    const migration = await options.jobs.newestBreakingMigration();
    return new JobRunner(options, migration, await begin(options, migration, []));
  }

  /** Finishes the jobs under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#run.runner.stop().catch(() => {}); // it ends by itself
    await this.ended;
    if (this.#hasLeft) return;
    // Others free the jobs that are still its own in the queue, once it has been silent for long enough.
    if (this.#run.hasLostJobs()) await this.#run.signs.leave();
    else await this.#run.signs.stop();
  }

  async #keepRunning(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    let pause = SHORTEST_PAUSE_MS;
    for (;;) {
      await this.#run.ended;
      // A run that waits for failed writes has not stopped its schedule.
      this.#run.runner.stop().catch(() => {});
      if (signal.aborted) return;
      // Its jobs have ended, but what became of them may not be noted: the next run frees them.
      this.#hasLeft = true;
      await this.#run.signs.leave();
      const ended = [...this.#run.signs.notFreed, this.#run.signs.id];
      if (performance.now() - this.#run.began > WELL_MS) pause = SHORTEST_PAUSE_MS;
      log.warn("the runner of jobs ended, and is run again as soon as Postgres lets it");
      for (;;) {
        await sleep(pause, undefined, { signal }).catch(() => {}); // stop() ends the wait
        if (signal.aborted) return;
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        const next = await this.#again(ended);
        if (next === "migrated") return;
        if (next === null) continue;
        this.#run = next;
        this.#hasLeft = false;
        // It was stopped while it began.
        if (signal.aborted) next.runner.stop().catch(() => {});
        break;
      }
    }
  }

  /** @returns null while Postgres is away */
  async #again(ended: readonly string[]): Promise<Run | "migrated" | null> {
    try {
      if ((await this.#options.jobs.newestBreakingMigration()) > this.#migration) return "migrated";
      return await begin(this.#options, this.#migration, ended);
    } catch (error) {
      this.#options.log.debug({ err: error }, "the runner of jobs does not begin yet");
      return null;
    }
  }
}

async function begin(
  { jobs, log, lastWritesMs, runner: given }: JobRunnerOptions,
  migration: number,
  left: readonly string[],
) {
  const events: WorkerEvents = new EventEmitter();
  checkMigrations(events, jobs, migration, log);
  let signs: SignsOfLife | undefined;
  // Before it takes the first job.
  events.on("pool:create", ({ workerPool }) => {
    signs = new SignsOfLife({ jobs, id: workerPool.id, ended: left, log });
  });
  const writes = watchWrites(events, lastWritesMs ?? LAST_WRITES_MS);
  const runner = await run({ ...given, events }).catch(async (error: unknown) => {
    await signs?.leave();
    throw error;
  });
  onLostTasks(events, () => {
    log.warn("the runner lost its connection while it learned its tasks, and ends");
    runner.stop().catch(() => {}); // another of its workers has told already
  });
  if (signs === undefined) throw new Error("graphile-worker made no pool of workers");
  const ended = Promise.race([runner.promise.catch(() => {}), writes.last]);
  return { runner, ended, hasLostJobs: writes.haveFailed, signs, began: performance.now() };
}

/**
 * Watches how the ends of jobs are written. `last` settles a while after the jobs of a run have ended in which a write failed: graphile-worker 0.18.0 ends such a
 * run, but may wait for ever for its last writes, because it counts each write after the first failure twice (the faulty code is that of
 * github.com/graphile/worker/issues/636).
 */
function watchWrites(
  events: WorkerEvents,
  lastMs: number,
): { readonly haveFailed: () => boolean; readonly last: Promise<void> } {
  let [haveFailed, haveJobsEnded] = [false, false];
  const { promise: last, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (haveFailed && haveJobsEnded) setTimeout(resolve, lastMs);
  };
  events.on("pool:fatalError", () => {
    haveFailed = true;
    look();
  });
  for (const end of ["pool:gracefulShutdown:complete", "pool:forcefulShutdown:complete"] as const)
    events.on(end, () => {
      haveJobsEnded = true;
      look();
    });
  return { haveFailed: () => haveFailed, last };
}
