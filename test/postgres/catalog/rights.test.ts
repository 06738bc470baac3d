import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { services } from "../../../src/services/services.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { sqlReadme } from "../../support/service-readme.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function rows<Row extends object>(text: string): Promise<Row[]> {
  return (await database.admin.query<Row>(text)).rows;
}

test("the owner is neither superuser nor beyond row-level security, and only selo_system and selo_backup are", async () => {
  const roles = await rows(`
    select rolname::text as role, rolsuper as super, rolbypassrls as bypass, rolcanlogin as login, rolcreaterole as creates_roles,
      rolcreatedb as creates_databases, rolreplication as replicates
    from pg_roles where rolname ~ '^selo_(owner|system|backup|service|analyst|app|worker)$' order by 1`);
  const none = {
    super: false,
    bypass: false,
    login: false,
    creates_roles: false,
    creates_databases: false,
    replicates: false,
  };
  expect(roles).toEqual([
    { role: "selo_analyst", ...none },
    { role: "selo_app", ...none, login: true },
    { role: "selo_backup", ...none, bypass: true },
    { role: "selo_owner", ...none },
    { role: "selo_service", ...none },
    { role: "selo_system", ...none, bypass: true },
    { role: "selo_worker", ...none, login: true },
  ]);
});

test("memberships: our logins are the service, and nobody but an administrator may act as the owner or the system", async () => {
  const members = await rows<{ member: string; role: string }>(`
    select member.rolname::text as member, granted.rolname::text as role
    from pg_auth_members join pg_roles as member on member.oid = member join pg_roles as granted on granted.oid = roleid
    where granted.rolname ~ '^selo_(owner|system|backup|service|worker|app)$' and not member.rolsuper
      and (granted.rolname <> 'selo_service' or member.rolname in ('selo_app', 'selo_worker')) -- logins of services are
      and member.rolname !~ '^(test|keeper)_' -- administrators of other tests of this run
    order by 1, 2`);
  expect(members).toEqual([
    { member: "selo_app", role: "selo_service" },
    { member: "selo_worker", role: "selo_service" },
  ]);
});

test("selo_backup reads every table and sequence that keeps data, and may do nothing else", async () => {
  const rights = await rows<{ name: string; privileges: string | null }>(`
    select relation.oid::regclass::text as name,
      (select string_agg(lower(privilege_type), ', ') from aclexplode(relation.relacl) where grantee = 'selo_backup'::regrole) as privileges
    from pg_class as relation
    where relation.relkind in ('r', 'p', 'S') and relation.relowner = 'selo_owner'::regrole
      and relation.relnamespace::regnamespace::text not in ('api', 'analytics', 'gateway', 'jobs', 'secrets')`);
  expect(rights.length).toBeGreaterThan(20);
  // Derived schemas are made again.
  const { derived } = readSqlSource().serviceSchemas;
  const expected = (name: string) => (derived.includes(name.split(".")[0] ?? "") ? null : "select");
  expect(rights.filter(({ name, privileges }) => privileges !== expected(name))).toEqual([]);
  const other = await rows<{ name: string }>(`
    select oid::regclass::text as name from pg_class cross join aclexplode(relacl) as acl
      where acl.grantee = 'selo_backup'::regrole and (acl.privilege_type <> 'SELECT' or relkind not in ('r', 'p', 'S'))
    union all select oid::regprocedure::text from pg_proc cross join aclexplode(proacl) as acl where acl.grantee = 'selo_backup'::regrole
    union all select oid::regprocedure::text from pg_proc where proowner = 'selo_backup'::regrole
    union all select oid::regclass::text from pg_class where relowner = 'selo_backup'::regrole`);
  expect(other).toEqual([]);
});

test("what is secret is selo_owner's alone: nobody else may even look into its schema", async () => {
  const rights = await rows<{ name: string }>(`
    select nspname::text as name from pg_namespace cross join aclexplode(nspacl) as acl where nspname = 'secrets' and acl.grantee <> nspowner
    union all
    select oid::regclass::text from pg_class cross join aclexplode(relacl) as acl
    where relnamespace = 'secrets'::regnamespace and acl.grantee <> relowner`);
  expect(rights).toEqual([]);
  expect(
    await rows(`select relname::text as name, pg_get_userbyid(relowner)::text as owner from pg_class
      where relnamespace = 'secrets'::regnamespace and relkind = 'r'`),
  ).toEqual([{ name: "context_key", owner: "selo_owner" }]);
});

test("on views there is nothing but select: for the gateway and for analysts", async () => {
  const rights = await rows<{ name: string }>(`
    select distinct format('%s %s', pg_get_userbyid(grantee), lower(privilege_type)) as name
    from pg_class as relation cross join aclexplode(relation.relacl)
    where relation.relkind = 'v' and relation.relnamespace::regnamespace::text in ('api', 'analytics') and grantee <> relation.relowner
    order by 1`);
  expect(rights.map(({ name }) => name)).toEqual(["selo_analyst select", "selo_app select"]);
});

test("PUBLIC has no right on our schemas", async () => {
  const rights = await rows(`
    select nspname::text as schema from pg_namespace cross join aclexplode(nspacl)
    where grantee = 0 and (nspowner = 'selo_owner'::regrole or nspname = 'graphile_worker')`);
  expect(rights).toEqual([]);
});

test("no login may create in a schema, where its overload could come in the way of a definer function", async () => {
  const { rows } = await database.admin.query<{ may: string }>(
    `select role.rolname || ' in ' || schema.nspname as may
     from pg_roles as role, pg_namespace as schema
     where role.rolname in ('selo_app', 'selo_worker', 'selo_analyst', 'selo_service')
       and (schema.nspowner = 'selo_owner'::regrole or schema.nspname in ('public', 'pg_catalog'))
       and has_schema_privilege(role.oid, schema.oid, 'create')`,
  );
  expect(rows).toEqual([]);
});

describe("every schema, function and table belongs to one service, whose test of rights lists what it lets whom do", () => {
  const sources = services.map((service) => ({ service, source: readSqlSource([service]) }));
  const ownerOf = (name: string) =>
    sources.filter(
      ({ source: { serviceSchemas, repeatableFunctions } }) =>
        [...serviceSchemas.kept, ...serviceSchemas.derived].includes(name.split(".")[0] ?? "") ||
        repeatableFunctions.has(name),
    );

  test("schemas are those of the services, and those that all share", async () => {
    const found = await rows<{ name: string }>(
      "select nspname::text as name from pg_namespace where nspowner = 'selo_owner'::regrole order by 1",
    );
    const own = sources.flatMap(({ source: { serviceSchemas } }) => [
      ...serviceSchemas.kept,
      ...serviceSchemas.derived,
    ]);
    const shared = ["analytics", "api", "extensions", "gateway", "jobs", "secrets"];
    expect(found.map(({ name }) => name)).toEqual([...own, ...shared].sort());
  });

  test("functions are of one service each, but for those that platform.build_commands makes", async () => {
    const found = await rows<{ name: string; comment: string }>(`
      select format('%s.%s', pronamespace::regnamespace, proname) as name, obj_description(oid, 'pg_proc') as comment from pg_proc
      where pronamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname not in ('extensions', 'secrets'))`);
    const made = found.filter(({ comment }) => !/^GENERATED by platform\.build_(commands|readers)/m.test(comment));
    expect(made.length).toBeGreaterThan(100);
    expect(made.filter(({ name }) => ownerOf(name).length !== 1)).toEqual([]);
    // What is made is for functions alone.
    const granted = await rows<{ name: string }>(`
      select oid::regprocedure::text as name from pg_proc cross join aclexplode(proacl) as acl
      where obj_description(oid, 'pg_proc') like '%GENERATED by%' and acl.grantee <> proowner`);
    expect(granted).toEqual([]);
  });

  test("views are of one service each", async () => {
    const found = await rows<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relkind = 'v' and relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole)",
    );
    const made = sources.flatMap(({ source }) =>
      source.repeatable.flatMap(({ text }) =>
        [...text.matchAll(/create view (\w+\.\w+)/g)].map(([, name = ""]) => name),
      ),
    );
    expect(found.map(({ name }) => name).sort()).toEqual(made.sort());
  });

  test("tables outside the services' schemas are the list of commands, comments with their tags and what is secret", async () => {
    const found = await rows<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and not relispartition
         and relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole) order by 1`,
    );
    const others = found.filter(({ name }) => ownerOf(name).length !== 1);
    expect(others.map(({ name }) => name)).toEqual([
      "gateway.commands",
      "gateway.view_comments",
      "secrets.context_key",
    ]);
    const granted = await rows(
      `select oid::regclass::text as name, acl.grantee::regrole::text as role, acl.privilege_type as right
       from pg_class cross join aclexplode(relacl) as acl where oid::regclass::text in ('${others.map(({ name }) => name).join("', '")}') and acl.grantee <> relowner`,
    );
    // GraphQL's schema is built by the gateway's login; what everybody reads in /docs is made of the same comments.
    expect(granted).toEqual([{ name: "gateway.view_comments", role: "selo_app", right: "SELECT" }]);
  });

  test.each(services.map(({ name }) => name))("%s has its test of rights", (name) => {
    const text = fs.readFileSync(new URL(`../../services/${name}/rights.test.ts`, import.meta.url), "utf8");
    expect(text).toContain(`testRights(${name}, {`);
  });
});

test("each lock has its place in one order, which stands in the README of the service whose table is locked", async () => {
  const places = services.flatMap((service) =>
    [...sqlReadme(service, "Locks").matchAll(/^\| (\d+) \| `([\w.]+)` \| \S.+ \|$/gm)].map(([, place, table]) => ({
      service: service.name,
      place: Number(place),
      table: table ?? "",
    })),
  );
  expect(places.length).toBeGreaterThan(5);
  expect(new Set(places.map(({ place }) => place)).size).toBe(places.length);
  for (const { service, table } of places) {
    expect(readSqlSource(services.filter(({ name }) => name === service)).serviceSchemas.kept).toContain(
      table.split(".")[0],
    );
    expect(await rows(`select from pg_class where oid = to_regclass('${table}')`)).toHaveLength(1);
  }
});
