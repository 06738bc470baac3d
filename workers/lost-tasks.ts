import type { Worker, WorkerEvents } from "graphile-worker";

/**
 * Tells when the runner can no longer take any job. The runner asks Postgres once for the numbers of its tasks and keeps the result,
 * even a failure. If its connection breaks at that moment, every later attempt to take a job fails silently.
 */
export function onLostTasks(events: WorkerEvents, lost: () => void): void {
  const failures = new WeakMap<Worker, unknown>();
  events.on("worker:getJob:error", ({ worker, error }) => {
    // A failure of this attempt alone would be another error object.
    if (failures.get(worker) === error) lost();
    failures.set(worker, error);
  });
}
