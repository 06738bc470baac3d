import { forgetRequestCounts } from "../../src/services/platform/store.ts";
import type { WorkerTask } from "../task.ts";

/** Forgets addresses and tokens whose window is over. */
export const sweepRequestCounts: WorkerTask = async (_payload, { jobs }) => {
  await forgetRequestCounts(jobs);
};
