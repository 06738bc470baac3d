import type { Database } from "../../postgres/database.ts";
import type { Environment, Jobs } from "../../postgres/jobs.ts";
import type { LinkedFile } from "../platform/files/file-links.ts";

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

/** Issuers whose owners have to hear that a certificate ends, see jobs.ending_certificates. */
export const endingCertificates = (jobs: Jobs): Promise<(Environment & { readonly id: string })[]> =>
  jobs.query(`select tenant_id as "tenantId", environment, id from jobs.ending_certificates()`);

/** What the file of a signed link is made of (invoicing.file_json); null without one. */
export async function readLinkedFile(
  database: Database,
  { tenantId, environment, objectId }: LinkedFile,
  kind: string,
): Promise<unknown> {
  const [row] = await database.query<{ file: unknown }>(
    "select gateway.read_linked_invoice_file($1, $2, $3, $4) as file",
    [tenantId, environment, objectId, kind],
  );
  return row?.file ?? null;
}
