import type { Worker, WorkerEvents } from "graphile-worker";

/**
 * Tells when the runner can take no job any more. It asks Postgres once which numbers its tasks have and keeps what came of it,
 * a failure as well: when its connection breaks just then, every attempt to take a job fails, for good and without a word.
 */
export function onLostTasks(events: WorkerEvents, lost: () => void): void {
  const failures = new WeakMap<Worker, unknown>();
  events.on("worker:getJob:error", ({ worker, error }) => {
    // A failure of this attempt would be another object.
    if (failures.get(worker) === error) lost();
    failures.set(worker, error);
  });
}
