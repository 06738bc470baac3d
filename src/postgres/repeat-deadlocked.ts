import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

const DEADLOCK = "40P01";
const MOST_TRIES = 10;
const PAUSE_MS = 50;

/** By these statements graphile-worker writes that jobs have ended or failed, several jobs in each, in no order. */
const OF_ENDED_JOBS = /^\s*(with j as \(\s*)?(delete from|update) \S+\._private_jobs as jobs\s/;

/**
 * Has the runner's statements about ended jobs run again when they lost a deadlock. A request that gives new runs to several jobs, by their keys, locks them in an
 * order of its own, so it may meet such a statement. graphile-worker 0.18.0 means to try again, but ends the worker at the first error.
 */
export function repeatDeadlocked(pool: pg.Pool): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const again = async (args: unknown[]): Promise<unknown> => {
      for (let tries = 1; ; tries++)
        try {
          return await query(...args);
        } catch (error) {
          if ((error as { readonly code?: string }).code !== DEADLOCK || tries === MOST_TRIES) throw error;
          await sleep(PAUSE_MS * tries);
        }
    };
    const repeated = (...args: unknown[]) => {
      const [{ text = "" } = {}] = args as [{ readonly text?: string }?];
      return OF_ENDED_JOBS.test(text) ? again(args) : query(...args);
    };
    client.query = repeated as typeof client.query;
  });
}
