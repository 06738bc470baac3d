import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import { AppError } from "../../../src/errors/app-error.ts";
import { isTransient } from "../../../src/postgres/errors.ts";
import type { AttemptResult, DeliveryStore } from "../../../src/services/webhooks/store.ts";

/** Results of this many milliseconds are written together. */
const TOGETHER_MS = 5;
const MOST_TOGETHER = 500;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Writes the outcomes of attempts, many in one statement. While Postgres cannot be reached, outcomes are kept and written when
 * it is back: nobody repeats an attempt before its lease ends.
 */
export class Results {
  readonly #jobs: Pick<DeliveryStore, "recordAttempts">;
  readonly #log: Logger;
  readonly #waiting: AttemptResult[] = [];
  #writing: Promise<void> | null = null;
  #givenUp = false;

  constructor(jobs: Pick<DeliveryStore, "recordAttempts">, log: Logger) {
    this.#jobs = jobs;
    this.#log = log;
  }

  /** Number of results that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(result: AttemptResult): void {
    this.#waiting.push(result);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  /** Resolves when all results are written, or after this many milliseconds. */
  async finish(milliseconds: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([this.#writing, setTimeout(milliseconds, null, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
    this.#givenUp = true;
  }

  async #write(): Promise<void> {
    let pause = TOGETHER_MS;
    while (this.#waiting.length > 0 && !this.#givenUp) {
      await setTimeout(pause);
      const results = this.#waiting.splice(0, MOST_TOGETHER);
      try {
        await this.#record(results);
        pause = TOGETHER_MS;
      } catch {
        this.#waiting.unshift(...results);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  /** @throws Error if Postgres cannot be asked now */
  async #record(results: readonly AttemptResult[]): Promise<void> {
    try {
      const stale = results.length - (await this.#jobs.recordAttempts(results));
      if (stale > 0)
        this.#log.warn({ stale }, "results of attempts came after their lease had ended, and were dropped");
    } catch (error) {
      if (isTransient(error) || (error instanceof AppError && error.status === 503)) throw error;
      // A result that Postgres refuses must not keep the others from being written.
      if (results.length > 1) for (const result of results) await this.#record([result]);
      else
        this.#log.error(
          { alarm: "webhook_result_lost", err: error, attempt: results[0]?.attempt_id },
          "the result of an attempt cannot be written",
        );
    }
  }
}
