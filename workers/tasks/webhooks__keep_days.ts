import type { WorkerTask } from "../task.ts";

const AT_ONCE = 10_000;

/** Makes the days to come, and drops those older than WEBHOOK_RETENTION_DAYS. */
export const keepWebhookDays: WorkerTask = async (_payload, { jobs }) => {
  for (let round = 0; round < 1_000; round++) {
    if ((await jobs.keepWebhookDays(AT_ONCE)) < AT_ONCE) break;
  }
};
