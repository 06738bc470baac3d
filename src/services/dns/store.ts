import type { ObservedDelegation } from "../../adapters/resolver/observe-delegation.ts";
import type { Jobs, Queries } from "../../postgres/jobs.ts";

/** An API key without its secret. */
export interface DnsKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** Ids of the zones that it is narrowed to; null for all. */
  readonly zones: readonly number[] | null;
  /** Whether it is narrowed to TXT records of _acme-challenge. */
  readonly acme_only: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** What a key is narrowed to, beyond its scopes. */
export interface Narrowing {
  /** Ids of zones of the organization; all by default. */
  readonly zones?: readonly number[] | null;
  /** Whether only TXT records of _acme-challenge. */
  readonly acmeOnly?: boolean;
}

/**
 * Makes an API key. Its secret is not stored.
 * @param scopes all four by default
 * @throws AppError 422 invalid_request
 */
export async function issueKey(
  database: Queries,
  tenantId: string,
  name: string,
  scopes: readonly string[] | null = null,
  { zones = null, acmeOnly = false }: Narrowing = {},
): Promise<DnsKey & { readonly secret: string }> {
  const [key] = await database.query<DnsKey & { readonly secret: string }>(
    "select * from dns.create_key($1, $2, $3, $4, $5)",
    [tenantId, name, scopes, zones, acmeOnly],
  );
  if (key === undefined) throw new Error("dns.create_key answered no row");
  return key;
}

/** The keys of an organization, the oldest first. */
export const listKeys = (database: Queries, tenantId: string): Promise<DnsKey[]> =>
  database.query("select * from dns.list_keys($1)", [tenantId]);

/**
 * Refuses a key from now on.
 * @returns when it was revoked
 * @throws AppError 404 not_found
 */
export async function revokeKey(database: Queries, id: number): Promise<Date> {
  const [revoked] = await database.query<{ readonly at: Date }>(
    "select dns.revoke_key(dns.find_key_owner($1), $1) as at",
    [id],
  );
  if (revoked === undefined) throw new Error("dns.revoke_key answered no row");
  return revoked.at;
}

/** A key of a zone whose private key schema pdns does not have. */
export interface UnservedKey {
  readonly id: number;
  readonly zone_id: number;
  readonly zone_name: string;
  readonly key_tag: number;
  readonly sealed_private_key: Buffer;
}

/** The keys of all zones whose private keys schema pdns does not have. */
export const listUnservedKeys = (database: Queries): Promise<UnservedKey[]> =>
  database.query("select * from dns.list_unserved_keys()");

/**
 * Makes schema pdns, which the nameservers read, again from the zones of all organizations.
 * @param opened private keys that it lacks, by the ids of their keys
 */
export async function rebuildServed(database: Queries, opened: Readonly<Record<string, string>>): Promise<void> {
  await database.query("select dns.rebuild_served($1)", [opened]);
}

/**
 * Makes a zone again that an organization deleted in the last seven days.
 * @throws AppError 404 not_found, 409 zone_exists, 403 zone_limit_reached or zone_not_allowed, 422 record_limit_reached
 */
export async function restoreZone(
  database: Queries,
  tenantId: string,
  name: string,
): Promise<{ readonly id: number; readonly records: number }> {
  const [restored] = await database.query<{ readonly id: number; readonly records: number }>(
    "select * from dns.restore_zone($1, $2)",
    [tenantId, name],
  );
  if (restored === undefined) throw new Error("dns.restore_zone answered no row");
  return restored;
}

/** A zone whose delegation is to be checked. */
export interface DueCheck {
  readonly tenantId: string;
  readonly id: number;
  readonly name: string;
  /** The time of the database at the claim, as it writes it: Date would round it. */
  readonly began: string;
}

/** Claims zones whose delegation is due for a check, for a minute. */
export const claimDelegationChecks = (jobs: Queries, limit: number): Promise<DueCheck[]> =>
  jobs.query(`select tenant_id as "tenantId", id, name, began::text as began from jobs.claim_delegation_checks($1)`, [
    limit,
  ]);

/** Records what the public DNS answered. A zone that is gone meanwhile is left out. */
export async function recordDelegationCheck(
  jobs: Jobs,
  { tenantId, id, began }: DueCheck,
  answers: ObservedDelegation,
): Promise<void> {
  await jobs.call({ tenantId, environment: "live" }, "record_delegation_check", { id, began, answers });
}
