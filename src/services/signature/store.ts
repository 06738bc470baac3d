import type { AuditLane, AuditRange } from "../../postgres/audit-reader.ts";
import type { Database } from "../../postgres/database.ts";
import type { Environment, Jobs } from "../../postgres/jobs.ts";

/** Environments whose proofs wait for their second verification. */
export function environmentsWithUnverifiedProofs(jobs: Jobs): Promise<Environment[]> {
  return jobs.query<Environment>(
    `select tenant_id as "tenantId", environment from jobs.environments_with_unverified_proofs()`,
  );
}

/** The number of proofs that failed their second verification, and the number that have waited too long for it. */
export async function proofAlarms(jobs: Jobs): Promise<{ readonly failed: number; readonly overdue: number }> {
  const [row] = await jobs.query<{ failed: number; overdue: number }>(
    "select failed, overdue from jobs.proof_alarms()",
  );
  return row ?? { failed: 0, overdue: 0 };
}

/** A proof with everything that verifying it needs. */
export interface SignedProof {
  readonly tenant_id: string;
  readonly environment: "live" | "test";
  readonly id: string;
  readonly evidence: string;
  readonly platform_key_id: string;
  readonly platform_signature: Buffer;
  readonly platform_pq_key_id: string;
  readonly platform_signature_pq: Buffer;
}

/** The first proofs of a range that are not covered by the seals up to a number. */
export function readSignatures(
  lane: AuditLane,
  range: AuditRange,
  since: number,
  limit: number,
): Promise<SignedProof[]> {
  return lane.query<SignedProof>(
    `select tenant_id, environment, id, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
     from jobs.read_signatures($1, $2, $3)`,
    [JSON.stringify(range), since, limit],
  );
}

/** Documents that have waited for their check for more than a minute, and that no worker holds. */
export function overdueDocuments(jobs: Jobs): Promise<(Environment & { readonly id: string })[]> {
  return jobs.query(`select tenant_id as "tenantId", environment, id from jobs.overdue_documents()`);
}

/** Which of these objects no row names. None while a backup or restore is under way. */
export async function unnamedObjects(jobs: Jobs, ids: readonly string[]): Promise<string[]> {
  const rows = await jobs.query<{ id: string }>("select id from jobs.unnamed_objects($1) as id", [ids]);
  return rows.map(({ id }) => id);
}

/** What a download of a ready document needs. */
export interface DocumentFile {
  readonly filename: string;
  readonly size: number;
  /** The data key of its organization and environment. */
  readonly sealedKey: Buffer;
}

/** The ready document whose content is this object; null without one. */
export async function findDocumentFile(
  database: Database,
  { tenantId, environment, objectId }: Environment & { readonly objectId: string },
): Promise<DocumentFile | null> {
  const [row] = await database.query<DocumentFile>(
    `select filename, size::float8 as size, sealed_key as "sealedKey" from gateway.find_file($1, $2, $3)`,
    [tenantId, environment, objectId],
  );
  return row ?? null;
}
