import { afterAll, beforeAll, expect, test } from "vitest";
import { readSqlSource, type SqlOfService } from "../../src/postgres/migrate/sql-source.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { allTables, isOfSystem, isPerEnvironment } from "./tables.ts";

/** By the scope that is asked for; `anyone` for none. */
type ByScope = Readonly<Record<string, readonly string[]>>;

/** All that a service lets anybody do, and what it keeps from whom. Lists are in the order of their names. */
export interface ServiceRights {
  /** What gateway.call runs. */
  readonly commands: ByScope;
  /** Views of schemas api and analytics. One that shows another view asks as that one does, whose name stands for the scope. */
  readonly views: ByScope;
  /** What each login may execute by itself. */
  readonly logins: Readonly<Record<string, readonly string[]>>;
  /** What logins may do with tables. */
  readonly loginsOnTables: readonly string[];
  /** What selo_system, which looks across tenants, may do with tables. */
  readonly systemOnTables: readonly string[];
  readonly tables: {
    /** Row-level security shows an organization its own rows of one environment. */
    readonly ofEnvironments: readonly string[];
    /** Row-level security shows an organization its own rows of both environments. */
    readonly ofOrganizations: readonly string[];
    /** Row-level security shows them to functions of selo_system alone. */
    readonly ofSystem?: readonly string[];
    /** They find whose something is, and only functions read them. */
    readonly lookUps: readonly string[];
    /** They belong to no organization. */
    readonly ofNobody: readonly string[];
    /** They refuse these statements, even to the owner. */
    readonly refuse: Readonly<Record<string, string>>;
  };
  /** Functions that write and leave no event in the audit trail, each with its reason. */
  readonly unrecorded: Readonly<Record<string, string>>;
  /** Statements that are refused to the gateway's login: some that only a command or an operator runs. */
  readonly refusedToGateway: readonly string[];
}

/**
 * Tests of one service that it lets nobody do more than it lists.
 * @param open a database with the service; a copy of the template unless given
 */
export function testRights(
  service: SqlOfService,
  rights: ServiceRights,
  open: () => Promise<TestDatabase> = createTestDatabase,
): void {
  const source = readSqlSource([service]);
  const roles = ["selo_app", "selo_worker", "selo_analyst", "selo_service", ...source.logins];
  const schemas = [...source.serviceSchemas.kept, ...source.serviceSchemas.derived];
  const ownViews = source.repeatable.flatMap(({ text }) =>
    [...text.matchAll(/create view (\w+\.\w+)/g)].map(([, name = ""]) => name),
  );
  const isOwnRelation = (name: string) => schemas.includes(name.split(".")[0] ?? "");
  // Made by platform.build_readers for views with these tags.
  const readers = source.repeatable.flatMap(({ text }) =>
    [...text.matchAll(/(?<=comment on view .*)@(get|list) (\w+) /g)].map(([, kind, noun]) => `gateway.${kind}_${noun}`),
  );
  const isOwnFunction = (name: string) =>
    isOwnRelation(name) || source.repeatableFunctions.has(name) || readers.includes(name);
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.drop());

  const rows = async <Row extends object>(text: string) => (await database.admin.query<Row>(text)).rows;
  const names = async (text: string) => (await rows<{ name: string }>(text)).map(({ name }) => name);
  const byScope = (found: readonly { readonly name: string; readonly scope: string | null }[]) =>
    Object.fromEntries(
      [...Map.groupBy(found, ({ scope }) => scope ?? "anyone")].map(([scope, those]) => [
        scope,
        those.map(({ name }) => name),
      ]),
    );

  test("its commands ask for these scopes", async () => {
    const found = await rows<{ name: string; scope: string | null }>(
      `select schema || '.' || name as name, scope from gateway.commands order by name collate "C"`,
    );
    const own = found.filter(({ name }) => isOwnFunction(name));
    expect(byScope(own.map(({ name, scope }) => ({ name: name.replace(/^\w+\./, ""), scope })))).toEqual(
      rights.commands,
    );
  });

  test("its views ask for these scopes", async () => {
    const found = await rows<{ name: string; scope: string | null }>(`
      select format('%s.%s', relnamespace::regnamespace, relname) as name,
        coalesce(
          (regexp_match(pg_get_viewdef(oid), 'SELECT platform\\.may_read\\(''([a-z_:]+)''::text\\)'))[1],
          (regexp_match(pg_get_viewdef(oid), 'FROM (api\\.\\w+)'))[1]) as scope
      from pg_class where relkind = 'v' and relnamespace::regnamespace::text in ('api', 'analytics') order by 1`);
    expect(byScope(found.filter(({ name }) => ownViews.includes(name)))).toEqual(rights.views);
    // GraphQL opens the fields of these, and no others, without a token.
    const tagged = await names(`
      select view as name from gateway.view_comments where column_name = '' and comment ~ '(?n)^@anyone$' order by 1`);
    expect(tagged.filter((name) => ownViews.includes(name))).toEqual(rights.views["anyone"] ?? []);
  });

  test("each login may execute these functions of it by itself", async () => {
    const found = await rows<{ role: string; name: string }>(`
      select role.name as role, format('%s.%s', pronamespace::regnamespace, proname) as name
      from pg_proc as routine cross join unnest(array['${roles.join("', '")}']) as role (name)
      where has_function_privilege(role.name, routine.oid, 'execute') and pg_get_userbyid(proowner) <> role.name
      order by 1, 2`);
    const own = found.filter(({ name }) => isOwnFunction(name));
    expect(
      Object.fromEntries(
        [...Map.groupBy(own, ({ role }) => role)].map(([role, those]) => [role, those.map(({ name }) => name)]),
      ),
    ).toEqual(rights.logins);
  });

  test("logins and groups may do this with its tables", async () => {
    const found = await names(`
      select format('%s %s %s', role.name, privilege, relation.oid::regclass) as name
      from pg_class as relation
      cross join unnest(array['${roles.join("', '")}']) as role (name)
      cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
      where relation.relkind in ('r', 'p', 'S')
        and relation.relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole)
        and case when relation.relkind = 'S'
          then privilege in ('select', 'update') and has_sequence_privilege(role.name, relation.oid, privilege)
          else has_table_privilege(role.name, relation.oid, privilege)
            or privilege in ('select', 'insert', 'update', 'references') and has_any_column_privilege(role.name, relation.oid, privilege) end
      order by 1`);
    expect(found.filter((name) => isOwnRelation(name.split(" ")[2] ?? ""))).toEqual(rights.loginsOnTables);
  });

  test("selo_system may do with its tables what functions across tenants do, and nothing else", async () => {
    const found = await names(`
      select format('%s %s', lower(acl.privilege_type), relation.oid::regclass) as name
      from pg_class as relation cross join aclexplode(relation.relacl) as acl
      where acl.grantee = 'selo_system'::regrole
      union
      select format('%s %s (%s)', lower(acl.privilege_type), attrelid::regclass, attname)
      from pg_attribute cross join aclexplode(attacl) as acl
      where acl.grantee = 'selo_system'::regrole
      order by 1`);
    const own = found.filter((name) => isOwnRelation(name.split(" ")[1] ?? ""));
    expect(own).toEqual(rights.systemOnTables);
    // Each of them is used: a right that no function needs is one too many. Its own functions, and those it calls as itself.
    const sources = await names(
      `select prosrc as name from pg_proc where proowner = 'selo_system'::regrole or not prosecdef and exists (
         select from aclexplode(proacl) where grantee = 'selo_system'::regrole)`,
    );
    const text = sources.join("\n");
    const isUsed = (right: string) => {
      const [verb = "", relation = ""] = right.split(" ");
      const table = relation.replace(".", "\\.");
      const inserted = `insert into ${table}\\b[^;]*\\bon conflict`; // which reads the table and may update it
      const patterns: Readonly<Record<string, string>> = {
        select: `(from|join) ${table}\\b|${inserted}`,
        insert: `insert into ${table}\\b`,
        update: `update ${table}\\b|${inserted}|from ${table}\\b[^;]*\\bfor update\\b`,
        delete: `delete from ${table}\\b`,
      };
      return new RegExp(patterns[verb] ?? "^$").test(text);
    };
    // Those of sealed columns are used through platform.sealed_columns, see test/postgres/catalog/sealed-columns.test.ts.
    expect(own.filter((right) => !isUsed(right) && !/\(sealed_\w+\)$/.test(right))).toEqual([]);
  });

  test("its tables are held by row-level security, but for those that belong to nobody and look-ups", async () => {
    const tables = (await allTables(database)).filter(({ name }) => isOwnRelation(name));
    const listed = (some: typeof tables) => some.map(({ name }) => name);
    const [held, open] = [tables.filter(({ enabled }) => enabled), tables.filter(({ enabled }) => !enabled)];
    const ofTenants = held.filter((table) => !isOfSystem(table));
    const refusing = await rows<{ name: string; events: number }>(`
      select tgrelid::regclass::text as name, bit_or(tgtype::integer)::integer as events
      from pg_trigger where tgfoid::regproc::text ~ '^platform\\.refuse_(change|audit_change|sealed_change)$' and tgenabled = 'O'
      group by 1 order by 1`);
    // Bits of pg_trigger.tgtype.
    const bits = { delete: 8, update: 16, truncate: 32 };
    const refused = refusing
      .filter(({ name }) => isOwnRelation(name))
      .map(({ name, events }) => [
        name,
        Object.entries(bits)
          .flatMap(([statement, bit]) => ((events & bit) > 0 ? [statement] : []))
          .join(", "),
      ]);
    expect({
      ofEnvironments: listed(ofTenants.filter(isPerEnvironment)),
      ofOrganizations: listed(ofTenants.filter((table) => !isPerEnvironment(table))),
      ofSystem: listed(held.filter(isOfSystem)),
      lookUps: listed(open.filter(({ columns }) => columns.includes("tenant_id"))),
      ofNobody: listed(open.filter(({ columns }) => !columns.includes("tenant_id"))),
      refuse: Object.fromEntries(refused),
    }).toEqual({ ofSystem: [], ...rights.tables });
  });

  test("its functions that another role owns say why in their file's second line", async () => {
    const owned = source.repeatable.filter(({ owner }) => owner !== "selo_owner");
    for (const { path, text } of owned)
      expect(text, path).toMatch(/^--! owner \w+\n-- (Looks across tenants|Acts as selo_worker): \S/);
    const listed = owned.map(({ text, owner }) => `${/function (\w+\.\w+)/.exec(text)?.[1]} ${owner}`);
    const found = await names(`
      select format('%s.%s %s', pronamespace::regnamespace, proname, pg_get_userbyid(proowner)) as name
      from pg_proc where pg_get_userbyid(proowner) <> 'selo_owner' and obj_description(oid, 'pg_proc') !~ '(?n)^GENERATED by '
        and pronamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname <> 'extensions')
      order by 1`);
    expect(listed.sort()).toEqual(found.filter((name) => isOwnFunction(name.split(" ")[0] ?? "")));
  });

  test("its functions that write record an event of the audit trail, but for these", async () => {
    const functions = await rows<{ name: string; source: string }>(`
      select format('%s.%s', pronamespace::regnamespace, proname) as name, prosrc as source from pg_proc
      where pronamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole) order by 1`);
    const kept = await names(
      "select nspname::text as name from pg_namespace where nspowner = 'selo_owner'::regrole and nspname not in ('extensions', 'gateway')",
    );
    const writes = new RegExp(`\\b(?:insert into|update(?! set)|delete from)\\s+(?:${kept.join("|")})\\.\\w+`);
    const records = /platform\.(record_audit_events?|make_audit_events)\(/;
    const silent = functions.filter(({ source }) => writes.test(source) && !records.test(source));
    expect(silent.map(({ name }) => name).filter(isOwnFunction)).toEqual(Object.keys(rights.unrecorded).sort());
  });

  test("what only commands and operators do is refused to the gateway's login", async () => {
    const client = await database.admin.connect();
    try {
      await client.query("set session authorization selo_app");
      for (const statement of rights.refusedToGateway)
        await expect(client.query(statement), statement).rejects.toMatchObject({ code: "42501" });
    } finally {
      await client.query("reset session authorization");
      client.release();
    }
  });
}
