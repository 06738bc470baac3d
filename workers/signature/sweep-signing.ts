import { sweepSigningRows } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";

/** Erases one-time codes that are late, and deletes signing sessions that are over. */
export const sweepSigning: WorkerTask = async (_payload, { jobs }) => {
  await sweepSigningRows(jobs);
};
