import type { TargetAnswer } from "../../../adapters/resolver/ask-target.ts";
import type { Jobs, Queries } from "../../../postgres/jobs.ts";

/** A target of ALIAS records that the public DNS is to be asked for. */
export interface DueTarget {
  readonly name: string;
  /** The time of the database at the claim, as it writes it: Date would round it. */
  readonly began: string;
}

/**
 * Claims targets that are due, for a minute.
 * @param isFailing those that did not answer last time, or the others
 */
export const claimAliasTargets = (jobs: Queries, limit: number, isFailing: boolean): Promise<DueTarget[]> =>
  jobs.query("select name, began::text as began from jobs.claim_alias_targets($1, $2)", [limit, isFailing]);

/** Records what the public DNS said about a target. */
export async function recordAliasTarget(
  jobs: Queries,
  name: string,
  began: string,
  answers: readonly TargetAnswer[],
): Promise<void> {
  await jobs.query("select jobs.record_alias_target($1, $2, $3)", [name, began, JSON.stringify(answers)]);
}

/** ALIAS names of a zone that follow a change. */
interface Followers {
  readonly tenant_id: string;
  readonly zone_id: number;
  readonly names: readonly string[];
}

/**
 * Writes down which ALIAS names are to follow changes.
 * @param limit so many changes at most
 * @returns for how many changes it did; and how many stay, because an ALIAS that follows is being settled
 */
export async function noteAliasFollowers(jobs: Queries, limit: number): Promise<{ noted: number; held: number }> {
  const [row] = await jobs.query<{ noted: number; held: number }>(
    "select noted, held from jobs.note_alias_followers($1)",
    [limit],
  );
  if (row === undefined) throw new Error("jobs.note_alias_followers answered no row");
  return row;
}

/** Claims ALIAS names that are to follow a change, for a minute: so many at most. */
export const claimAliases = (jobs: Queries, limit: number): Promise<Followers[]> =>
  jobs.query("select tenant_id, zone_id, names from jobs.claim_aliases($1)", [limit]);

/**
 * Finds the addresses of ALIAS names, and publishes them.
 * @returns the name of the zone if they changed; and whether a zone on the way was being changed, so that they are tried again
 */
export async function settleAliasesOf(
  jobs: Jobs,
  { tenant_id, zone_id, names }: Followers,
): Promise<{ readonly zone: string | null; readonly is_busy: boolean }> {
  const tenant = { tenantId: tenant_id, environment: "live" } as const;
  return (await jobs.call(tenant, "settle_aliases", { zone_id, names })) as { zone: string | null; is_busy: boolean };
}
