import type { Environment, Jobs } from "../../postgres/jobs.ts";

/** An attempt to transmit, which this worker alone makes for as long as the lease lasts. */
export interface TransmissionLease extends Environment {
  readonly invoiceId: string;
  readonly kind: "issue" | "cancel";
  readonly leaseId: string;
}

/** Leases due transmissions, see jobs.claim_transmissions. */
export const claimTransmissions = (jobs: Jobs, most: number): Promise<TransmissionLease[]> =>
  jobs.query(
    `select tenant_id as "tenantId", environment, invoice_id as "invoiceId", kind, lease_id as "leaseId" from jobs.claim_transmissions($1)`,
    [most],
  );
