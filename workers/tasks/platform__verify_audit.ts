import { z } from "zod";
import type { AuditFault } from "../../src/db/audit-reader.ts";
import { verifyAudit } from "../../src/operations/platform/verify-audit.ts";
import type { WorkerTask } from "../task.ts";

const payloadSchema = z.object({ since: z.number().int().min(0) });

/** As many faults stand in the log; `selo audit verify` tells all of them. */
const MOST_TOLD = 20;

/**
 * Verifies what was recorded since a seal, and everything else that costs no signature; added with each seal. Sounds the
 * alarm when anything is not as it was recorded.
 */
export const verifyAuditTrail: WorkerTask = async (payload, { openAudit, log }) => {
  const { since } = payloadSchema.parse(payload);
  const told: AuditFault[] = [];
  const reader = await openAudit();
  try {
    const { faults, ...seen } = await verifyAudit(reader, {
      since,
      onFault: (fault) => {
        if (told.length < MOST_TOLD) told.push(fault);
      },
    });
    if (faults === 0) log.info({ since, ...seen }, "verified the audit trail");
    else
      log.fatal(
        { alarm: "audit_fault", faults, told },
        "the audit trail is not as it was recorded: see selo audit verify",
      );
  } finally {
    await reader.close();
  }
};
