import type { Environment, Jobs } from "../../postgres/jobs.ts";

/** Where proofs wait for their second verification. */
export function environmentsWithUnverifiedProofs(jobs: Jobs): Promise<Environment[]> {
  return jobs.query<Environment>(
    `select tenant_id as "tenantId", environment from jobs.environments_with_unverified_proofs()`,
  );
}

/** How many proofs failed their second verification, and how many have waited for it too long. */
export async function proofAlarms(jobs: Jobs): Promise<{ readonly failed: number; readonly overdue: number }> {
  const [row] = await jobs.query<{ failed: number; overdue: number }>(
    "select failed, overdue from jobs.proof_alarms()",
  );
  return row ?? { failed: 0, overdue: 0 };
}
