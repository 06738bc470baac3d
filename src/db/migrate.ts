import { createHash } from "node:crypto";
import { runMigrations as migrateGraphileWorker } from "graphile-worker";
import pg from "pg";
import { clientConfig, createPool, loginOf, passwordOf } from "./pool.ts";
import { type Migration, type RepeatableFile, readSqlSource, type SqlSource } from "./sql-source.ts";

/** Held for the whole run, so that of many runners started at once one works and the others find nothing left to do. */
const RUNNER_LOCK = 0x5e10;
/** Whatever cannot get its locks lets the traffic pass and comes back. */
const LOCK_TIMEOUT = "2s";
const LOCK_ATTEMPTS = 30;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK_DETECTED = "40P01";

export interface MigrateOptions {
  /** An administrator's connection: may create roles. */
  readonly adminUrl: string;
  /** Connections of our own logins; a login named selo_app or selo_worker gets the password written here. */
  readonly serviceUrls: readonly string[];
  readonly log?: (message: string) => void;
  /** Tests hand in a source of their own. */
  readonly source?: SqlSource;
}

export interface MigrationStatus {
  readonly name: string;
  readonly appliedAt: Date | null;
}

/** What is wrong between the source and a database; the message says which file and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * Brings a database to the state of the source: roles, numbered migrations once each, graphile-worker's own tables,
 * and the repeatable step when its files changed. Safe to run from many processes at once.
 * @returns names of what was applied
 * @throws MigrationError when an applied migration was edited, or the database is newer than the source
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const source = options.source ?? readSqlSource();
  const log = options.log ?? (() => {});
  const client = new pg.Client(clientConfig({ url: options.adminUrl, role: null, applicationName: "selo migrate" }));
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [RUNNER_LOCK]);
    await client.query(source.roles);
    await setPasswords(client, options.serviceUrls);
    await createRecords(client);
    const applied: string[] = [];
    for (const migration of await pendingMigrations(client, source.migrations)) {
      await applyMigration(client, migration);
      log(`applied ${migration.name}`);
      applied.push(migration.name);
    }
    await migrateWorkerTables(client, options.adminUrl);
    if (await applyRepeatable(client, source)) {
      log("applied the repeatable step");
      applied.push("repeatable");
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Every migration of the source with the time it was applied here; reads only. */
export async function migrationStatus(
  adminUrl: string,
  source: SqlSource = readSqlSource(),
): Promise<MigrationStatus[]> {
  const client = new pg.Client(clientConfig({ url: adminUrl, role: null, applicationName: "selo migrate --status" }));
  await client.connect();
  try {
    const known = await client.query("select to_regclass('platform.migrations') is not null as known");
    const records = known.rows[0].known
      ? await client.query("select name, applied_at from platform.migrations")
      : { rows: [] };
    const appliedAt = new Map<string, Date>(records.rows.map((row) => [row.name, row.applied_at]));
    return source.migrations.map(({ name }) => ({ name, appliedAt: appliedAt.get(name) ?? null }));
  } finally {
    await client.end();
  }
}

async function setPasswords(client: pg.Client, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const login = loginOf(url);
    const password = passwordOf(url);
    if (password === null || (login !== "selo_app" && login !== "selo_worker")) continue;
    await client.query(`alter role ${pg.escapeIdentifier(login)} password ${pg.escapeLiteral(password)}`);
  }
}

async function createRecords(client: pg.Client): Promise<void> {
  await client.query(`
    begin;
    set local role selo_owner;
    create table if not exists platform.migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now());
    comment on table platform.migrations is 'Numbered migrations applied to this database, with the hash of their text.';
    comment on column platform.migrations.name is 'File name without its extension.';
    comment on column platform.migrations.hash is 'SHA-256 of the file, hexadecimal: an edited migration is refused.';
    comment on column platform.migrations.applied_at is 'When (UTC).';
    create table if not exists platform.repeatable_step (
      only_row boolean primary key default true check (only_row), hash text not null, applied_at timestamptz not null default now());
    comment on table platform.repeatable_step is 'The joint hash of the views and functions in this database.';
    comment on column platform.repeatable_step.only_row is 'There is one row.';
    comment on column platform.repeatable_step.hash is 'SHA-256 over all repeatable files, hexadecimal.';
    comment on column platform.repeatable_step.applied_at is 'When (UTC).';
    commit;`);
}

async function pendingMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const records = await client.query<{ name: string; hash: string }>("select name, hash from platform.migrations");
  const hashes = new Map(records.rows.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of migrations) {
    const recorded = hashes.get(name);
    if (recorded !== undefined && recorded !== hash) {
      throw new MigrationError(
        `sql/migrations/${name}.sql was edited after it was applied; restore it and add a new migration instead`,
      );
    }
    hashes.delete(name);
  }
  const [unknown] = hashes.keys();
  if (unknown !== undefined) {
    throw new MigrationError(
      `the database has migration ${unknown}, which this version does not know: it is newer; run a newer Selo`,
    );
  }
  const applied = new Set(records.rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  const record = async () => {
    await client.query("insert into platform.migrations (name, hash) values ($1, $2)", [
      migration.name,
      migration.hash,
    ]);
  };
  try {
    if (migration.inTransaction) {
      await inPatientTransaction(client, "set local role selo_owner", async () => {
        await client.query(migration.text);
        await record();
      });
      return;
    }
    // One statement per such file (create index concurrently …), written so that it may run again after a crash.
    await client.query("set role selo_owner");
    await client.query(migration.text);
    await record();
  } catch (error) {
    throw new MigrationError(`migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    await client.query("reset role");
  }
}

/** graphile-worker's own migrations, as the role that owns its tables. They begin with `create schema if not exists`. */
async function migrateWorkerTables(client: pg.Client, adminUrl: string): Promise<void> {
  const pool = createPool({ url: adminUrl, role: "selo_worker", applicationName: "selo migrate" }, 1, () => {});
  const database = pg.escapeIdentifier(client.database ?? "");
  try {
    await client.query(`grant create on database ${database} to selo_worker`);
    await migrateGraphileWorker({ pgPool: pool, schema: "graphile_worker" });
  } finally {
    await client.query(`revoke create on database ${database} from selo_worker`);
    await pool.end();
  }
}

async function applyRepeatable(client: pg.Client, source: SqlSource): Promise<boolean> {
  const recorded = await client.query<{ hash: string }>("select hash from platform.repeatable_step");
  const hash = createHash("sha256")
    .update(source.repeatable.map((file) => `${file.path}\n${file.text}\n`).join(""))
    .digest("hex");
  if (recorded.rows[0]?.hash === hash) return false;
  await inPatientTransaction(client, "set local check_function_bodies = off", async () => {
    await runRepeatable(client, source);
    await client.query("reset role");
    await client.query(
      "insert into platform.repeatable_step (hash) values ($1) on conflict (only_row) do update set hash = excluded.hash, applied_at = now()",
      [hash],
    );
  });
  return true;
}

/** Schemas that hold nothing but views and functions: dropped whole and made anew. */
const REPEATABLE_SCHEMAS = ["api", "analytics", "gateway", "jobs"];
const INTERNAL_SCHEMAS = ["platform", "signature"];

async function runRepeatable(client: pg.Client, source: SqlSource): Promise<void> {
  await client.query("set local role selo_owner");
  // What every request reads first: those under way finish, the others wait here holding nothing, so nobody deadlocks.
  const known = await client.query("select to_regclass('gateway.commands') is not null as commands");
  if (known.rows[0].commands) await client.query("lock table gateway.commands in access exclusive mode");
  await refuseOutsideDependents(client);
  await client.query(`
    drop schema if exists ${REPEATABLE_SCHEMAS.join(", ")} cascade;
    create schema api; create schema analytics; create schema gateway; create schema jobs;
    comment on schema api is 'The product''s public contract: a view per resource, a function per operation.';
    comment on schema analytics is 'Roll-up views for analysts.';
    comment on schema gateway is 'What the gateway calls: whole requests, halves of commands, list pages.';
    comment on schema jobs is 'What the worker calls.';
    grant usage on schema api to selo_app, selo_analyst;
    grant usage on schema analytics to selo_app, selo_analyst;
    grant usage on schema gateway to selo_app;
    grant usage on schema jobs to selo_worker;
    grant usage, create on schema gateway, jobs to selo_system;`);
  await dropFreeFunctions(client, source.migrationFunctions);
  for (const file of source.repeatable) await applyFile(client, file);
  await client.query("set local role selo_owner");
  await client.query("select platform.build_commands()");
  await refuseUnknownFunctions(client, source);
}

async function applyFile(client: pg.Client, file: RepeatableFile): Promise<void> {
  try {
    await client.query(`set local role ${file.owner}`);
    await client.query(file.text);
  } catch (error) {
    if (error instanceof pg.DatabaseError && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK_DETECTED))
      throw error;
    throw new MigrationError(`sql/${file.path} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** The one cascade of the product may only hit what this step makes again. */
async function refuseOutsideDependents(client: pg.Client): Promise<void> {
  const outside = await client.query<{ dependent: string }>(
    `with ours as (
       select 'pg_class'::regclass::oid as classid, oid from pg_class where relnamespace::regnamespace::text = any ($1)
       union all select 'pg_proc'::regclass, oid from pg_proc where pronamespace::regnamespace::text = any ($1)
       union all select 'pg_type'::regclass, oid from pg_type where typnamespace::regnamespace::text = any ($1)
     )
     select pg_describe_object(dependency.classid, dependency.objid, 0) as dependent
     from pg_depend as dependency
     join ours as needed on needed.classid = dependency.refclassid and needed.oid = dependency.refobjid
     -- Rules, defaults, policies, constraints and triggers belong to a relation.
     left join pg_rewrite as rule on dependency.classid = 'pg_rewrite'::regclass and rule.oid = dependency.objid
     left join pg_attrdef as preset on dependency.classid = 'pg_attrdef'::regclass and preset.oid = dependency.objid
     left join pg_policy as policy on dependency.classid = 'pg_policy'::regclass and policy.oid = dependency.objid
     left join pg_constraint as rule_of on dependency.classid = 'pg_constraint'::regclass and rule_of.oid = dependency.objid
     left join pg_trigger as fired on dependency.classid = 'pg_trigger'::regclass and fired.oid = dependency.objid
     where dependency.deptype = 'n' and not exists (
       select from ours where (ours.classid, ours.oid) in (
         (dependency.classid, dependency.objid),
         ('pg_class'::regclass::oid, coalesce(rule.ev_class, preset.adrelid, policy.polrelid, rule_of.conrelid, fired.tgrelid))))
     order by 1`,
    [REPEATABLE_SCHEMAS],
  );
  const [first] = outside.rows;
  if (first) {
    throw new MigrationError(
      `${first.dependent} depends on a view or function that is made anew at every change; drop it or move it into sql/`,
    );
  }
}

/** Internal functions nothing depends on are made anew, so their parameters and results may change. */
async function dropFreeFunctions(client: pg.Client, migrationFunctions: ReadonlySet<string>): Promise<void> {
  const free = await client.query<{ signature: string }>(
    `select routine.oid::regprocedure::text as signature
     from pg_proc as routine
     where routine.pronamespace::regnamespace::text = any ($1)
       and format('%s.%s', routine.pronamespace::regnamespace, routine.proname) <> all ($2)
       and not exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = routine.oid and deptype <> 'e')
       and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = routine.oid and deptype = 'e')`,
    [INTERNAL_SCHEMAS, [...migrationFunctions]],
  );
  for (const { signature } of free.rows) await client.query(`drop function ${signature}`);
}

async function refuseUnknownFunctions(client: pg.Client, source: SqlSource): Promise<void> {
  const known = [...source.migrationFunctions, ...source.repeatableFunctions];
  const unknown = await client.query<{ name: string }>(
    `select routine.oid::regprocedure::text as name from pg_proc as routine
     where routine.pronamespace::regnamespace::text = any ($1)
       and format('%s.%s', routine.pronamespace::regnamespace, routine.proname) <> all ($2)`,
    [INTERNAL_SCHEMAS, known],
  );
  const [first] = unknown.rows;
  if (first) {
    throw new MigrationError(
      `function ${first.name} is not in sql/ and cannot be dropped, because something depends on it`,
    );
  }
}

/** Begun again while others hold its locks: waiting for long would hold up everyone behind it. */
async function inPatientTransaction(client: pg.Client, settings: string, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(client, `set local lock_timeout = '${LOCK_TIMEOUT}'; ${settings}`, work);
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined;
      if (attempt === LOCK_ATTEMPTS || (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK_DETECTED)) throw error;
    }
  }
}

async function inTransaction(client: pg.Client, settings: string, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await client.query(settings);
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
