import type { AuditLane, AuditRange } from "../../postgres/audit-reader.ts";
import type { Database } from "../../postgres/database.ts";
import type { Environment, Jobs, Queries } from "../../postgres/jobs.ts";

/** A kind of rows that the platform signs, each of which is verified a second time. */
export interface SignedKind {
  /** As alarms and the table of what waits name it: `proofs_failed_verification`, `signature.unverified_proofs`. */
  readonly name: "proofs" | "records";
  readonly words: string;
  /** Job functions: the environments in which rows wait, the rows that wait in one, what takes the findings, and what to sound the alarm for. */
  readonly environments: string;
  readonly list: string;
  readonly record: string;
  readonly alarms: string;
}

export const signedProofs: SignedKind = {
  name: "proofs",
  words: "proofs",
  environments: "environments_with_unverified_proofs",
  list: "list_unverified_proofs",
  record: "record_verifications",
  alarms: "proof_alarms",
};

/** The signed records of envelopes. */
export const signedRecords: SignedKind = {
  name: "records",
  words: "signed records",
  environments: "environments_with_unverified_records",
  list: "list_unverified_records",
  record: "record_verified_records",
  alarms: "record_alarms",
};

/** The environments in which rows wait for their second verification. */
export function waitingEnvironments(jobs: Jobs, { environments }: SignedKind): Promise<Environment[]> {
  return jobs.query(`select tenant_id as "tenantId", environment from jobs.${environments}()`);
}

/** The number of rows that failed their second verification, and the number that have waited too long for it. */
export async function verificationAlarms(
  jobs: Jobs,
  { alarms }: SignedKind,
): Promise<{ readonly failed: number; readonly overdue: number }> {
  const [row] = await jobs.query<{ failed: number; overdue: number }>(`select failed, overdue from jobs.${alarms}()`);
  return row ?? { failed: 0, overdue: 0 };
}

/** Envelopes that wait for their completion, and that no job will complete. */
export function lostCompletions(jobs: Jobs): Promise<(Environment & { readonly id: string })[]> {
  return jobs.query(`select tenant_id as "tenantId", environment, id from jobs.lost_completions()`);
}

/** A proof or a signed record with everything that verifying it needs. */
export interface SignedRow {
  readonly tenant_id: string;
  readonly environment: "live" | "test";
  readonly id: string;
  /** The proof itself, or the envelope of a signed record. */
  readonly subject_id: string;
  readonly evidence: string;
  readonly platform_key_id: string;
  readonly platform_signature: Buffer;
  readonly platform_pq_key_id: string;
  readonly platform_signature_pq: Buffer;
}

/** The first proofs of a range that are not covered by the seals up to a number. */
export function readSignatures(lane: AuditLane, range: AuditRange, since: number, limit: number): Promise<SignedRow[]> {
  return lane.query<SignedRow>(
    `select tenant_id, environment, id, id as subject_id, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
     from jobs.read_signatures($1, $2, $3)`,
    [JSON.stringify(range), since, limit],
  );
}

/** The first signed records of a range that are not covered by the seals up to a number. */
export function readRecordSignatures(
  lane: AuditLane,
  range: AuditRange,
  since: number,
  limit: number,
): Promise<SignedRow[]> {
  return lane.query<SignedRow>(
    `select tenant_id, environment, id, subject_id, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
     from jobs.read_record_signatures($1, $2, $3)`,
    [JSON.stringify(range), since, limit],
  );
}

/** Documents that have waited for their check for more than a minute, and that no worker holds. */
export function overdueDocuments(jobs: Jobs): Promise<(Environment & { readonly id: string })[]> {
  return jobs.query(`select tenant_id as "tenantId", environment, id from jobs.overdue_documents()`);
}

/** Envelopes past their deadline that are out with their participants, at most 1,000. */
export function overdueEnvelopes(jobs: Jobs): Promise<(Environment & { readonly id: string })[]> {
  return jobs.query(`select tenant_id as "tenantId", environment, id from jobs.overdue_envelopes()`);
}

/** Envelopes with participants who are to be reminded, of at most 1,000 participants. */
export function dueReminders(jobs: Jobs): Promise<(Environment & { readonly envelope_ids: readonly string[] })[]> {
  return jobs.query(`select tenant_id as "tenantId", environment, envelope_ids from jobs.due_reminders()`);
}

/** Which of these objects no row names. None while a backup or restore is under way. */
export async function unnamedObjects(jobs: Jobs, ids: readonly string[]): Promise<string[]> {
  const rows = await jobs.query<{ id: string }>("select id from jobs.unnamed_objects($1) as id", [ids]);
  return rows.map(({ id }) => id);
}

/** Whether no row names this object. False while a backup or restore is under way. */
export async function isUnnamed(jobs: Jobs, id: string): Promise<boolean> {
  return (await jobs.query("select from jobs.unnamed_objects(array[$1::uuid], false)", [id])).length > 0;
}

/** What a download of a ready document, or of a delivered file, needs. */
export interface DocumentFile {
  readonly filename: string;
  readonly size: number;
  /** The data key of its organization and environment. */
  readonly sealedKey: Buffer;
  readonly type: `${string}/${string}`;
}

/** The ready document whose content is this object; null without one. */
export async function findDocumentFile(
  database: Database,
  { tenantId, environment, objectId }: Environment & { readonly objectId: string },
): Promise<DocumentFile | null> {
  const [row] = await database.query<DocumentFile>(
    `select filename, size::float8 as size, sealed_key as "sealedKey", type from gateway.find_file($1, $2, $3)`,
    [tenantId, environment, objectId],
  );
  return row ?? null;
}

/** Erases late one-time codes and deletes signing sessions that are over. */
export async function sweepSigningRows(jobs: Jobs): Promise<void> {
  await jobs.query("select from jobs.sweep_signing()");
}

/** Deletes old deliveries of packages, some at once. @returns their number */
export async function sweepPackageDeliveries(jobs: Jobs): Promise<number> {
  const [row] = await jobs.query<{ deleted: string }>("select jobs.sweep_package_deliveries() as deleted");
  return Number(row?.deleted ?? 0);
}

/** What an erasure erased, or that there was nothing left. */
export interface Erased {
  readonly envelope_id: string;
  /** Null for the whole envelope. */
  readonly participant_id: string | null;
  readonly environment: "live" | "test";
  readonly erased_at: string;
  /** False if it was erased before: the counts are 0. */
  readonly is_new: boolean;
  readonly participants: number;
  readonly documents: number;
  /** Objects of the storage, which jobs remove. */
  readonly objects: number;
  readonly mails: number;
  readonly events: number;
}

/**
 * Erases the personal data of an envelope that has ended, or of one of its participants. Repeated, it changes nothing.
 * @throws AppError 404 not_found, 409 conflict before the end
 */
export async function eraseEnvelope(
  database: Queries,
  {
    tenantId,
    envelopeId,
    participantId,
  }: { readonly tenantId: string; readonly envelopeId: string; readonly participantId: string | null },
): Promise<Erased> {
  const [row] = await database.query<{ erased: Erased }>("select signature.erase_envelope($1, $2, $3) as erased", [
    tenantId,
    envelopeId,
    participantId,
  ]);
  if (row === undefined) throw new Error("signature.erase_envelope answered no row");
  return row.erased;
}
