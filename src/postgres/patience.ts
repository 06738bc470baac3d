import { unavailable } from "../errors/app-error.ts";

/** How long a caller waits for its turn at the database: for a connection, or for earlier batches. After that it gets 503. */
export const PATIENCE_MS = 5_000;

/** An item in a queue, with its time of arrival: milliseconds by performance.now(). */
interface Queued {
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

/**
 * Refuses callers that have waited too long, in a queue with the oldest first. If Postgres hangs, each caller would
 * otherwise wait for the time-outs of all callers before it, and the last would hear nothing for minutes.
 * @param patienceMs how long a caller may wait, in milliseconds
 */
export function refuseLate(queue: Queued[], patienceMs = PATIENCE_MS): void {
  const latest = performance.now() - patienceMs;
  const inTime = queue.findIndex(({ since }) => since >= latest);
  for (const { reject } of queue.splice(0, inTime === -1 ? queue.length : inTime))
    reject(unavailable(new Error(`no turn at the database within ${patienceMs} ms`)));
}
