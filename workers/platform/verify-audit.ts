import type { AuditFault } from "../../src/postgres/audit-reader.ts";
import { expectedCatalog } from "../../src/postgres/migrate/catalog-dump.ts";
import { verifyAudit } from "../../src/services/platform/audit/verify-audit.ts";
import { addVerification, recordVerification } from "../../src/services/platform/store.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkedService } from "../worked-service.ts";

/** Most faults in the log; `selo audit verify` prints all of them. */
const MOST_TOLD = 20;

/**
 * Verifies the whole audit trail, except signatures that it verified before. The job is added with each seal. If it finds
 * a fault, it sounds the alarm and verifies the same signatures again the next time.
 */
export const verifyAuditTrail =
  (services: readonly WorkedService[]): WorkerTask =>
  async (_payload, { openAudit, jobs, log, stopping }) => {
    const told: AuditFault[] = [];
    const reader = await openAudit();
    // Closing the reader also interrupts a statement that Postgres is running.
    const stop = () => void reader.close();
    stopping.addEventListener("abort", stop);
    try {
      // The signal may have been aborted before the listener was added.
      stopping.throwIfAborted();
      const since = await reader.first.verifiedSeal();
      const seal = (await reader.first.seals()).at(-1)?.number ?? 0;
      const { faults, verified, ...seen } = await verifyAudit(reader, {
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
        log.info({ since, ...seen, ...verified }, "verified the audit trail");
      } else log.fatal({ alarm: "audit_fault", faults, told }, "the audit trail has faults: see selo audit verify");
    } catch (error) {
      if (!stopping.aborted) throw error;
      // A stop is not a fault: another worker, or this one after its restart, begins anew.
      await addVerification(jobs);
    } finally {
      stopping.removeEventListener("abort", stop);
      await reader.close();
    }
  };
