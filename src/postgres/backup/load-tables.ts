import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import type { ArchiveEntry } from "./archive-reader.ts";
import { BackupError } from "./backup-error.ts";
import type { Manifest } from "./manifest.ts";
import { copyIn, copyOut, type DataTable, dataSequences, dataTables, quoted } from "./tables.ts";

/** The id of rows that belong to no organization. */
const PLATFORM_ITSELF = "00000000-0000-0000-0000-000000000000";

/** The tables of a database that is being filled. They are locked, and triggers and row-level security that hold rows back are off; see {@link openTables}. */
export interface OpenTables {
  /** Restores triggers and forced row-level security. */
  close(): Promise<void>;
}

/**
 * Locks all data tables for this transaction alone and switches off what is meant for everyday writing: triggers that refuse
 * changes, and forced row-level security, which would limit the owner to one tenant. Foreign keys and checks stay.
 */
export async function openTables(client: pg.Client, tables: readonly DataTable[]): Promise<OpenTables> {
  const names = tables.map(({ name }) => name);
  await client.query(`lock table ${names.map(quoted).join(", ")} in access exclusive mode`);
  const forced = await client.query<{ table: string }>(
    "select oid::regclass::text as table from pg_catalog.pg_class where oid = any ($1::regclass[]) and relforcerowsecurity",
    [names],
  );
  const triggers = await client.query<{ table: string; name: string; firing: string }>(
    `select tgrelid::regclass::text as table, format('%I', tgname) as name,
       case tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'enable' end as firing
     from pg_catalog.pg_trigger where tgrelid = any ($1::regclass[]) and not tgisinternal and tgenabled <> 'D'`,
    [names],
  );
  const run = (statements: string[]) => client.query(["set constraints all immediate", ...statements].join("; "));
  await run([
    ...forced.rows.map(({ table }) => `alter table ${table} no force row level security`),
    ...triggers.rows.map(({ table, name }) => `alter table ${table} disable trigger ${name}`),
  ]);
  return {
    close: async () => {
      await run([
        ...triggers.rows.map(({ table, name, firing }) => `alter table ${table} ${firing} trigger ${name}`),
        ...forced.rows.map(({ table }) => `alter table ${table} force row level security`),
      ]);
    },
  };
}

/**
 * A database without organizations holds nobody's data. Rows that migrations wrote, and the platform keys that `selo migrate`
 * made, have not been used yet, and the backup replaces them.
 */
export async function refuseData(client: pg.Client, tables: readonly DataTable[]): Promise<void> {
  for (const { name, columns } of tables) {
    const tenant = name === "platform.organizations" ? "id" : columns.includes("tenant_id") ? "tenant_id" : null;
    if (tenant === null) continue;
    const { rows } = await client.query<{ filled: boolean }>(
      `select exists (select from ${quoted(name)} where ${tenant} <> $1) as filled`,
      [PLATFORM_ITSELF],
    );
    if (rows[0]?.filled) {
      throw new BackupError(
        `the database holds data (${name}); a backup is restored into an empty database. If an interrupted restore had loaded it already, selo migrate completes it`,
      );
    }
  }
}

/** The tables and sequences must equal those of the backup, column by column, because both come from the same migrations. */
export async function requireSameTables(client: pg.Client, manifest: Manifest): Promise<readonly DataTable[]> {
  const tables = await dataTables(client);
  const shape = (all: readonly Pick<DataTable, "name" | "columns">[]) =>
    all.map(({ name, columns }) => `${name} (${columns.join(", ")})`).sort();
  const [here, there] = [shape(tables), shape(manifest.tables)];
  const differing = here.find((line) => !there.includes(line)) ?? there.find((line) => !here.includes(line));
  if (differing !== undefined || here.length !== there.length) {
    throw new BackupError(`the backup does not fit its migrations: ${differing ?? "it contains a table twice"}`);
  }
  const sequences = await dataSequences(client);
  const unknown = manifest.sequences.find(({ name }) => !sequences.includes(name));
  if (unknown || manifest.sequences.length !== sequences.length) {
    throw new BackupError(`the backup does not fit its migrations: sequence ${unknown?.name ?? "missing"}`);
  }
  return tables;
}

/** Replaces all rows by those of the backup, and reads them back to compare. Entries come in the manifest's order. */
export async function loadTables(
  client: pg.Client,
  manifest: Manifest,
  tables: readonly DataTable[],
  entries: EntryQueue,
): Promise<void> {
  await client.query(`truncate ${manifest.tables.map(({ name }) => quoted(name)).join(", ")}`);
  const orders = new Map(tables.map(({ name, order }) => [name, order]));
  for (const { name, columns, rows, sha256 } of manifest.tables) {
    const table = { name, columns, order: orders.get(name) ?? [] };
    const copying = copyIn(client, table);
    await pipeline(Readable.from(entries.of(`tables/${name}`)), copying);
    if (copying.rowCount !== rows) {
      throw new BackupError(`${name} has ${copying.rowCount} rows, the manifest says ${rows}`);
    }
    await compareWithBackup(client, table, sha256);
  }
  for (const { name, last_value, is_called } of manifest.sequences) {
    await client.query("select setval($1::regclass, $2, $3)", [quoted(name), last_value, is_called]);
  }
}

async function compareWithBackup(client: pg.Client, table: DataTable, sha256: string): Promise<void> {
  const hash = createHash("sha256");
  for await (const part of copyOut(client, table)) hash.update(part);
  if (hash.digest("hex") !== sha256) {
    throw new BackupError(`${table.name} differs when it is read back (SHA-256)`);
  }
}

/** Gives out the entries of a backup section by section, in the order of the file. */
export class EntryQueue {
  readonly #entries: AsyncIterator<ArchiveEntry>;
  #next: ArchiveEntry | null = null;

  constructor(entries: AsyncIterable<ArchiveEntry>) {
    this.#entries = entries[Symbol.asyncIterator]();
  }

  /** The section of the next entry; null at the manifest. */
  async section(): Promise<string | null> {
    this.#next ??= await this.#read();
    return this.#next?.section ?? null;
  }

  /** The content of the next entries that belong to a section. */
  async *of(section: string): AsyncGenerator<Buffer> {
    for (;;) {
      if ((await this.section()) !== section || this.#next === null) return;
      const { content } = this.#next;
      this.#next = null;
      yield content;
    }
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#entries.return?.();
  }

  async #read(): Promise<ArchiveEntry | null> {
    const { done, value } = await this.#entries.next();
    return done ? null : value;
  }
}
