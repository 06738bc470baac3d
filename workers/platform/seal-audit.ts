import { sealAudit } from "../../src/services/platform/audit/seal-audit.ts";
import type { WorkerTask } from "../task.ts";

/** Seals the audit trail, on the schedule AUDIT_SEAL_SCHEDULE. */
export const sealAuditTrail: WorkerTask = async (_payload, { jobs, masterKeys, log }) => {
  log.info({ seal: await sealAudit(jobs, masterKeys) }, "sealed the audit trail");
};
