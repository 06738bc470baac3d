import type { WorkerTask } from "../task.ts";

/** Forgets whose window of the public limit is over. */
export const sweepRequestCounts: WorkerTask = async (_payload, { jobs }) => {
  await jobs.sweepRequestCounts();
};
