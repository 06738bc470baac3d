import { recordAlarms, waitingRecords } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";
import { reverify } from "./reverify.ts";

/**
 * Verifies every new signed record of an envelope with @noble, as proofs are. Sounds the alarm while any record has
 * failed, or has waited for more than five minutes.
 */
export const reverifyRecords: WorkerTask = async (_payload, { jobs, log, stopping }) => {
  await reverify({ jobs, stopping }, waitingRecords);
  const { failed, overdue } = await recordAlarms(jobs);
  if (failed > 0) {
    log.fatal(
      { alarm: "records_failed_verification", failed },
      "stored signed records do not verify: see signature.unverified_records",
    );
  }
  if (overdue > 0) {
    log.error(
      { alarm: "records_wait_for_verification", overdue },
      "signed records have waited too long for their second verification",
    );
  }
};
