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
/** A runner that ran for so long was well: the pause after it is the shortest again. */
const WELL_MS = 30_000;

export interface JobRunnerOptions {
  readonly jobs: Jobs;
  readonly log: Logger;
  /** What graphile-worker is given, but its events. */
  readonly runner: Omit<RunnerOptions, "events">;
}

/** One run of graphile-worker, and the signs of life under its name. */
interface Run {
  readonly runner: Runner;
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
    await this.#run.runner.stop().catch(() => {}); // it ends by itself
    await this.ended;
    // Jobs of one that ended by itself may still be its own in the queue: others free them, once it has been silent for long enough.
    if (!this.#hasLeft) await this.#run.signs.stop();
  }

  async #keepRunning(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    let pause = SHORTEST_PAUSE_MS;
    for (;;) {
      await this.#run.runner.promise.catch(() => {});
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
        if (signal.aborted) await next.runner.stop().catch(() => {});
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

async function begin({ jobs, log, runner: given }: JobRunnerOptions, migration: number, ended: readonly string[]) {
  const events: WorkerEvents = new EventEmitter();
  checkMigrations(events, jobs, migration, log);
  let signs: SignsOfLife | undefined;
  // Before it takes the first job.
  events.on("pool:create", ({ workerPool }) => {
    signs = new SignsOfLife({ jobs, id: workerPool.id, ended, log });
  });
  const runner = await run({ ...given, events }).catch(async (error: unknown) => {
    await signs?.leave();
    throw error;
  });
  onLostTasks(events, () => {
    log.warn("the runner lost its connection while it learned its tasks, and ends");
    runner.stop().catch(() => {}); // another of its workers has told already
  });
  if (signs === undefined) throw new Error("graphile-worker made no pool of workers");
  return { runner, signs, began: performance.now() };
}
