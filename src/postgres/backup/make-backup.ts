import net from "node:net";
import pg from "pg";
import { masterKeyIdOf } from "../../adapters/crypto/sealed-secret.ts";
import type { ObjectStore } from "../../adapters/storage/object-store.ts";
import { lockRunners } from "../migrate/migrate.ts";
import { clientConfig } from "../pool.ts";
import { readAnalystLogins } from "./analyst-logins.ts";
import { OBJECT_SECTION } from "./archive-reader.ts";
import { ArchiveWriter, inPieces } from "./archive-writer.ts";
import { BackupError } from "./backup-error.ts";
import { readJobs } from "./jobs.ts";
import { FORMAT, type Manifest, type ManifestTable } from "./manifest.ts";
import { MissingList, namedObjects, ObjectsDigest, type OpenObjects, onStorage, storedBytes } from "./objects.ts";
import { readingRoles } from "./reading-roles.ts";
import { COPY_SETTINGS, copyOut, dataSequences, dataTables, quoted } from "./tables.ts";

export interface BackupOptions {
  /** The address of an administrator: a superuser, or a member of selo_backup and selo_worker. */
  readonly adminUrl: string;
  /** The file to write; it must not exist yet. */
  readonly file: string;
  readonly seloVersion: string;
  /** The storage of the content that rows name. */
  readonly objects: OpenObjects;
}

/**
 * Writes all data of a database into one file, as of one instant, and then the stored content that its rows name, while users go on working.
 * Content never changes, and none is removed meanwhile (`platform.is_being_copied`). Migrations wait until the backup is done.
 * @throws BackupError; in that case no file is left. Content that the storage lacks is no error: the manifest names its rows
 */
export async function makeBackup(options: BackupOptions): Promise<Manifest> {
  const socket = new net.Socket();
  const client = new pg.Client({
    ...clientConfig({ url: options.adminUrl, role: null, applicationName: "selo backup" }),
    stream: () => socket,
  });
  client.on("error", () => {});
  await client.connect();
  let writer: ArchiveWriter | null = null;
  try {
    await requireMigratedDatabase(client);
    await lockRunners(client, "shared");
    writer = ArchiveWriter.create(options.file);
    await client.query(`begin isolation level repeatable read read only; ${COPY_SETTINGS}`);
    const manifest = await writeContent(client, writer, options);
    await client.query("commit");
    await writer.finish(manifest);
    return manifest;
  } catch (error) {
    await writer?.abort();
    // A server in the middle of a COPY would not react to a normal end.
    socket.destroy();
    throw error;
  } finally {
    await client.end();
  }
}

const END_OF_ROW = 0x0a;

/** Counts rows: in text format every row ends with a line feed, and no line feed stands inside a row. The stream's own count may arrive after its end. */
async function* countedRows(copying: AsyncIterable<Buffer>, counted: (rows: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of copying) {
    let rows = 0;
    for (let at = piece.indexOf(END_OF_ROW); at >= 0; at = piece.indexOf(END_OF_ROW, at + 1)) rows += 1;
    counted(rows);
    yield piece;
  }
}

async function requireMigratedDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ migrated: boolean }>(
    "select to_regclass('platform.repeatable_step') is not null as migrated",
  );
  if (!rows[0]?.migrated) throw new BackupError("the database is not migrated: there is nothing to back up");
}

async function writeContent(client: pg.Client, writer: ArchiveWriter, options: BackupOptions): Promise<Manifest> {
  const actAs = await readingRoles(client);
  await client.query(actAs.tables);
  const { rows } = await client.query<{ taken_at: string; postgres_version: string }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as taken_at,
       current_setting('server_version') as postgres_version`,
  );
  const [about] = rows;
  if (about === undefined) throw new Error("the statement answered no row");
  const migrations = await client.query<{ name: string; hash: string }>(
    "select name, hash from platform.migrations order by name",
  );

  const tables: ManifestTable[] = [];
  const found = await dataTables(client);
  // An empty result does not mean an empty database: a version without selo_backup has migrated it.
  if (found.length === 0) throw new BackupError("selo_backup may use no schema: run selo migrate first");
  for (const table of found) {
    let rows = 0;
    const countRows = (count: number) => {
      rows += count;
    };
    const copying = countedRows(copyOut(client, table), countRows);
    const written = await writer.section(`tables/${table.name}`, inPieces(copying));
    tables.push({ name: table.name, columns: [...table.columns], rows, ...written });
  }
  // After the tables: sequences are not part of the snapshot, and only ever advance.
  const sequences = [];
  for (const name of await dataSequences(client)) {
    const value = await client.query<{ last_value: number; is_called: boolean }>(
      `select last_value, is_called from ${quoted(name)}`,
    );
    sequences.push({ name, last_value: value.rows[0]?.last_value ?? 1, is_called: value.rows[0]?.is_called ?? false });
  }
  const keys = await client.query<{ sealed_seed: Buffer }>("select sealed_seed from platform.platform_keys");
  const analysts = await client.query<{ login: string }>(
    "select login::text as login from platform.analysts order by 1",
  );
  await client.query("reset role");
  const logins = await readAnalystLogins(
    client,
    analysts.rows.map(({ login }) => login),
  );

  await client.query(actAs.jobs);
  let jobRows = 0;
  const countRows = (count: number) => {
    jobRows += count;
  };
  const jobs = await writer.section("jobs", readJobs(client, countRows));

  await client.query(`reset role; ${actAs.tables}`);
  const objects = await onStorage(writeObjects(client, writer, options.objects));
  return {
    format: FORMAT,
    selo_version: options.seloVersion,
    ...about,
    migrations: migrations.rows,
    tables,
    sequences,
    jobs: { rows: jobRows, ...jobs },
    objects,
    analysts: logins,
    master_key: { included: false, ids: [...new Set(keys.rows.map((key) => masterKeyIdOf(key.sealed_seed)))].sort() },
  };
}

async function writeObjects(client: pg.Client, writer: ArchiveWriter, open: OpenObjects): Promise<Manifest["objects"]> {
  const digest = new ObjectsDigest();
  const missing = new MissingList();
  let store: ObjectStore | undefined;
  for await (const { id, row } of namedObjects(client)) {
    if (store === undefined) {
      store = await open();
      await writer.stopCompressing();
    }
    const bytes = await storedBytes(store, id);
    if (bytes === null) missing.add(row);
    else digest.add(id, await writer.section(`${OBJECT_SECTION}${id}`, inPieces(bytes)));
  }
  return { ...digest.end(), missing: { count: missing.count, rows: [...missing.rows] } };
}
