import type { AuditFault } from "../../src/postgres/audit-reader.ts";
import { expectedCatalog } from "../../src/postgres/migrate/catalog-dump.ts";
import type { Service } from "../../src/service.ts";
import { verifyAudit } from "../../src/services/platform/operations/verify-audit.ts";
import { addVerification, recordVerification } from "../../src/services/platform/store.ts";
import type { WorkerTask } from "../task.ts";

/** As many faults stand in the log; `selo audit verify` tells all of them. */
const MOST_TOLD = 20;

/**
 * Verifies the audit trail whole, but for the signatures of proofs that it verified before; added with each seal. Sounds
 * the alarm when anything is not as it was recorded, and then verifies the same signatures the next time.
 */
export const verifyAuditTrail =
  (services: readonly Service[]): WorkerTask =>
  async (_payload, { openAudit, jobs, log, stopping }) => {
    const told: AuditFault[] = [];
    const reader = await openAudit();
    // Whatever Postgres is about.
    const stop = () => void reader.close();
    stopping.addEventListener("abort", stop);
    try {
      // Aborted before anybody listened.
      stopping.throwIfAborted();
      const since = await reader.first.verifiedSeal();
      const seal = (await reader.first.seals()).at(-1)?.number ?? 0;
      const { faults, ...seen } = await verifyAudit(reader, {
        services,
        since,
        structure: expectedCatalog(services),
        signal: stopping,
        onFault: (fault) => {
          if (told.length < MOST_TOLD) told.push(fault);
        },
      });
      if (faults === 0) {
        await recordVerification(jobs, seal);
        log.info({ since, ...seen }, "verified the audit trail");
      } else
        log.fatal(
          { alarm: "audit_fault", faults, told },
          "the audit trail is not as it was recorded: see selo audit verify",
        );
    } catch (error) {
      if (!stopping.aborted) throw error;
      // Nobody's fault: another worker, or this one when it is there again, begins anew.
      await addVerification(jobs);
    } finally {
      stopping.removeEventListener("abort", stop);
      await reader.close();
    }
  };
