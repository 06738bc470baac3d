import { forgetRequestCounts } from "../../src/services/platform/store.ts";
import type { WorkerTask } from "../task.ts";

/** Deletes the counts of addresses and tokens whose window is over. */
export const sweepRequestCounts: WorkerTask = async (_payload, { jobs }) => {
  await forgetRequestCounts(jobs);
};
