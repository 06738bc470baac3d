import { createHash, type Hash } from "node:crypto";
import type pg from "pg";
import { contentBytes } from "../../adapters/storage/chunk-cipher.ts";
import { type ObjectStore, StorageError } from "../../adapters/storage/object-store.ts";
import type { Written } from "./archive-writer.ts";
import { BackupError } from "./backup-error.ts";
import { IS_KEPT, quoted } from "./tables.ts";

/** Rows that are read at once. */
const ROWS_AT_ONCE = 1_000;
/** Rows without their content that are named; of more, the number is told. */
const MOST_NAMED = 1_000;

/** Opens the storage: only when there is an object, so that a database without objects needs no storage. */
export type OpenObjects = () => Promise<ObjectStore> | ObjectStore;

/** An object that a row names. */
export interface NamedObject {
  readonly id: string;
  /** The row: its table and primary key, such as `signature.documents (tenant_id …, id …)`. */
  readonly row: string;
}

/** Content that rows name and that the storage does not have, or not whole. */
export interface MissingObjects {
  readonly count: number;
  /** The rows, {@link MOST_NAMED} at most. */
  readonly rows: readonly string[];
}

/** Gathers rows without their content. */
export class MissingList implements MissingObjects {
  count = 0;
  readonly rows: string[] = [];

  add(row: string): void {
    this.count++;
    if (this.rows.length < MOST_NAMED) this.rows.push(row);
  }
}

/** The digest of many objects: SHA-256 over a line `<id> <bytes> <SHA-256 of the stored bytes>` for each, in their order. */
export class ObjectsDigest {
  readonly #hash: Hash = createHash("sha256");
  count = 0;
  bytes = 0;

  add(id: string, { bytes, sha256 }: Written): void {
    this.#hash.update(`${id} ${bytes} ${sha256}\n`);
    this.count++;
    this.bytes += bytes;
  }

  /** Ends the digest. */
  end() {
    return { count: this.count, bytes: this.bytes, sha256: this.#hash.digest("hex") };
  }
}

/**
 * The objects that rows name, found in the catalog as `jobs.unnamed_objects` does: columns of type uuid that are called `object_id`, or end in
 * `_object_id`. Needs a transaction, whose snapshot decides. An object that several rows name comes several times.
 */
export async function* namedObjects(client: pg.Client): AsyncGenerator<NamedObject> {
  const { rows: columns } = await client.query<{ table: string; name: string; key: string[] }>(
    `select format('%s.%s', schema.nspname, relation.relname) as "table", attribute.attname::text as name,
       array(select part.attname::text from pg_catalog.pg_index as index
         cross join unnest(index.indkey::smallint[]) with ordinality as key (number, place)
         join pg_catalog.pg_attribute as part on part.attrelid = index.indrelid and part.attnum = key.number
         where index.indrelid = relation.oid and index.indisprimary order by key.place) as key
     from pg_catalog.pg_attribute as attribute
     join pg_catalog.pg_class as relation on relation.oid = attribute.attrelid
     join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
     where ${IS_KEPT} and relation.relkind in ('r', 'p') and not relation.relispartition
       and attribute.attname ~ '(^|_)object_id$' and attribute.atttypid = 'uuid'::regtype and attribute.attnum > 0 and not attribute.attisdropped
     order by 1, 2`,
  );
  for (const { table, name, key } of columns) {
    const words = key.map((part) => `format('%s %s', '${part}', ${quoted(part)})`).join(", ");
    await client.query(
      `declare named_objects no scroll cursor for
       select ${quoted(name)} as id, concat_ws(', ', ${words}) as key from ${quoted(table)} where ${quoted(name)} is not null`,
    );
    for (;;) {
      const { rows } = await client.query<{ id: string; key: string }>(`fetch ${ROWS_AT_ONCE} from named_objects`);
      for (const { id, key } of rows) yield { id, row: `${table} (${key})` };
      if (rows.length < ROWS_AT_ONCE) break;
    }
    await client.query("close named_objects");
  }
}

/** The stored bytes of an object; null where the storage lacks it, or has less than an object. The parts are copies: the archive reads them later. */
export async function storedBytes(store: ObjectStore, id: string): Promise<AsyncIterable<Buffer> | null> {
  const bytes = await sizeOf(store, id);
  if (!isWhole(bytes)) return null;
  return (async function* () {
    let read = 0;
    for await (const part of store.read(id, 0, bytes - 1)) {
      read += part.length;
      yield Buffer.from(part);
    }
    if (read !== bytes) throw new BackupError(`object ${id} became shorter while it was read`);
  })();
}

/** Rows whose content the storage lacks. */
export async function missingObjects(client: pg.Client, open: OpenObjects): Promise<MissingObjects> {
  const missing = new MissingList();
  let store: ObjectStore | undefined;
  for await (const { id, row } of namedObjects(client)) {
    store ??= await open();
    if (!isWhole(await sizeOf(store, id))) missing.add(row);
  }
  return missing;
}

/**
 * Puts an object of a backup into the storage. One that is there already must have the same bytes: it stays as it is.
 * @throws BackupError for other content under this id, and for a storage that is full or away
 */
export async function restoreObject(store: ObjectStore, id: string, content: AsyncIterable<Buffer>): Promise<Written> {
  const given = new Counted(content);
  const there = await onStorage(sizeOf(store, id));
  if (there === null) {
    await onStorage(store.write(id, given));
    return given.end();
  }
  for await (const _ of given);
  const kept = new Counted(store.read(id, 0, there - 1));
  await onStorage(
    (async () => {
      for await (const _ of kept);
    })(),
  );
  const written = given.end();
  if (kept.end().sha256 !== written.sha256)
    throw new BackupError(`the storage has other content as object ${id}; a restore does not overwrite`);
  return written;
}

/** Counts and hashes what passes. */
class Counted implements AsyncIterable<Buffer> {
  readonly #content: AsyncIterable<Buffer>;
  readonly #hash = createHash("sha256");
  #bytes = 0;

  constructor(content: AsyncIterable<Buffer>) {
    this.#content = content;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const part of this.#content) {
      this.#hash.update(part);
      this.#bytes += part.length;
      yield part;
    }
  }

  end(): Written {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}

/** Whether an object may have that many stored bytes. What they are is known only with its key. */
const isWhole = (bytes: number | null): bytes is number => bytes !== null && contentBytes(bytes) !== null;

async function sizeOf(store: ObjectStore, id: string): Promise<number | null> {
  try {
    return await store.size(id);
  } catch (error) {
    if (error instanceof StorageError && error.reason === "missing") return null;
    throw error;
  }
}

/** Waits for the storage, whose errors become words for the person who typed the command. */
export async function onStorage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError) throw new BackupError(`STORAGE_FOLDER: ${error.message}`, { cause: error });
    throw error;
  }
}
