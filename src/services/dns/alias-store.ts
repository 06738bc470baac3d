import type { TargetAnswer } from "../../adapters/resolver/ask-target.ts";
import type { Jobs, Queries } from "../../postgres/jobs.ts";

/** A target of ALIAS records that the public DNS is to be asked for. */
export interface DueTarget {
  readonly name: string;
  /** The time of the database at the claim, as it writes it: Date would round it. */
  readonly began: string;
}

/** Claims targets that are due, for a minute. */
export const claimAliasTargets = (jobs: Queries, limit: number): Promise<DueTarget[]> =>
  jobs.query("select name, began::text as began from jobs.claim_alias_targets($1)", [limit]);

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

/** Claims changes that ALIAS names are still to follow, for a minute: so many at most. */
export async function claimAliasNews(
  jobs: Queries,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly followers: readonly Followers[] }> {
  const [news] = await jobs.query<{ readonly ids: readonly string[]; readonly followers: readonly Followers[] }>(
    "select ids, followers from jobs.claim_alias_news($1)",
    [limit],
  );
  return news ?? { ids: [], followers: [] };
}

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

/** Removes changes that all names have followed. */
export async function endAliasNews(jobs: Queries, ids: readonly string[]): Promise<void> {
  await jobs.query("select jobs.end_alias_news($1)", [ids]);
}
