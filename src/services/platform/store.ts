import type { Jobs, Queries } from "../../postgres/jobs.ts";

/** @returns how many keys were forgotten; as many as the limit means there may be more */
export async function forgetIdempotencyKeys(jobs: Jobs, limit: number): Promise<number> {
  const [row] = await jobs.query<{ swept: number }>("select jobs.sweep_idempotency_keys($1) as swept", [limit]);
  return row?.swept ?? 0;
}

/** @returns how many addresses and actors were forgotten whose window is over */
export async function forgetRequestCounts(jobs: Jobs): Promise<number> {
  const [row] = await jobs.query<{ swept: number }>("select jobs.sweep_request_counts() as swept");
  return row?.swept ?? 0;
}

/** @returns how many mails lost their personal data; as many as the limit means there may be more */
export async function erasePersonalDataOfMails(jobs: Jobs, limit: number): Promise<number> {
  const [row] = await jobs.query<{ erased: number }>("select jobs.erase_old_mails($1) as erased", [limit]);
  return row?.erased ?? 0;
}

/** What is signed of a seal, as jobs.prepare_audit_seal answers it. */
export type AuditSealPayload = Readonly<Record<string, string | number | null>>;

export async function prepareAuditSeal(database: Queries): Promise<AuditSealPayload> {
  const [row] = await database.slowQuery<{ payload: AuditSealPayload }>("select jobs.prepare_audit_seal() as payload");
  if (row === undefined) throw new Error("jobs.prepare_audit_seal answered no row");
  return row.payload;
}

/** @returns the seal's number; null when another came between the halves */
export async function recordAuditSeal(
  database: Queries,
  evidence: string,
  ed25519: Buffer,
  mlDsa87: Buffer,
): Promise<number | null> {
  const [row] = await database.query<{ number: number | null }>("select jobs.record_audit_seal($1, $2, $3) as number", [
    evidence,
    ed25519,
    mlDsa87,
  ]);
  return row?.number ?? null;
}

/** Has the audit trail verified, by whichever worker comes to it. */
export async function addVerification(jobs: Jobs): Promise<void> {
  await jobs.query("select jobs.add_verification()");
}

/** Nothing is amiss in what the seals up to this one cover. */
export async function recordVerification(jobs: Jobs, seal: number): Promise<void> {
  await jobs.query("select jobs.record_verification($1)", [seal]);
}
