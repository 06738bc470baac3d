import { sealAudit } from "../../src/operations/platform/seal-audit.ts";
import type { WorkerTask } from "../task.ts";

/** Seals the audit trail; when: AUDIT_SEAL_SCHEDULE. */
export const sealAuditTrail: WorkerTask = async (_payload, { jobs, masterKey, log }) => {
  log.info({ seal: await sealAudit(jobs, masterKey) }, "sealed the audit trail");
};
