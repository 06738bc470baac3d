import type { TestDatabase } from "./database.ts";

export interface Table {
  readonly name: string;
  readonly columns: string[];
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly policies: {
    readonly command: string;
    readonly using: string | null;
    readonly check: string | null;
    /** Whom it is for; null for everybody. */
    readonly role: string | null;
    readonly permissive: boolean;
  }[];
}

/** Every table of ours but partitions, which are reached through their tables, and what holds callers to their own. */
export async function allTables({ admin }: TestDatabase): Promise<Table[]> {
  const { rows } = await admin.query<Table>(`
    select relation.oid::regclass::text as name, relation.relrowsecurity as enabled, relation.relforcerowsecurity as forced,
      (select array_agg(attname::text) from pg_attribute where attrelid = relation.oid and attnum > 0 and not attisdropped) as columns,
      (select coalesce(json_agg(json_build_object('command', polcmd, 'permissive', polpermissive, 'role', (select string_agg(rolname, ', ') from pg_roles where oid = any (polroles)),
         'using', pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid))), '[]')
       from pg_policy where polrelid = relation.oid) as policies
    from pg_class as relation
    where relation.relkind in ('r', 'p') and not relation.relispartition
      and relation.relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole)
    order by 1`);
  return rows;
}

/** Whether only functions of selo_system reach a table: its rows belong to no organization, or to people of several. */
export const isOfSystem = ({ policies }: Table) =>
  policies.length > 0 && policies.every(({ role }) => role === "selo_system");

/** Those whose rows belong to tenants. Look-ups across tenants are open: each service lists its own in its test of rights. */
export async function tenantTables(database: TestDatabase): Promise<Table[]> {
  const all = await allTables(database);
  return all.filter((table) => table.enabled && !isOfSystem(table) && table.columns.includes("tenant_id"));
}

/** Tenant tables and the organizations themselves: all that row-level security holds apart. */
export async function heldTables(database: TestDatabase): Promise<Table[]> {
  const organizations = (await allTables(database)).filter(({ name }) => name === "platform.organizations");
  return [...organizations, ...(await tenantTables(database))];
}

/** The column that says whose a row is. */
export const tenantColumn = ({ name }: Table) => (name === "platform.organizations" ? "id" : "tenant_id");

/** Whether the two environments of a tenant are kept apart in a table; those that are not are in its service's test of rights. */
export const isPerEnvironment = ({ policies }: Table) =>
  policies.some(({ using }) => using?.includes("platform.environment()"));

/** A view of schema api or analytics that shows, also through another view, a table whose rows belong to organizations. */
export interface TenantView {
  readonly name: string;
  /** How often it asks platform.may_read. */
  readonly asks: number;
  /** Its parts that UNION joins. */
  readonly arms: number;
  /** It shows such a table itself. */
  readonly isDirect: boolean;
}

export async function tenantViews({ admin }: TestDatabase): Promise<TenantView[]> {
  const { rows } = await admin.query<TenantView>(`
    with recursive shows as (
      select distinct rule.ev_class as view, used.oid as shown, used.relkind as kind,
        used.relrowsecurity or exists (select from pg_attribute where attrelid = used.oid and attname = 'tenant_id') as is_tenants
      from pg_rewrite as rule
      join pg_depend as dependency on dependency.classid = 'pg_rewrite'::regclass and dependency.objid = rule.oid
      join pg_class as used on dependency.refclassid = 'pg_class'::regclass and used.oid = dependency.refobjid and used.oid <> rule.ev_class
    ), reached as (
      select view, shown, kind, is_tenants, true as is_direct from shows
      union
      select reached.view, shows.shown, shows.kind, shows.is_tenants, false
      from reached join shows on reached.kind = 'v' and shows.view = reached.shown
    )
    select view.oid::regclass::text as name, bool_or(reached.is_direct) as "isDirect",
      (select count(*)::integer from regexp_matches(pg_get_viewdef(view.oid), 'SELECT platform\\.may_read\\(''[a-z_:]+''::text\\)', 'g')) as asks,
      (select count(*)::integer + 1 from regexp_matches(pg_get_viewdef(view.oid), '\\mUNION\\M', 'g')) as arms
    from reached join pg_class as view on view.oid = reached.view
    where reached.kind in ('r', 'p') and reached.is_tenants and view.relnamespace::regnamespace::text in ('api', 'analytics')
    group by view.oid order by 1`);
  return rows;
}
