import { unavailable } from "../app-error.ts";

/** How long anything waits for its turn at the database: for a connection, or for the batches before it. Then it is 503. */
export const PATIENCE_MS = 5_000;

/** Something in a queue, with when it came: milliseconds by performance.now(). */
interface Queued {
  readonly since: number;
  readonly reject: (error: unknown) => void;
}

/**
 * Refuses callers that have waited too long, of a queue with the oldest first. Behind a Postgres that hangs, each caller would
 * otherwise wait for the time-outs of all before it, and the last of many would hear nothing for minutes.
 */
export function refuseLate(queue: Queued[]): void {
  const latest = performance.now() - PATIENCE_MS;
  const inTime = queue.findIndex(({ since }) => since >= latest);
  for (const { reject } of queue.splice(0, inTime === -1 ? queue.length : inTime))
    reject(unavailable(new Error(`no turn at the database within ${PATIENCE_MS} ms`)));
}
