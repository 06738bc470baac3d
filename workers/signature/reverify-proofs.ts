import { proofAlarms, waitingProofs } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";
import { reverify } from "./reverify.ts";

/**
 * Verifies every new proof with @noble, the second and independent implementation of both algorithms: within a minute
 * of its registration up to some 280 proofs a second and core, later under more load. Sounds the alarm while any proof
 * has failed, or has waited for more than five minutes.
 */
export const reverifyProofs: WorkerTask = async (_payload, { jobs, log, stopping }) => {
  await reverify({ jobs, stopping }, waitingProofs);
  const { failed, overdue } = await proofAlarms(jobs);
  if (failed > 0) {
    log.fatal(
      { alarm: "proofs_failed_verification", failed },
      "stored proofs do not verify: see signature.unverified_proofs",
    );
  }
  if (overdue > 0) {
    log.error(
      { alarm: "proofs_wait_for_verification", overdue },
      "proofs have waited too long for their second verification",
    );
  }
};
