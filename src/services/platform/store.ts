import type { Jobs, Queries } from "../../postgres/jobs.ts";

/** @returns the number of keys deleted; a number equal to the limit means that more may be left */
export async function forgetIdempotencyKeys(jobs: Jobs, limit: number): Promise<number> {
  const [row] = await jobs.query<{ swept: number }>("select jobs.sweep_idempotency_keys($1) as swept", [limit]);
  return row?.swept ?? 0;
}

/** @returns the number of addresses and actors deleted whose window is over */
export async function forgetRequestCounts(jobs: Jobs): Promise<number> {
  const [row] = await jobs.query<{ swept: number }>("select jobs.sweep_request_counts() as swept");
  return row?.swept ?? 0;
}

/** @returns the number of mails whose personal data was erased; a number equal to the limit means that more may be left */
export async function erasePersonalDataOfMails(jobs: Jobs, limit: number): Promise<number> {
  const [row] = await jobs.query<{ erased: number }>("select jobs.erase_old_mails($1) as erased", [limit]);
  return row?.erased ?? 0;
}

/** Records what a worker observed of components at this moment. */
export async function recordFaults(
  jobs: Jobs,
  states: Readonly<Record<string, "ok" | "part" | "failed" | "unknown">>,
): Promise<void> {
  await jobs.query("select from jobs.record_faults($1)", [states]);
}

/** The text that a seal signs, as jobs.prepare_audit_seal returns it. */
export type AuditSealPayload = Readonly<Record<string, string | number | null>>;

export async function prepareAuditSeal(database: Queries): Promise<AuditSealPayload> {
  const [row] = await database.slowQuery<{ payload: AuditSealPayload }>("select jobs.prepare_audit_seal() as payload");
  if (row === undefined) throw new Error("jobs.prepare_audit_seal answered no row");
  return row.payload;
}

/** @returns the seal's number; null if another seal was recorded between prepareAuditSeal and this call */
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

/** Adds the job that verifies the audit trail; any worker may run it. */
export async function addVerification(jobs: Jobs): Promise<void> {
  await jobs.query("select jobs.add_verification()");
}

/** Records that the audit trail up to this seal was verified without a fault. */
export async function recordVerification(jobs: Jobs, seal: number): Promise<void> {
  await jobs.query("select jobs.record_verification($1)", [seal]);
}
