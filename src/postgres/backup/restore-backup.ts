import pg from "pg";
import type { ObjectStore } from "../../adapters/storage/object-store.ts";
import { applyNumbered, lockRunners, type MigrateOptions } from "../migrate/migrate.ts";
import { applyRepeatableStep } from "../migrate/repeatable-step.ts";
import { missingServices, readSqlSource, rowOf, type SqlSource } from "../migrate/sql-source.ts";
import { clientConfig } from "../pool.ts";
import { type RestoredLogins, restoreAnalystLogins } from "./analyst-logins.ts";
import { OBJECT_SECTION, readArchive } from "./archive-reader.ts";
import { BackupError } from "./backup-error.ts";
import { checkArchive } from "./check-archive.ts";
import { addJobs } from "./jobs.ts";
import { EntryQueue, loadTables, openTables, refuseData, requireSameTables } from "./load-tables.ts";
import type { Manifest } from "./manifest.ts";
import {
  type MissingObjects,
  missingObjects,
  ObjectsDigest,
  type OpenObjects,
  onStorage,
  restoreObject,
} from "./objects.ts";
import { readingRoles } from "./reading-roles.ts";
import { COPY_SETTINGS, dataTables } from "./tables.ts";

export interface RestoreOptions extends MigrateOptions {
  readonly file: string;
  /** The storage that takes the backup's objects. */
  readonly objects: OpenObjects;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Names of applied migrations that are newer than the backup, and `repeatable`. */
  readonly upgraded: readonly string[];
  readonly logins: RestoredLogins;
  /** Rows whose content neither the backup nor the storage has. */
  readonly missing: MissingObjects;
}

/**
 * Fills an empty database (or one that does not exist yet) with a backup and brings it to this version. All data is loaded in
 * one transaction, which ends when all objects are in the storage. After a kill the database is either still empty, or full, and `selo migrate` does the rest;
 * objects that are there already are compared the next time.
 * @throws BackupError if the file or the database does not fit; the database is then unchanged
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const source = options.source ?? readSqlSource();
  const manifest = await checkArchive(options.file);
  const older = sourceOf(manifest, source);
  const client = await connect(options.adminUrl);
  client.on("error", () => {});
  try {
    await lockRunners(client);
    await requireEmpty(client, manifest);
    await applyNumbered(client, { ...options, source: older });
    const logins = await loadBackup(client, options, manifest);
    const upgraded = await applyNumbered(client, { ...options, source });
    if (await applyRepeatableStep(client, source)) upgraded.push("repeatable");
    const missing = await findMissing(client, options.objects);
    return { manifest, upgraded, logins, missing };
  } finally {
    await client.end();
  }
}

/** Replaces the key that signs contexts in the restored database, because the key from its empty state may be known. A backup from before such keys gets one with its migration. */
async function renewContextKey(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ known: boolean }>(
    "select to_regclass('secrets.context_key') is not null as known",
  );
  if (rows[0]?.known) await client.query("update secrets.context_key set key = default");
}

/** This version's source with only the backup's migrations, which must be the first of each sequence of numbers. */
function sourceOf(manifest: Manifest, source: SqlSource): SqlSource {
  const missing = missingServices(
    manifest.migrations.map(({ name }) => name),
    source,
  );
  if (missing !== null) {
    throw new BackupError(
      `the backup contains ${missing}, which this program lacks: restore it with a program that has it`,
    );
  }
  const others = (name: string) => new BackupError(`the backup's migration ${name} differs from that of this version`);
  for (const { name, hash } of manifest.migrations) {
    const known = source.migrations.find((migration) => migration.name === name);
    if (known === undefined) {
      throw new BackupError(
        `the backup has migration ${name}, which this version does not know: a newer Selo made the backup (${manifest.selo_version}); restore it with that version`,
      );
    }
    if (known.hash !== hash) throw others(name);
  }
  if (manifest.migrations.length === 0) throw new BackupError("the backup names no migrations: the file is damaged");
  const names = new Set(manifest.migrations.map(({ name }) => name));
  const ended = new Set<string>();
  const migrations = source.migrations.filter(({ name }) => {
    if (!names.has(name)) ended.add(rowOf(name));
    else if (ended.has(rowOf(name))) throw others(name);
    return names.has(name);
  });
  return { ...source, migrations };
}

const NO_SUCH_DATABASE = "3D000";

/** Connects as the administrator. Makes the database if the server does not have it. */
async function connect(adminUrl: string): Promise<pg.Client> {
  const open = async (url: string) => {
    const client = new pg.Client(clientConfig({ url, role: null, applicationName: "selo restore" }));
    await client.connect();
    return client;
  };
  try {
    return await open(adminUrl);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
  }
  const elsewhere = new URL(adminUrl);
  const name = decodeURIComponent(elsewhere.pathname.slice(1));
  elsewhere.pathname = "/postgres";
  const maintenance = await open(elsewhere.href);
  try {
    await maintenance.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await maintenance.end();
  }
  return await open(adminUrl);
}

/** Checked before anything is done: a migrated database must be no newer than the backup, and must hold no data. */
async function requireEmpty(client: pg.Client, manifest: Manifest): Promise<void> {
  const known = await client.query<{ migrated: boolean }>(
    "select to_regclass('platform.migrations') is not null as migrated",
  );
  if (!known.rows[0]?.migrated) return;
  await inTransaction(client, `begin read only; ${COPY_SETTINGS}`, async () => {
    await client.query((await readingRoles(client)).tables);
    await refuseData(client, await dataTables(client));
    const applied = await client.query<{ name: string }>("select name from platform.migrations order by name");
    const names = new Set(manifest.migrations.map(({ name }) => name));
    const newer = applied.rows.find(({ name }) => !names.has(name));
    if (newer) {
      throw new BackupError(
        `the database has migration ${newer.name}, which the backup lacks; restore the backup into a database that was never migrated`,
      );
    }
  });
}

/** Values that are invalid for their type (class 22), or rows that break a constraint (class 23). */
const DATA_ERROR = /^(22|23)/;

/** Loads all data in one transaction. */
async function loadBackup(
  client: pg.Client,
  { file, objects }: RestoreOptions,
  manifest: Manifest,
): Promise<RestoredLogins> {
  const entries = new EntryQueue(readArchive(file));
  try {
    return await inTransaction(client, `begin; ${COPY_SETTINGS}`, async () => {
      const logins = await restoreAnalystLogins(client, manifest.analysts);
      await client.query("set local role selo_owner");
      const tables = await requireSameTables(client, manifest);
      const open = await openTables(client, tables);
      // Checked again, now that nobody else can write.
      await refuseData(client, tables);
      await loadTables(client, manifest, tables, entries);
      await open.close();
      await renewContextKey(client);
      await client.query("set local role selo_worker");
      await loadJobs(client, manifest, entries);
      await loadObjects(manifest, entries, objects);
      return logins;
    });
  } catch (error) {
    if (error instanceof pg.DatabaseError && DATA_ERROR.test(error.code ?? "")) {
      throw new BackupError(`the backup's data do not fit its tables: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    await entries.close();
  }
}

async function loadJobs(client: pg.Client, manifest: Manifest, entries: EntryQueue): Promise<void> {
  let rows = 0;
  for await (const entry of entries.of("jobs")) rows += await addJobs(client, entry);
  if (rows !== manifest.jobs.rows) {
    throw new BackupError(`the backup has ${rows} jobs, the manifest says ${manifest.jobs.rows}`);
  }
}

/** Before the rows are there for others: a row never names content that is still to come. */
async function loadObjects(manifest: Manifest, entries: EntryQueue, open: OpenObjects): Promise<void> {
  const digest = new ObjectsDigest();
  let store: ObjectStore | undefined;
  for (let section = await entries.section(); section !== null; section = await entries.section()) {
    store ??= await open();
    const id = section.slice(OBJECT_SECTION.length);
    digest.add(id, await restoreObject(store, id, entries.of(section)));
  }
  if (digest.end().sha256 !== manifest.objects.sha256) throw new BackupError("the file changed while it was restored");
}

async function findMissing(client: pg.Client, open: OpenObjects): Promise<MissingObjects> {
  return inTransaction(client, `begin read only; ${COPY_SETTINGS}`, async () => {
    await client.query((await readingRoles(client)).tables);
    return onStorage(missingObjects(client, open));
  });
}

async function inTransaction<Result>(client: pg.Client, begin: string, work: () => Promise<Result>): Promise<Result> {
  try {
    await client.query(begin);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => {}); // the connection itself may be broken
    throw error;
  }
}
