import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import {
  allTables,
  heldTables,
  isOfSystem,
  isPerEnvironment,
  tenantColumn,
  tenantTables,
} from "../../support/tables.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.admin.query<Row>(text, values)).rows;
}

test("every tenant table, and the organizations themselves, is under forced row-level security with one policy", async () => {
  const held = await heldTables(database);
  expect(held.length).toBeGreaterThan(7);
  for (const table of held) {
    const { name, enabled, forced, policies } = table;
    expect({ name, enabled, forced, policies: policies.length }).toEqual({
      name,
      enabled: true,
      forced: true,
      policies: 1,
    });
    const tenant = `(${tenantColumn(table)} = ( SELECT platform.tenant_id() AS tenant_id))`;
    const expected = isPerEnvironment(table)
      ? `(${tenant} AND (environment = ( SELECT platform.environment() AS environment)))`
      : tenant;
    // For every command ("*") and every role.
    expect({ name, ...policies[0] }).toEqual({
      name,
      command: "*",
      permissive: true,
      role: null,
      using: expected,
      check: expected,
    });
  }
});

test("other tables under row-level security are selo_system's alone: forced, with one policy for everything or with none", async () => {
  const held = (await heldTables(database)).map(({ name }) => name);
  const others = (await allTables(database)).filter(({ name, enabled }) => enabled && !held.includes(name));
  expect(others.filter(isOfSystem).length).toBeGreaterThan(2);
  const policy = { command: "*", permissive: true, role: "selo_system", using: "true", check: "true" };
  for (const table of others) {
    const { name, forced, policies } = table;
    expect({ name, forced, policies }).toEqual({ name, forced: true, policies: isOfSystem(table) ? [policy] : [] });
  }
});

test("every partition is under forced row-level security, without a policy: by itself it shows nobody anything", async () => {
  const partitions = await rows<{ name: string; held: boolean; policies: number }>(`
    select relation.oid::regclass::text as name, relation.relrowsecurity and relation.relforcerowsecurity as held,
      (select count(*)::integer from pg_policy where polrelid = relation.oid) as policies
    from pg_class as relation join pg_inherits on inhrelid = relation.oid where relation.relispartition and relation.relkind = 'r' order by 1`);
  expect(partitions.length).toBeGreaterThan(0);
  for (const { name, held, policies } of partitions)
    expect({ name, held, policies }).toEqual({ name, held: true, policies: 0 });
});

test("every primary and unique key of a tenant table starts with tenant_id", async () => {
  const keys = await rows<{ index: string; table: string; first: string }>(`
    select indexrelid::regclass::text as index, indrelid::regclass::text as table, pg_get_indexdef(indexrelid, 1, true) as first
    from pg_index where indisunique`);
  const names = (await tenantTables(database)).map(({ name }) => name);
  const ofTenants = keys.filter(({ table }) => names.includes(table));
  expect(ofTenants.length).toBeGreaterThan(8);
  expect(ofTenants.filter(({ first }) => first !== "tenant_id").map(({ index }) => index)).toEqual([
    // Its organization is what a credential finds out.
    "platform.credentials_pkey",
  ]);
  for (const name of names) expect(ofTenants.map(({ table }) => table)).toContain(name);
});

test("foreign keys to tenant tables start with tenant_id, have an index, and every foreign key states its on delete", async () => {
  const keys = await rows<{
    name: string;
    table: string;
    target: string;
    columns: string[];
    on_delete: string;
    indexed: boolean;
    to_tenant: boolean;
    sets_tenant_null: boolean;
  }>(`
    select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target, confdeltype as on_delete,
      (select array_agg(attname::text order by place) from unnest(conkey) with ordinality as key (number, place)
        join pg_attribute on attrelid = conrelid and attnum = number) as columns,
      -- A foreign key costs its index only where rows of the target are deleted: reference data never is.
      exists (select from pg_index where indrelid = conrelid and indpred is null and indkey::int2[] @> conkey
        and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey) as indexed,
      confrelid = 'platform.organizations'::regclass
        or exists (select from pg_attribute where attrelid = confrelid and attname = 'tenant_id') as to_tenant,
      confdeltype = 'n' and (confdelsetcols is null or exists (
        select from unnest(confdelsetcols) as number join pg_attribute on attrelid = conrelid and attnum = number
        where attname in ('tenant_id', 'environment'))) as sets_tenant_null
    from pg_constraint
    where contype = 'f' and connamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname <> 'extensions')`);
  expect(keys.filter(({ to_tenant }) => to_tenant).length).toBeGreaterThan(3);
  // 'a' is "no action": what is written when nothing is written.
  expect(keys.filter(({ on_delete }) => on_delete === "a")).toEqual([]);
  expect(keys.filter(({ sets_tenant_null }) => sets_tenant_null)).toEqual([]);
  expect(keys.filter(({ to_tenant, columns }) => to_tenant && columns[0] !== "tenant_id")).toEqual([]);
  expect(keys.filter(({ to_tenant, indexed }) => to_tenant && !indexed)).toEqual([]);
});

test("every table, view, column and type has a comment that says something", async () => {
  const silent = await rows<{ name: string }>(`
    select relation.oid::regclass::text as name
    from pg_class as relation
    where relation.relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname <> 'extensions')
      and relation.relkind in ('r', 'p', 'v', 'm', 'f')
      and coalesce(trim(obj_description(relation.oid, 'pg_class')), '') !~ '[a-z]{2}'
    union all
    select relation.oid::regclass::text || '.' || attname
    from pg_class as relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
    where relation.relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname <> 'extensions')
      and relation.relkind in ('r', 'p', 'v', 'm', 'f') and not relation.relispartition
      and coalesce(trim(regexp_replace(col_description(relation.oid, attnum), '^(@[^\\n]*\\n)+', '')), '') !~ '[a-z]{2}'
    union all
    select kind.oid::regtype::text
    from pg_type as kind left join pg_class as relation on relation.oid = kind.typrelid
    where kind.typnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname <> 'extensions')
      and (kind.typtype in ('d', 'e') or relation.relkind = 'c')
      and coalesce(trim(obj_description(kind.oid, 'pg_type')), '') !~ '[a-z]{2}'`);
  expect(silent).toEqual([]);
});

test("nothing stands in schema public", async () => {
  const found = await rows(`
    select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace
    union all select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
    union all select oid::regtype::text from pg_type where typnamespace = 'public'::regnamespace`);
  expect(found).toEqual([]);
});
