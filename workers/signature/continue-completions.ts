import { lostCompletions } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";

/** Adds the jobs of completions anew that ended without doing their work, as after the last of their attempts. */
export const continueCompletions: WorkerTask = async (_payload, { jobs, log }) => {
  const lost = await lostCompletions(jobs);
  for (const { id, ...environment } of lost) await jobs.call(environment, "continue_completion", { id });
  if (lost.length > 0) log.warn({ envelopes: lost.length }, "envelopes wait for their completion without a job");
};
