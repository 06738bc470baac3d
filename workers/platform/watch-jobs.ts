import type { WorkerTask } from "../task.ts";

/** Sounds the alarm while jobs with no attempts left exist: perhaps nobody saw the log line of the last attempt. */
export const watchJobs: WorkerTask = async (_payload, { jobs, log }) => {
  const states = await jobs.queueStates();
  for (const { task, failed } of states.jobs) {
    if (failed > 0)
      log.error({ alarm: "jobs_failed", failed_task: task, failed }, "jobs failed for good: see selo jobs failed");
  }
};
