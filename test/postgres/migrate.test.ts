// What the runner does with any schema, tried on a small one, and what it makes of the product's.
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type MigrateOptions, migrate, migrationStatus } from "../../src/postgres/migrate/migrate.ts";
import { MigrationError } from "../../src/postgres/migrate/migration-error.ts";
import { readSqlSource, type SqlSource } from "../../src/postgres/migrate/sql-source.ts";
import { changedSource, type SqlChanges, smallSource } from "../support/changed-source.ts";
import { expectForgotten } from "../support/counted-before.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

/** Every migration of the product, and of the small schema. */
const NAMES = namesOf(readSqlSource());
const SMALL = namesOf(smallSource());

function namesOf({ migrations }: SqlSource): string[] {
  return migrations.map(({ name }) => name);
}

const open: TestDatabase[] = [];
/** With the small schema. It is only copied. */
let small: TestDatabase;
beforeAll(async () => {
  small = await createTestDatabase({ empty: true });
  await run(small);
});
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});
afterAll(() => small.drop());

/** With the small schema, or with none. */
async function newDatabase(
  options: Parameters<typeof createTestDatabase>[0] = { copyOf: small.name },
): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  open.push(database);
  return database;
}

/** With the small schema, changed. */
const run = (database: TestDatabase, changes?: SqlChanges) => migrateTo(database, smallSource(changes));

function migrateTo({ adminUrl, appUrl, workerUrl }: TestDatabase, source: SqlSource, log?: MigrateOptions["log"]) {
  return migrate({ adminUrl, serviceUrls: [appUrl, workerUrl], source, ...(log ? { log } : {}) });
}

async function one<Value>(database: TestDatabase, expression: string): Promise<Value> {
  return (await database.admin.query<{ value: Value }>(`select ${expression} as value`)).rows[0]?.value as Value;
}

const EMPTY_FUNCTION = (name: string) =>
  `create or replace function ${name}() returns integer language sql immutable set search_path = '' as $$ select 1 $$;\n`;

/** Sessions of a database that wait for a lock. */
const waiting = (database: TestDatabase) =>
  one<number>(
    database,
    "(select count(*)::integer from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')",
  );

describe("the product's schema", () => {
  test("a fresh install applies all migrations and the repeatable step; a second run does nothing", async () => {
    const database = await newDatabase({ empty: true });
    const log: string[] = [];
    expect(await migrationStatus(database.adminUrl)).toEqual(NAMES.map((name) => ({ name, appliedAt: null })));
    const began = Date.now();
    const applied = await migrateTo(database, changedSource(), (line) => log.push(line));
    const ended = Date.now();
    expect(applied).toEqual([...NAMES, "repeatable"]);
    expect(log).toEqual([...NAMES.map((name) => `applied ${name}`), "applied the repeatable step"]);
    const before = await one<string>(database, "(select xmin::text from platform.repeatable_step)");
    const oid = await one<number>(database, "'api.proofs'::regclass::oid");
    expect(await migrateTo(database, changedSource())).toEqual([]);
    expect(await one(database, "(select xmin::text from platform.repeatable_step)")).toBe(before);
    expect(await one(database, "'api.proofs'::regclass::oid")).toBe(oid);
    const status = await migrationStatus(database.adminUrl);
    expect(status.map(({ name }) => name)).toEqual(NAMES);
    for (const { appliedAt } of status) {
      expect(appliedAt?.getTime()).toBeGreaterThanOrEqual(began);
      expect(appliedAt?.getTime()).toBeLessThanOrEqual(ended);
    }
  });

  test("a changed file is applied, whatever its parameters and columns were, and grants are there again", async () => {
    const database = await newDatabase({});
    const changes = changedSource({
      "platform/functions/deployment/setting.sql": (text: string) =>
        text.replaceAll("p_name text", "p_setting text").replaceAll("= p_name", "= p_setting"),
      "platform/api/platform_keys.sql": (text: string) =>
        `${text.replace("  key.algorithm,\n", "")}`.replace(/comment on column api\.platform_keys\.algorithm.*\n/, ""),
    });
    const rights = "(select relacl::text from pg_class where oid = 'api.platform_keys'::regclass)";
    const before = await one<string>(database, rights);
    expect(await migrateTo(database, changes)).toEqual(["repeatable"]);
    expect(
      await one(database, "(select proargnames::text from pg_proc where oid = 'platform.setting(text)'::regprocedure)"),
    ).toBe("{p_setting}");
    const columns =
      "(select count(*)::integer from pg_attribute where attrelid = 'api.platform_keys'::regclass and attnum > 0)";
    expect(await one(database, columns)).toBe(6);
    expect(await one(database, rights)).toBe(before);
    expect(await migrateTo(database, changes)).toEqual([]);
    // And back again.
    expect(await migrateTo(database, changedSource())).toEqual(["repeatable"]);
    expect(await one(database, columns)).toBe(7);
  });

  test("0010 and 0021 do away with what the planner knew of ids, and leave everything else as it was", async () => {
    const { adminUrl } = await newDatabase({});
    await expectForgotten(adminUrl);
  });
});

describe("numbered migrations", () => {
  test("twenty at once on an empty database: one works, all succeed", async () => {
    const database = await newDatabase({ empty: true });
    const applied = await Promise.all(Array.from({ length: 20 }, () => run(database)));
    expect(applied.filter((names) => names.length > 0)).toEqual([[...SMALL, "repeatable"]]);
    expect(await one<number>(database, "(select count(*)::integer from platform.migrations)")).toBe(SMALL.length);
  });

  test("several databases of one cluster at once, whose roles they share", async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => newDatabase({ empty: true })));
    const applied = await Promise.all(databases.map((database) => run(database)));
    expect(applied).toEqual(databases.map(() => [...SMALL, "repeatable"]));
  });

  test("an edited migration stops with its name", async () => {
    const database = await newDatabase();
    const edited = run(database, { [`migrations/${SMALL[0]}.sql`]: (text) => `${text}-- a word more\n` });
    await expect(edited).rejects.toThrow(MigrationError);
    await expect(edited).rejects.toThrow(`sql/migrations/${SMALL[0]}.sql was edited`);
    expect(await run(database)).toEqual([]);
  });

  test("a database that is newer than the source stops with the name of what it does not know", async () => {
    const database = await newDatabase();
    const newer = { "migrations/9999-newer.sql": "create table platform.newer (id integer);\n" };
    expect(await run(database, newer)).toEqual(["9999-newer", "repeatable"]);
    await expect(run(database)).rejects.toThrow("the database has migration 9999-newer");
    const status = await migrationStatus(database.adminUrl, smallSource(newer));
    expect(status.at(-1)).toMatchObject({ name: "9999-newer", appliedAt: expect.any(Date) });
  });

  test("a failing migration is named and leaves nothing behind, and the ones before it stay", async () => {
    const database = await newDatabase();
    const changes = {
      "migrations/9001-good.sql": "create table platform.good (id integer);\n",
      "migrations/9002-bad.sql": "create table platform.bad (id integer);\nselect 1 / 0;\n",
    };
    await expect(run(database, changes)).rejects.toThrow(/^migration 9002-bad failed: division by zero$/);
    expect(await one(database, "to_regclass('platform.bad')")).toBeNull();
    expect(await one(database, "to_regclass('platform.good')::text")).toBe("platform.good");
    expect(await one(database, "(select max(name) from platform.migrations)")).toBe("9001-good");
    // Mended, it goes on where it stopped.
    const mended = { ...changes, "migrations/9002-bad.sql": "create table platform.bad (id integer);\n" };
    expect(await run(database, mended)).toEqual(["9002-bad", "repeatable"]);
  });

  test("--! no-transaction runs a statement that refuses transactions, as the owner", async () => {
    const database = await newDatabase();
    const statement =
      "create index concurrently if not exists proofs_by_size on signature.proofs (tenant_id, file_size);\n";
    await expect(run(database, { "migrations/9001-index.sql": statement })).rejects.toThrow(
      "cannot run inside a transaction block",
    );
    const changes = { "migrations/9001-index.sql": `--! no-transaction\n-- Found by size.\n${statement}` };
    expect(await run(database, changes)).toEqual(["9001-index", "repeatable"]);
    const index =
      "(select pg_get_userbyid(relowner) || indisvalid from pg_class join pg_index on indexrelid = oid where relname = 'proofs_by_size')";
    expect(await one(database, index)).toBe("selo_ownertrue");
    expect(await run(database, changes)).toEqual([]);
  });

  test("--! runs its answers: the statements that a query answers run one by one, and again from the beginning after one that failed", async () => {
    const database = await newDatabase();
    const changes = (more: string) => ({
      "migrations/9001-indexes.sql": `--! no-transaction\n--! runs its answers\n-- By size.
        select format('create index concurrently %I on signature.proofs (%I)', 'proofs_of_' || name, name) as text
        from unnest(array['file_size', 'file_name']) as name where to_regclass('signature.proofs_of_' || name) is null ${more};\n`,
    });
    await expect(run(database, changes("union all select 'select 1 / 0'"))).rejects.toThrow(
      /^migration 9001-indexes failed: division by zero$/,
    );
    const made =
      "(select array_agg(relname::text || indisvalid order by 1) from pg_class join pg_index on indexrelid = oid where relname ~ '^proofs_of_')";
    expect(await one(database, made)).toHaveLength(2);
    expect(await run(database, changes(""))).toEqual(["9001-indexes", "repeatable"]);
    expect((await one<string[]>(database, made)).sort()).toEqual([
      "proofs_of_file_nametrue",
      "proofs_of_file_sizetrue",
    ]);
    expect(await run(database, changes(""))).toEqual([]);
  });

  test("a migration waits for its lock in short turns, so that those behind it get through", async () => {
    const database = await newDatabase();
    const holder = new pg.Client({ connectionString: database.adminUrl });
    await holder.connect();
    await holder.query("begin; select count(*) from platform.settings");
    const running = run(database, {
      "migrations/9001-more.sql": "alter table platform.settings add column more text;\n",
    });
    await expect.poll(() => waiting(database)).toBe(1);
    // Behind it, while the holder is still there.
    await database.admin.query("select count(*) from platform.settings");
    expect(await one(database, "(select max(name) from platform.migrations)")).toBe(SMALL.at(-1));
    await holder.query("commit");
    expect(await running).toEqual(["9001-more", "repeatable"]);
    await holder.end();
  });

  test("the owner under FORCE updates no row of a tenant, silently, unless the migration lifts it", async () => {
    const database = await newDatabase();
    const { rows } = await database.admin.query("insert into platform.organizations (name) values ('A') returning id");
    const organization = rows[0].id;
    const rename = (name: string) =>
      `update platform.organizations set name = '${name}' where id = '${organization}';\n`;
    await run(database, { "migrations/9001-rename.sql": rename("B") });
    const name = `(select name from platform.organizations where id = '${organization}')`;
    expect(await one(database, name)).toBe("A");
    const lifted = `alter table platform.organizations no force row level security;\n${rename("C")}alter table platform.organizations force row level security;\n`;
    await run(database, { "migrations/9001-rename.sql": rename("B"), "migrations/9002-rename.sql": lifted });
    expect(await one(database, name)).toBe("C");
  });
});

describe("the repeatable step", () => {
  test("a name that a migration adds is there in what is made of names", async () => {
    const database = await newDatabase();
    const added = { "migrations/9001-lost.sql": "insert into platform.statuses (name) values ('LOST');\n" };
    expect(await run(database, added)).toEqual(["9001-lost", "repeatable"]);
    const names = "(select array_agg(name order by name) from gateway.commands)";
    expect(await one(database, names)).toEqual(["KEPT", "LOST"]);
    expect(await run(database, added)).toEqual([]);
  });

  test("functions that vanish from the source vanish from the database, whatever part they are of", async () => {
    const database = await newDatabase();
    const names = {
      "platform/functions": "platform.passing",
      "signature/functions": "signature.passing",
      "platform/api": "api.passing",
      "platform/gateway": "gateway.passing",
      "platform/jobs": "jobs.passing",
      "platform/analytics": "analytics.passing",
    };
    const more = Object.entries(names).map(([folder, name]) => [`${folder}/passing.sql`, EMPTY_FUNCTION(name)]);
    const there = () =>
      one(
        database,
        `array(select name from unnest('{${Object.values(names)}}'::text[]) as name where to_regprocedure(name || '()') is not null)`,
      );
    expect(await run(database, Object.fromEntries(more))).toEqual(["repeatable"]);
    expect(await there()).toEqual(Object.values(names));
    expect(await run(database)).toEqual(["repeatable"]);
    expect(await there()).toEqual([]);
  });

  test("a function that left the source while something depends on it is an error with its name, and nothing changes", async () => {
    const database = await newDatabase();
    await run(database, { "platform/functions/passing.sql": EMPTY_FUNCTION("platform.passing") });
    await database.admin.query("create table platform.leaning (id integer default platform.passing())");
    const oid = await one<number>(database, "'api.proofs'::regclass::oid");
    await expect(run(database)).rejects.toThrow(
      "function platform.passing() is not in sql/ and cannot be dropped, because something depends on it",
    );
    expect(await one(database, "'api.proofs'::regclass::oid")).toBe(oid);
  });

  describe("what depends on api or gateway from outside is an error before anything is dropped", () => {
    const passing = { "platform/gateway/passing.sql": EMPTY_FUNCTION("gateway.passing") };
    let database: TestDatabase;
    beforeAll(async () => {
      database = await createTestDatabase({ copyOf: small.name });
      await run(database, passing);
    });
    afterAll(() => database.drop());

    test.each([
      ["a view", "create view outside.mine as select id from api.proofs", "view outside.mine"],
      [
        "a materialized view",
        "create materialized view outside.mine as select id from api.proofs with no data",
        "view outside.mine",
      ],
      [
        "a function that returns rows of a view",
        "create function outside.mine() returns setof api.proofs language sql return (select null::api.proofs)",
        "function outside.mine()",
      ],
      ["a column default", "create table outside.mine (id integer default gateway.passing())", "outside.mine"],
      [
        "a row-level security policy",
        "create table outside.mine (id integer); create policy mine on outside.mine using (gateway.passing() = 1)",
        "policy mine",
      ],
      [
        "a check constraint",
        "create table outside.mine (id integer check (gateway.passing() = 1))",
        "constraint mine_check",
      ],
      ["a column of a view's row type", "create table outside.mine (proof api.proofs)", "table outside.mine"],
    ])("%s", async (_what, statement, name) => {
      await database.admin.query(`create schema outside; ${statement}`);
      const refused = run(database, { ...passing, "platform/functions/more.sql": EMPTY_FUNCTION("platform.more") });
      await expect(refused).rejects.toThrow(MigrationError);
      await expect(refused).rejects.toThrow(name);
      await expect(refused).rejects.toThrow("depends on a view or function that is dropped and made again");
      expect(await one(database, "to_regprocedure('platform.more()')")).toBeNull();
      await database.admin.query("drop schema outside cascade");
    });
  });

  test("a file that fails is named, and the database stays as it was", async () => {
    const database = await newDatabase();
    const oid = await one<number>(database, "'api.proofs'::regclass::oid");
    await expect(
      run(database, { "signature/api/wrong.sql": "create view api.wrong as select nothing from signature.proofs;\n" }),
    ).rejects.toThrow(/^sql\/signature\/api\/wrong\.sql failed: column "nothing" does not exist$/);
    expect(await one(database, "'api.proofs'::regclass::oid")).toBe(oid);
    expect(await run(database)).toEqual([]);
  });

  test("it waits for a transaction that holds a view in short turns, lets the others through between them, and then applies", async () => {
    const database = await newDatabase();
    const holder = new pg.Client({ connectionString: database.adminUrl });
    await holder.connect();
    await holder.query("begin; select count(*) from api.proofs");
    const more = { "platform/functions/more.sql": EMPTY_FUNCTION("platform.more") };
    const running = run(database, more);
    // The step is waiting for its lock …
    await expect.poll(() => waiting(database)).toBe(1);
    // … and a reader behind it gets through, although the holder is still there.
    await database.admin.query("select count(*) from api.proofs");
    expect(await one(database, "to_regprocedure('platform.more()')")).toBeNull();
    await holder.query("commit");
    expect(await running).toEqual(["repeatable"]);
    expect(await one(database, "to_regprocedure('platform.more()')::text")).toBe("platform.more()");
    await holder.end();
  });
});

test("an unknown owner in a file's header is refused when the source is read", () => {
  expect(() =>
    smallSource({ "platform/functions/more.sql": `--! owner postgres\n${EMPTY_FUNCTION("platform.more")}` }),
  ).toThrow("sql/platform/functions/more.sql: the owner postgres does not exist");
});

describe("folders below a part", () => {
  const WHERE = "platform/functions/numbers/more.sql";

  test("their files are applied, and dropped when they are gone", async () => {
    const database = await newDatabase();
    const more = { "platform/functions/numbers/deeper/more.sql": EMPTY_FUNCTION("platform.more") };
    expect(await run(database, more)).toEqual(["repeatable"]);
    expect(await one(database, "to_regprocedure('platform.more()')::text")).toBe("platform.more()");
    expect(await run(database)).toEqual(["repeatable"]);
    expect(await one(database, "to_regprocedure('platform.more()')")).toBeNull();
  });

  test.each(["functions", "api", "analytics", "gateway", "jobs"])("%s are read in the order of file names", (part) => {
    const names = ["a", "b", "b_c", "c"];
    const files = ["z/a", "b", "a/z/b_c", "c"].map((file) => `platform/${part}/${file}.sql`);
    const source = smallSource(
      Object.fromEntries(files.map((file, place) => [file, EMPTY_FUNCTION(`platform.${names[place]}`)])),
    );
    const paths = source.repeatable.map(({ path }) => path);
    expect(paths.filter((path) => files.includes(path))).toEqual(files);
  });

  test("a file there that fails is named with its folder", async () => {
    const database = await newDatabase();
    await expect(run(database, { [WHERE]: "create function platform.more() wrong;\n" })).rejects.toThrow(
      `sql/${WHERE} failed: syntax error`,
    );
  });

  test.each([
    ["in two folders", { [WHERE]: "", "platform/functions/words/more.sql": "" }],
    ["in a folder and beside it", { [WHERE]: "", "platform/functions/more.sql": "" }],
  ])("two files of the same name %s are refused when the source is read", (_where, changes) => {
    const [first, second] = Object.keys(changes).map((file) => file.replace("platform/", ""));
    expect(() => smallSource(changes)).toThrow(
      new RegExp(`/platform: (${first} and ${second}|${second} and ${first}) have the same name$`),
    );
  });

  test("two services may have a file of the same name", () => {
    const changes = { [WHERE]: "", "signature/functions/numbers/more.sql": "" };
    const paths = smallSource(changes).repeatable.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(Object.keys(changes)));
  });
});
