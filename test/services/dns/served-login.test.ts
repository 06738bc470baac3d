// The nameservers' login reads what they serve, and nothing else: issue "DNS hosting I" §5.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServedStage } from "./served-stage.ts";

let stage: ServedStage;
beforeAll(async () => {
  stage = await ServedStage.open();
});
afterAll(() => stage?.close());

const rows = async <Row extends object>(text: string) => (await stage.database.admin.query<Row>(text)).rows;

/** What a statement gives to the login. */
async function asLogin(text: string): Promise<readonly object[]> {
  const client = await stage.database.admin.connect();
  try {
    await client.query("set session authorization selo_dns");
    return (await client.query<object>(text)).rows;
  } finally {
    await client.query("reset session authorization");
    client.release();
  }
}

test("reads the zones of all organizations", async () => {
  const zone = await stage.newZone();
  expect(await asLogin("select id, name from pdns.domains")).toEqual([zone]);
  expect(await asLogin("select type from pdns.records order by 1")).toEqual([
    { type: "NS" },
    { type: "NS" },
    { type: "SOA" },
  ]);
});

test("has one right on each of five tables, and no other right on any table of ours", async () => {
  const found = await rows<{ name: string }>(`
    select privilege || ' ' || relation.oid::regclass as name
    from pg_class as relation cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
    where relation.relkind in ('r', 'p', 'v', 'm', 'f') and relation.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      and (has_table_privilege('selo_dns', relation.oid, privilege)
        or privilege in ('select', 'insert', 'update', 'references') and has_any_column_privilege('selo_dns', relation.oid, privilege))
    order by 1`);
  expect(found.map(({ name }) => name)).toEqual([
    "select pdns.cryptokeys",
    "select pdns.domainmetadata",
    "select pdns.domains",
    "select pdns.records",
    "select pdns.tsigkeys",
  ]);
});

test("uses one schema of ours, makes nothing in any, and calls no function in any", async () => {
  const used = await rows<{ name: string }>(`
    select nspname::text as name from pg_namespace
    where nspname !~ '^(pg_|information_schema)' and (has_schema_privilege('selo_dns', oid, 'usage') or has_schema_privilege('selo_dns', oid, 'create'))`);
  expect(used.map(({ name }) => name).sort()).toEqual(["pdns", "public"]);
  expect(await rows("select from pg_namespace where has_schema_privilege('selo_dns', oid, 'create')")).toEqual([]);
  const called = await rows(`
    select oid::regprocedure::text as name from pg_proc
    where pronamespace::regnamespace::text !~ '^(pg_|information_schema)' and has_function_privilege('selo_dns', oid, 'execute')
      and has_schema_privilege('selo_dns', pronamespace, 'usage')`);
  expect(called).toEqual([]);
});

test("is a member of no role, and nothing more than a login", async () => {
  const [role] = await rows(
    "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin from pg_roles where rolname = 'selo_dns'",
  );
  expect(role).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolcanlogin: true,
  });
  expect(await rows("select from pg_auth_members where member = 'selo_dns'::regrole")).toEqual([]);
});

test.each([
  "select * from dns.zones",
  "select * from dns.records",
  "select * from platform.organizations",
  "select dns.publish_zone(1)",
  "select dns.rebuild_served()",
  "select dns.audit_check_served(null)",
  "select platform.tenant_id()",
  "select gateway.read_dns_me()",
  "update pdns.records set content = '192.0.2.66'",
  "delete from pdns.domains",
  "insert into pdns.tsigkeys values ('a', 'b', 'c')",
  "truncate pdns.records",
  "create table pdns.mine ()",
  "create table public.mine ()",
  "set role selo_owner",
])("may not %s", async (statement) => {
  await expect(asLogin(statement)).rejects.toMatchObject({ code: "42501" });
});
