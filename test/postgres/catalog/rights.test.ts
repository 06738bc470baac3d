import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

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
      and member.rolname !~ '^(test|keeper)_' -- administrators of other tests of this run
    order by 1, 2`);
  expect(members).toEqual([
    { member: "selo_app", role: "selo_service" },
    { member: "selo_worker", role: "selo_service" },
  ]);
});

test("logins and groups have no right on any table but the reference tables of enums", async () => {
  const rights = await rows<{ name: string }>(`
    select format('%s %s %s', role.rolname, privilege, relation.oid::regclass) as name
    from pg_class as relation
    cross join pg_roles as role
    cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
    where relation.relkind in ('r', 'p', 'S') and role.rolname in ('selo_app', 'selo_worker', 'selo_analyst', 'selo_service')
      and relation.relnamespace::regnamespace::text in ('api', 'analytics', 'gateway', 'jobs', 'platform', 'secrets', 'signature', 'webhooks')
      and case when relation.relkind = 'S'
        then privilege in ('select', 'update') and has_sequence_privilege(role.oid, relation.oid, privilege)
        else has_table_privilege(role.oid, relation.oid, privilege)
          or privilege in ('select', 'insert', 'update', 'references') and has_any_column_privilege(role.oid, relation.oid, privilege) end
    order by 1`);
  expect(rights.map(({ name }) => name)).toEqual([
    "selo_app select platform.credit_kinds",
    "selo_app select platform.environments",
    "selo_app select platform.platform_key_statuses",
    "selo_app select webhooks.delivery_statuses",
    "selo_app select webhooks.delivery_triggers",
    "selo_app select webhooks.disabled_reasons",
    "selo_app select webhooks.endpoint_statuses",
  ]);
});

test("selo_system, which looks across tenants, has on tables what its functions read and write, and nothing else", async () => {
  const rights = await rows<{ name: string }>(`
    select format('%s %s', lower(acl.privilege_type), relation.oid::regclass) as name
    from pg_class as relation cross join aclexplode(relation.relacl) as acl
    where acl.grantee = 'selo_system'::regrole
    union
    select format('%s %s (%s)', lower(acl.privilege_type), attrelid::regclass, attname)
    from pg_attribute cross join aclexplode(attacl) as acl
    where acl.grantee = 'selo_system'::regrole
    order by 1`);
  expect(rights.map(({ name }) => name)).toEqual([
    "delete platform.audit_seal_leaves",
    "delete platform.audit_seal_roots",
    "delete platform.idempotency_keys",
    "delete webhooks.attempts_otherwise",
    "delete webhooks.deliveries",
    "delete webhooks.dispatchers",
    "delete webhooks.endpoints",
    "delete webhooks.events_otherwise",
    "insert platform.actor_uses",
    "insert platform.audit_seal_leaves",
    "insert platform.audit_seal_roots",
    "insert webhooks.attempts",
    "insert webhooks.dispatchers",
    "select platform.actor_kinds",
    "select platform.actor_uses",
    "select platform.analysts",
    "select platform.audit_events",
    "select platform.audit_seal_leaves",
    "select platform.audit_seal_roots",
    "select platform.audit_seals",
    "select platform.credentials",
    "select platform.credit_balances",
    "select platform.credit_ledger",
    "select platform.idempotency_keys",
    "select platform.mails",
    "select platform.migrations",
    "select platform.organizations",
    "select platform.platform_keys",
    "select platform.prices",
    "select platform.projects",
    "select platform.public_codes",
    "select platform.scope_sources",
    "select platform.scopes",
    "select platform.settings",
    "select platform.token_hashes",
    "select platform.tokens",
    "select signature.proofs",
    "select signature.unverified_proofs",
    "select webhooks.attempts",
    "select webhooks.attempts_otherwise",
    "select webhooks.deliveries",
    "select webhooks.dispatchers",
    "select webhooks.endpoints",
    "select webhooks.events",
    "select webhooks.events_otherwise",
    "update platform.actor_uses (last_used_at)",
    "update platform.mails (data)",
    "update platform.mails (erased_at)",
    "update platform.mails (failed_at)",
    "update platform.mails (failure)",
    "update platform.mails (recipient)",
    "update platform.platform_keys (sealed_seed)",
    "update platform.tokens (last_used_at)",
    "update webhooks.deliveries",
    "update webhooks.dispatchers",
    "update webhooks.endpoints",
  ]);
  // Each of them is used: a right that no function needs is one too many.
  const sources = await rows<{ source: string }>(
    // Its own functions, and those it calls as itself.
    `select prosrc as source from pg_proc where proowner = 'selo_system'::regrole or not prosecdef and exists (
       select from aclexplode(proacl) where grantee = 'selo_system'::regrole)`,
  );
  const text = sources.map(({ source }) => source).join("\n");
  // What names its tables only when it runs, see test/postgres/catalog/sealed-columns.test.ts.
  expect(text).toContain("platform.sealed_columns()");
  // "on conflict" names its table in the insert.
  const ofInserts = [
    "select platform.actor_uses",
    "select webhooks.attempts",
    "update platform.actor_uses (last_used_at)",
    "update webhooks.dispatchers",
  ];
  // Until the repeatable step functions of v0.1.0 need them; they go with the release after this one.
  const ofOldFunctions = ["select platform.token_hashes", "update platform.tokens (last_used_at)"];
  const verbs: Readonly<Record<string, string>> = {
    select: "(from|join)",
    insert: "insert into",
    update: "update",
    delete: "delete from",
  };
  const unused = rights.filter(({ name }) => {
    const [verb = "", table = ""] = name.split(" ");
    return !new RegExp(`\\b${verbs[verb]} ${table.replace(".", "\\.")}\\b`).test(text);
  });
  expect(unused.map(({ name }) => name).filter((name) => !/\(sealed_\w+\)$/.test(name))).toEqual(
    [...ofInserts, ...ofOldFunctions].sort(),
  );
});

test("selo_backup reads every table and sequence that keeps data, and may do nothing else", async () => {
  const rights = await rows<{ name: string; privileges: string | null }>(`
    select relation.oid::regclass::text as name,
      (select string_agg(lower(privilege_type), ', ') from aclexplode(relation.relacl) where grantee = 'selo_backup'::regrole) as privileges
    from pg_class as relation
    where relation.relkind in ('r', 'p', 'S') and relation.relowner = 'selo_owner'::regrole
      and relation.relnamespace::regnamespace::text not in ('api', 'analytics', 'gateway', 'jobs', 'secrets')`);
  expect(rights.length).toBeGreaterThan(20);
  expect(rights.filter(({ privileges }) => privileges !== "select")).toEqual([]);
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

test("what each login may execute: its own schema, and the functions that views call", async () => {
  const rights = await rows<{ role: string; names: string[] }>(`
    select role.rolname::text as role, array_agg(format('%s.%s', pronamespace::regnamespace, proname) order by pronamespace::regnamespace::text, proname) as names
    from pg_proc as routine cross join pg_roles as role
    where role.rolname in ('selo_app', 'selo_worker', 'selo_analyst') and has_function_privilege(role.oid, routine.oid, 'execute')
      and pronamespace::regnamespace::text in ('api', 'analytics', 'gateway', 'jobs', 'platform', 'signature', 'webhooks')
      and proowner <> role.oid
    group by 1 order by 1`);
  const context = [
    "platform.analyst_environment",
    "platform.analyst_tenant_id",
    "platform.environment",
    "platform.fail",
    "platform.is_entered",
    "platform.may_read",
    "platform.refuse_unentered",
    "platform.require_scope",
    "platform.tenant_id",
  ];
  expect(rights).toEqual([
    { role: "selo_analyst", names: [...context, "signature.public_evidence"] },
    {
      role: "selo_app",
      names: [
        "gateway.authorize",
        "gateway.call",
        "gateway.call_many",
        "gateway.close_webhook_streams",
        "gateway.count_actor_requests",
        "gateway.count_requests",
        "gateway.count_token_requests",
        "gateway.enter",
        "gateway.queue_states",
        "gateway.read_webhook_streams",
        "gateway.readiness",
        "gateway.record_actor_use",
        "gateway.record_token_use",
        "gateway.signing_keys",
        ...context,
        "signature.public_evidence",
      ],
    },
    {
      role: "selo_worker",
      names: [
        "jobs.add_verification",
        "jobs.add_webhook_day",
        "jobs.audit_check",
        "jobs.audit_checks",
        "jobs.audit_ranges",
        "jobs.audit_seal_faults",
        "jobs.audit_sealed_events",
        "jobs.audit_seals",
        "jobs.audit_tree_leaves",
        "jobs.audit_trees",
        "jobs.audit_unread_rows",
        "jobs.audit_walk",
        "jobs.call",
        "jobs.claim_deliveries",
        "jobs.delete_old_deliveries",
        "jobs.drop_webhook_day",
        "jobs.environments_with_unverified_proofs",
        "jobs.erase_old_mails",
        "jobs.leave_dispatch",
        "jobs.platform_keys",
        "jobs.prepare_audit_seal",
        "jobs.proof_alarms",
        "jobs.queue_states",
        "jobs.read_signatures",
        "jobs.record_attempts",
        "jobs.record_audit_seal",
        "jobs.record_verification",
        "jobs.release_deliveries",
        "jobs.sealed_organizations",
        "jobs.signing_keys",
        "jobs.sweep_idempotency_keys",
        "jobs.sweep_request_counts",
        "jobs.verified_seal",
        ...context,
      ],
    },
  ]);
});

test("the halves of a command are refused to the gateway's login outside gateway.call", async () => {
  const app = new pg.Client({ connectionString: database.appUrl });
  await app.connect();
  try {
    for (const statement of [
      "select gateway.record_proofs('[]')",
      "select gateway.run_command('record_proofs', '{}')",
      "select gateway.find_public_proof('7Q2M-K9XT-4HBC')",
      "select gateway.find_proof_of_digest('00')",
      "select gateway.prepare_receipt(null)",
      "select signature.public_proof(null, 'live', null)",
      "select signature.find_earliest_proof('00')",
      "select platform.find_public_code('7Q2M-K9XT-4HBC')",
      "select jobs.sweep_request_counts()",
      "select platform.create_token(null, 'live', 'x', '{}')",
      "select platform.grant_credits(null, 'signature', 1)",
      "select platform.enter_context(null, null, null, null)",
      "select platform.enter_context(null, null, null, null, null)",
      "select * from platform.find_credential(null)",
      "select * from platform.credentials",
      "select signature.search_proofs(null, 'live', 'x', 1)",
      "select jobs.call(null, 'live', 'x')",
      "select gateway.create_webhook(null, 'https://example.com', false, '{*}', '')",
      "select webhooks.emit_event('webhook.test', null, '{}', now())",
      "select jobs.claim_deliveries(null, false, null, null, null, 1)",
      "select * from signature.proofs",
      "select * from webhooks.endpoints",
      "select * from webhooks.events",
      "select * from webhooks.events_otherwise",
      "select * from platform.token_hashes",
      "select * from platform.public_codes",
      "select * from platform.request_counts",
      "select * from secrets.context_key",
      "select platform.context_mac()",
      "select api.get_billing_plan()",
      "select * from api.list_credit_usage()",
      "select * from api.search_proofs('x')",
      "select api.delete_webhook(null)",
      "select gateway.list_platform_keys()",
      "insert into api.proofs (id) values (gen_random_uuid())",
      "set role selo_owner",
      "create table public.mine ()",
      "create schema mine",
    ])
      await expect(app.query(statement), statement).rejects.toMatchObject({ code: "42501" });
  } finally {
    await app.end();
  }
});

test("PUBLIC has no right on our schemas", async () => {
  const rights = await rows(`
    select nspname::text as schema from pg_namespace cross join aclexplode(nspacl)
    where grantee = 0 and nspname in ('api', 'analytics', 'gateway', 'jobs', 'platform', 'secrets', 'signature', 'webhooks', 'graphile_worker', 'extensions')`);
  expect(rights).toEqual([]);
});

test("no login may create in a schema, where its overload could come in the way of a definer function", async () => {
  const { rows } = await database.admin.query<{ may: string }>(
    `select role.rolname || ' in ' || schema.nspname as may
     from pg_roles as role, pg_namespace as schema
     where role.rolname in ('selo_app', 'selo_worker', 'selo_analyst', 'selo_service')
       and schema.nspname in ('api', 'analytics', 'gateway', 'jobs', 'platform', 'secrets', 'signature', 'webhooks', 'extensions', 'public', 'pg_catalog')
       and has_schema_privilege(role.oid, schema.oid, 'create')`,
  );
  expect(rows).toEqual([]);
});
