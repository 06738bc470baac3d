import type { WorkerTask } from "../task.ts";

/** Sounds the alarm as long as there are jobs whose attempts are used up: nobody may have seen the line of the last one. */
export const watchJobs: WorkerTask = async (_payload, { jobs, log }) => {
  const states = await jobs.queueStates();
  for (const { task, failed } of states.jobs) {
    if (failed > 0)
      log.error({ alarm: "jobs_failed", failed_task: task, failed }, "jobs failed for good: see selo jobs failed");
  }
};
