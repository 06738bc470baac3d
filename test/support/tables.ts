import type { TestDatabase } from "./database.ts";

/** Look-ups across tenants: they find the tenant, so they cannot begin with it, and the owner alone reads them. */
export const GLOBAL_LOOKUPS = ["platform.analysts", "platform.public_codes", "platform.token_hashes"];
/** Their environment is a property of the row: an organization's own functions read both environments of them. */
const BOTH_ENVIRONMENTS = ["platform.credentials", "platform.projects", "platform.tokens"];

export interface Table {
  readonly name: string;
  readonly columns: string[];
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly policies: {
    readonly command: string;
    readonly using: string | null;
    readonly check: string | null;
    readonly roles: string;
    readonly permissive: boolean;
  }[];
}

/** Every table of ours but partitions, which are reached through their tables, and what holds callers to their own. */
export async function allTables({ admin }: TestDatabase): Promise<Table[]> {
  const { rows } = await admin.query<Table>(`
    select relation.oid::regclass::text as name, relation.relrowsecurity as enabled, relation.relforcerowsecurity as forced,
      (select array_agg(attname::text) from pg_attribute where attrelid = relation.oid and attnum > 0 and not attisdropped) as columns,
      (select coalesce(json_agg(json_build_object('command', polcmd, 'permissive', polpermissive, 'roles', polroles::text,
         'using', pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid))), '[]')
       from pg_policy where polrelid = relation.oid) as policies
    from pg_class as relation
    where relation.relkind in ('r', 'p') and not relation.relispartition and relation.relnamespace::regnamespace::text in
      ('api', 'analytics', 'gateway', 'jobs', 'platform', 'secrets', 'signature', 'webhooks')
    order by 1`);
  return rows;
}

/** Those whose rows belong to tenants. */
export async function tenantTables(database: TestDatabase): Promise<Table[]> {
  const all = await allTables(database);
  return all.filter(({ name, columns }) => columns.includes("tenant_id") && !GLOBAL_LOOKUPS.includes(name));
}

/** Tenant tables and the organizations themselves: all that row-level security holds apart. */
export async function heldTables(database: TestDatabase): Promise<Table[]> {
  const organizations = (await allTables(database)).filter(({ name }) => name === "platform.organizations");
  return [...organizations, ...(await tenantTables(database))];
}

/** The column that says whose a row is. */
export const tenantColumn = ({ name }: Table) => (name === "platform.organizations" ? "id" : "tenant_id");

/** Whether the two environments of a tenant are kept apart in a table. */
export const isPerEnvironment = ({ name, columns }: Table) =>
  columns.includes("environment") && !BOTH_ENVIRONMENTS.includes(name);
