import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Jobs } from "../src/postgres/jobs.ts";

/** Three fit into the gap after which a worker counts as one that was silent itself: sql/platform/jobs/note_worker.sql. */
const EVERY_MS = 2_000;

export interface SignsOfLifeOptions {
  readonly jobs: Jobs;
  /** The name under which this worker takes jobs. */
  readonly id: string;
  /** Names under which this process took jobs before, and has no jobs any more: theirs are free at the first sign. */
  readonly ended?: readonly string[];
  readonly log: Logger;
}

/**
 * Tells the other workers that this one lives, and gives the jobs of workers that are gone to those that live. Without it such a job waits for four hours:
 * graphile-worker cannot tell a killed worker from one that takes long. A worker that was only silent, such as a stopped process, goes on with its jobs, and they run twice.
 */
export class SignsOfLife {
  readonly #options: SignsOfLifeOptions;
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;
  #notFreed: readonly string[];

  constructor(options: SignsOfLifeOptions) {
    this.#options = options;
    this.#notFreed = options.ended ?? [];
    this.#loop = this.#run();
  }

  get id(): string {
    return this.#options.id;
  }

  /** Of {@link SignsOfLifeOptions.ended}, those whose jobs no sign has freed yet. */
  get notFreed(): readonly string[] {
    return this.#notFreed;
  }

  /** Gives no more signs. Jobs that the worker still holds stay locked until another worker frees them. */
  async leave(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  /** Call it when the worker has no jobs any more. */
  async stop(): Promise<void> {
    await this.leave();
    // Without Postgres, another worker removes it later.
    await this.#options.jobs.query("select jobs.forget_workers($1)", [[this.#options.id]]).catch(() => {});
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      // Postgres may be away. The next sign follows.
      await this.#sign().catch(() => {});
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {}); // stop() ends the wait
    }
  }

  async #sign(): Promise<void> {
    const { jobs, id, log } = this.#options;
    const [row] = await jobs.query<{ readonly gone: string[] }>("select jobs.note_worker($1) as gone", [id]);
    const gone = [...this.#notFreed, ...(row?.gone ?? [])];
    if (gone.length === 0) return;
    // Killed between these statements, another worker does both.
    await jobs.query("select graphile_worker.force_unlock_workers($1)", [gone]);
    await jobs.query("select jobs.forget_workers($1)", [gone]);
    this.#notFreed = [];
    log.warn({ workers: gone }, "the jobs of workers that are gone are given to others");
  }
}
