import { forgetIdempotencyKeys } from "../../src/services/platform/store.ts";
import type { WorkerTask } from "../task.ts";

const AT_ONCE = 10_000;

/** Deletes Idempotency-Keys older than IDEMPOTENCY_RETENTION_DAYS, a bounded number in each transaction. */
export const sweepIdempotencyKeys: WorkerTask = async (_payload, { jobs, log }) => {
  let swept = 0;
  for (let round = 0; round < 1_000; round++) {
    const count = await forgetIdempotencyKeys(jobs, AT_ONCE);
    swept += count;
    if (count < AT_ONCE) break;
  }
  if (swept > 0) log.info({ swept }, "deleted old idempotency keys");
};
