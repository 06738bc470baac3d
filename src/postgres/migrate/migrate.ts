import { setTimeout } from "node:timers/promises";
import { runMigrations as migrateGraphileWorker } from "graphile-worker";
import pg from "pg";
import { scramVerifier } from "../operator/scram-verifier.ts";
import { inPatientTransaction, type PatientOptions } from "../patient-transaction.ts";
import { clientConfig, createPool, loginOf, passwordOf } from "../pool.ts";
import { MigrationError } from "./migration-error.ts";
import { applyRepeatableStep } from "./repeatable-step.ts";
import { type Migration, missingServices, readSqlSource, type SqlSource } from "./sql-source.ts";

/** Held for the whole run: of several runners started at once one works, and the others then find nothing left to do. */
const RUNNER_LOCK = 0x5e10;
/** How long a runner waits before it asks for the lock again. */
const RUNNER_RETRY_MS = 100;
/** The runner's own records, which describe this database independent of its data. */
export const RUNNER_TABLES = ["platform.migrations", "platform.repeatable_step"];

export interface MigrateOptions extends PatientOptions {
  /** The address of an administrator who may create roles. */
  readonly adminUrl: string;
  /** Connections of our own logins: selo_app, selo_worker, and services' logins. Each login gets the password in its address. */
  readonly serviceUrls: readonly string[];
  /** Called for each applied step, and while waiting. */
  readonly log?: (message: string) => void;
  /** The product's source by default. */
  readonly source?: SqlSource;
}

export interface MigrationStatus {
  readonly name: string;
  readonly appliedAt: Date | null;
}

/**
 * Brings a database to the state of the source: roles, numbered migrations once each, graphile-worker's own tables,
 * and the repeatable step when its files changed or a migration was applied. Safe to run from many processes at once.
 * @returns names of the applied migrations and steps
 * @throws MigrationError if an applied migration was edited, or if the database is newer than the source
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const source = options.source ?? readSqlSource();
  const log = options.log ?? (() => {});
  const client = new pg.Client(clientConfig({ url: options.adminUrl, role: null, applicationName: "selo migrate" }));
  await client.connect();
  try {
    await lockRunners(client);
    const applied = await applyNumbered(client, { ...options, source });
    if (await applyRepeatableStep(client, source, options)) {
      log("applied the repeatable step");
      applied.push("repeatable");
    }
    return applied;
  } finally {
    await client.end();
  }
}

/** Waits until nobody else migrates or restores this database (with `shared`: others may back it up at the same time). Held until the connection ends. */
export async function lockRunners(client: pg.Client, mode: "exclusive" | "shared" = "exclusive"): Promise<void> {
  const lock = mode === "shared" ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
  // A statement that waited here would hold a snapshot. `create index concurrently` of the runner waits for every older snapshot, so both would wait for ever.
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`select ${lock}($1) as locked`, [RUNNER_LOCK]);
    if (rows[0]?.locked) return;
    await setTimeout(RUNNER_RETRY_MS);
  }
}

/**
 * Everything of {@link migrate} except the repeatable step, on a connection that holds the runner's lock: roles, numbered migrations,
 * graphile-worker's tables.
 * @returns names of the applied migrations
 */
export async function applyNumbered(
  client: pg.Client,
  options: MigrateOptions & { readonly source: SqlSource },
): Promise<string[]> {
  const { source, log = () => {} } = options;
  await prepareRoles(client, source, options.serviceUrls);
  await createRecords(client);
  const applied: string[] = [];
  for (const migration of await pendingMigrations(client, source)) {
    await applyMigration(client, migration, options);
    log(`applied ${migration.name}`);
    applied.push(migration.name);
  }
  await migrateWorkerTables(client, options.adminUrl);
  return applied;
}

/** Every migration of the source with the time it was applied here. Only reads. */
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

const MOST_ATTEMPTS = 5;

/** Roles belong to the whole cluster. If two databases are migrated at the same moment, Postgres refuses one ("tuple concurrently updated", XX000), which tries again. */
async function prepareRoles(client: pg.Client, source: SqlSource, urls: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(
        "select set_config('selo.schemas', $1, false), set_config('selo.derived_schemas', $2, false), set_config('selo.logins', $3, false)",
        [source.serviceSchemas.kept, source.serviceSchemas.derived, source.logins].map((names) => names.join(",")),
      );
      for (const roles of [source.roles, ...source.serviceRoles]) await client.query(roles);
      return await setPasswords(client, ["selo_app", "selo_worker", ...source.logins], urls);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !(error instanceof pg.DatabaseError) || error.code !== "XX000") throw error;
    }
  }
}

async function setPasswords(client: pg.Client, logins: readonly string[], urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const login = loginOf(url);
    const password = passwordOf(url);
    if (password === null || login === null || !logins.includes(login)) continue;
    const secret = pg.escapeLiteral(scramVerifier(password) ?? password);
    await client.query(`alter role ${pg.escapeIdentifier(login)} password ${secret}`);
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
    comment on column platform.repeatable_step.hash is 'SHA-256 over the names of the migrations and all repeatable files, hexadecimal.';
    comment on column platform.repeatable_step.applied_at is 'When (UTC).';
    commit;`);
}

async function pendingMigrations(client: pg.Client, source: SqlSource): Promise<Migration[]> {
  const records = await client.query<{ name: string; hash: string }>("select name, hash from platform.migrations");
  const hashes = new Map(records.rows.map(({ name, hash }) => [name, hash]));
  for (const { name, hash } of source.migrations) {
    const recorded = hashes.get(name);
    if (recorded !== undefined && recorded !== hash) {
      throw new MigrationError(
        `sql/migrations/${name}.sql was edited after it was applied; restore it and add a new migration instead`,
      );
    }
    hashes.delete(name);
  }
  const missing = missingServices([...hashes.keys()], source);
  if (missing !== null) {
    throw new MigrationError(`the database contains ${missing}, which this program lacks: run a program that has it`);
  }
  const [unknown] = hashes.keys();
  if (unknown !== undefined) {
    throw new MigrationError(
      `the database has migration ${unknown}, which this version does not know: the database is newer; run a newer Selo`,
    );
  }
  const applied = new Set(records.rows.map(({ name }) => name));
  return source.migrations.filter(({ name }) => !applied.has(name));
}

async function applyMigration(client: pg.Client, migration: Migration, options: PatientOptions): Promise<void> {
  const record = async () => {
    await client.query("insert into platform.migrations (name, hash) values ($1, $2)", [
      migration.name,
      migration.hash,
    ]);
  };
  try {
    if (migration.inTransaction) {
      const apply = async () => {
        await client.query(migration.text);
        await record();
      };
      await inPatientTransaction(client, "set local role selo_owner", apply, options);
      return;
    }
    // Such a file has one statement (create index concurrently …), written so that it can run again after a crash.
    await client.query("set role selo_owner");
    const { rows } = await client.query<{ text: string }>(migration.text);
    if (migration.runsAnswers) for (const { text } of rows) await client.query(text);
    await record();
  } catch (error) {
    throw new MigrationError(`migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  } finally {
    await client.query("reset role");
  }
}

/** Runs graphile-worker's own migrations as the role that owns its tables. They begin with `create schema if not exists`. */
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
