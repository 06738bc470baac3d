import { sweepOldSessions } from "../../src/services/accounts/store.ts";
import type { WorkerTask } from "../task.ts";

/** Deletes sessions of people that ran out a week ago, and links that are over. */
export const sweepSessions: WorkerTask = async (_payload, { jobs }) => {
  await sweepOldSessions(jobs);
};
