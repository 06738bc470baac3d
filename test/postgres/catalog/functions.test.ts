import { afterAll, beforeAll, expect, test } from "vitest";
import { ANY_TOKEN } from "../../../src/postgres/command.ts";
import { commands } from "../../../src/postgres/generated/commands.ts";
import { PAGE_SIZE } from "../../../src/surfaces/page-size.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

interface Routine {
  readonly name: string;
  readonly schema: string;
  readonly owner: string;
  readonly definer: boolean;
  readonly volatility: "i" | "s" | "v";
  readonly settings: string[] | null;
  readonly bound: boolean;
  readonly comment: string | null;
  readonly source: string;
  readonly parameters: string[];
  readonly result: string;
  readonly returns_set: boolean;
  readonly public_may: boolean;
}

let database: TestDatabase;
let routines: Routine[];
beforeAll(async () => {
  database = await createTestDatabase();
  const found = await database.admin.query<Routine>(`
    select format('%s.%s', pronamespace::regnamespace, proname) as name, pronamespace::regnamespace::text as schema,
      pg_get_userbyid(proowner)::text as owner, prosecdef as definer, provolatile as volatility, proconfig as settings,
      prosqlbody is not null as bound, obj_description(oid, 'pg_proc') as comment, prosrc as source,
      coalesce(proargnames[1:pronargs], '{}') as parameters, prorettype::regtype::text as result, proretset as returns_set,
      exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0) as public_may
    from pg_proc
    where pronamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole and nspname <> 'extensions')
    order by 1`);
  routines = found.rows;
  expect(routines.length).toBeGreaterThan(40);
});
afterAll(() => database.drop());

const names = (some: readonly Routine[]) => some.map(({ name }) => name);

test("search_path is empty and fixed, save for functions whose bodies are bound when they are made", () => {
  // A SET would keep functions from being inlined that every policy and view calls.
  const loose = routines.filter(({ settings }) => !settings?.includes('search_path=""'));
  expect(loose.length).toBeGreaterThan(0);
  expect(loose.filter(({ bound, definer }) => !bound || definer)).toEqual([]);
});

test("every function has a comment and no overload, parameters begin with p_, and stand before results", () => {
  expect(names(routines.filter(({ comment }) => !/[a-z]{2}/.test(comment ?? "")))).toEqual([]);
  const overloaded = names(routines).filter((name, place, all) => all.indexOf(name) !== place);
  expect(overloaded).toEqual([]);
  expect(names(routines.filter(({ parameters }) => parameters.some((name) => !name.startsWith("p_"))))).toEqual([]);
});

test("PUBLIC may execute none of our functions", () => {
  expect(names(routines.filter(({ public_may }) => public_may))).toEqual([]);
});

test("every function of api, and each command, says first whom it is for: one known scope, any token, or anyone", async () => {
  const scopes = await database.admin.query<{ name: string }>("select name from platform.scopes");
  const known = new Set(scopes.rows.map(({ name }) => name));
  const asked = routines.filter(({ schema, name }) => schema === "api" || name.replace(/^gateway\./, "") in commands);
  expect(asked.length).toBe(Object.keys(commands).length);
  for (const { name, source } of asked) {
    const guards = [...source.matchAll(/platform\.(?:require_scope\('([^']*)'\)|(?:require_token|allow_anyone)\(\))/g)];
    expect({ name, guards: guards.length }).toEqual({ name, guards: 1 });
    const scope = guards[0]?.[0] === "platform.require_token()" ? ANY_TOKEN : (guards[0]?.[1] ?? null);
    if (scope !== null && scope !== ANY_TOKEN) expect(known).toContain(scope);
    const first = /^\s*(?:begin|.*?\nbegin)\s+perform (platform\.(?:require_scope|require_token|allow_anyone)\()/s.exec(
      source,
    );
    expect({ name, first: first !== null }).toEqual({ name, first: true });
    // What the dispatcher asks before a replay is what the function asks.
    const command = commands[name.replace(/^\w+\./, "") as keyof typeof commands];
    expect({ name, scope: command.scope }).toEqual({ name, scope });
  }
});

test("resource views run with their owner's rights: security_invoker would ask logins for rights on tables", async () => {
  const views = await database.admin.query(
    "select relname from pg_class where relnamespace = 'api'::regnamespace and relkind = 'v' and reloptions is not null",
  );
  expect(views.rows).toEqual([]);
});

test("what is immutable looks at nothing that changes, and only what is volatile writes", async () => {
  const schemas = new Set(routines.map(({ schema }) => schema));
  const ours = [...schemas].join("|");
  const looking = new RegExp(`\\b(from|join) (${ours})\\.|current_setting|clock_timestamp|now\\(\\)`);
  expect(names(routines.filter(({ volatility, source }) => volatility === "i" && looking.test(source)))).toEqual([]);
  const writing = new RegExp(`\\b(insert into|update|delete from) (${ours})\\.`);
  expect(names(routines.filter(({ volatility, source }) => volatility !== "v" && writing.test(source)))).toEqual([]);
});

test("nobody owns a function without being its definer, save selo_owner", () => {
  expect(names(routines.filter(({ owner, definer }) => !definer && owner !== "selo_owner"))).toEqual([]);
});

test("the dispatcher can give every command's result to the wire", () => {
  const asked = routines.filter(({ name }) => /^(api|gateway)\./.test(name) && name.replace(/^\w+\./, "") in commands);
  for (const { name, result, returns_set } of asked) {
    const known = returns_set ? /^api\.\w+$/ : /^(api\.\w+|jsonb?|void|boolean|integer|bigint|text)$/;
    expect({ name, known: known.test(result) }).toEqual({ name, known: true });
  }
});

/** Lists whose page is all of them unless a limit is given, which then may be larger: dns-hosting §4. */
const WHOLE_LISTS = ["list_dns_records", "list_dns_zones"];

test("the default size of a page stands in platform.page_size alone", async () => {
  const { rows } = await database.admin.query(
    `select parameter.command, parameter.default_value, parameter.limits ->> 'maximum' as most
     from platform.command_parameters() as parameter where parameter.name = 'limit'`,
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { command, ...found } of rows)
    expect({ command, ...found }).toEqual({
      command,
      default_value: WHOLE_LISTS.includes(command) ? "NULL::integer" : "platform.page_size()",
      most: WHOLE_LISTS.includes(command) ? "5000" : String(PAGE_SIZE.most),
    });
  expect((await database.admin.query("select platform.page_size() as preset")).rows).toEqual([
    { preset: PAGE_SIZE.preset },
  ]);
});
