import { randomBytes, randomUUID } from "node:crypto";
import type { Dir, Stats } from "node:fs";
import { constants, type FileHandle, link, lstat, mkdir, open, opendir, statfs, unlink } from "node:fs/promises";
import path from "node:path";
import { inPieces } from "./in-pieces.ts";
import { type ObjectStore, StorageError, type StoredObject } from "./object-store.ts";
import { release } from "./release.ts";

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const OBJECT = new RegExp(`^${UUID}$`);
const PARTIAL = new RegExp(`^${UUID}\\.[0-9a-f]{16}\\.partial$`);
/** The last two digits of ids: in every version of UUIDs they are random, while the first ones may be a time. */
const SHARDS = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, "0"));

/** Bytes that one call of the system writes or reads at most. */
const BLOCK_BYTES = 256 * 1024;
/** What a check writes: a block of any file system. */
const PROBE_BYTES = 64 * 1024;

/**
 * Objects as files of one folder, which several processes may share: `<shard>/<id>`, where the shard is the last two digits
 * of the id. A file that is being written is beside it, as `<id>.<16 random digits>.partial`.
 *
 * The file system must have hard links. Folders have mode 0700, files 0600.
 */
export class FolderStore implements ObjectStore {
  readonly #root: string;
  /** The room that the last object needed which found none. 0 once there is as much. */
  #missingBytes = 0;

  private constructor(root: string) {
    this.#root = root;
  }

  /**
   * The store in a folder. The folder and its shards are made where they are missing, and later never again: when a disk is
   * unmounted, its mount point has no shards, and nothing is written to the disk below.
   * @throws StorageError `full`, `away`
   */
  static async prepare(root: string): Promise<FolderStore> {
    await onDisk(mkdir(root, { recursive: true, mode: 0o700 }));
    const folders = SHARDS.map((shard) => mkdir(path.join(root, shard), { mode: 0o700 }));
    await onDisk(Promise.all(folders.map((made) => unlessCode("EEXIST", made))));
    await syncFolder(root);
    return new FolderStore(root);
  }

  /** The store in a folder that was prepared before. Nothing is made: a folder that is not there is `away`. */
  static existing(root: string): FolderStore {
    return new FolderStore(root);
  }

  async write(id: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = this.#file(id);
    const partial = partialOf(file);
    const made: string[] = [];
    let handle: FileHandle | undefined;
    let length = 0;
    try {
      try {
        // The loop opens the file, so that leaving it by any error closes the content.
        for await (const { bytes } of inPieces(content, BLOCK_BYTES)) {
          if (handle === undefined) {
            handle = await onDisk(open(partial, "wx", 0o600));
            made.push(partial);
          }
          length += bytes.length;
          await onDisk(handle.appendFile(bytes));
        }
        if (handle !== undefined) await onDisk(handle.sync());
      } finally {
        if (handle !== undefined) await onDisk(handle.close());
      }
      // Unlike a rename, a link never replaces what is there.
      await onDisk(link(partial, file), {
        EEXIST: () => new StorageError("exists", `the storage has an object ${id} already`),
      });
      made.push(file);
      await syncFolder(path.dirname(file));
    } catch (error) {
      // What cannot be removed now is left to removeLeftovers, or is an object that nobody names.
      for (const name of made) await unlink(name).catch(() => {});
      if (error instanceof StorageError && error.reason === "full") this.#missingBytes = length;
      throw error;
    }
    // The object is there, whatever becomes of its other name.
    await unlink(partial).catch(() => {});
  }

  async size(id: string): Promise<number> {
    return (await onDisk(lstat(this.#file(id)), this.#ifMissing(id))).size;
  }

  async *read(id: string, start: number, end: number): AsyncGenerator<Buffer, void, undefined> {
    const handle = await onDisk(open(this.#file(id), constants.O_RDONLY | constants.O_NOFOLLOW), this.#ifMissing(id));
    const block = Buffer.allocUnsafeSlow(Math.max(0, Math.min(BLOCK_BYTES, end - start + 1)));
    try {
      for (let position = start; position <= end; ) {
        const length = Math.min(block.length, end - position + 1);
        const { bytesRead } = await onDisk(handle.read(block, 0, length, position));
        if (bytesRead === 0) return;
        position += bytesRead;
        yield block.subarray(0, bytesRead);
      }
    } finally {
      release(block);
      await handle.close();
    }
  }

  async remove(id: string): Promise<void> {
    try {
      await onDisk(unlink(this.#file(id)), this.#ifMissing(id));
    } catch (error) {
      if (!(error instanceof StorageError && error.reason === "missing")) throw error;
    }
  }

  async *list(): AsyncGenerator<StoredObject, void, undefined> {
    for await (const { name, stats } of this.#files(OBJECT))
      yield { id: name, bytes: stats.size, writtenAt: stats.mtime };
  }

  async check(): Promise<"ok" | "full"> {
    // As a write: an unmounted disk, one that became read-only, a lost permission and a quota show.
    const probe = partialOf(this.#file(randomUUID()));
    try {
      const handle = await onDisk(open(probe, "wx", 0o600));
      try {
        await onDisk(handle.appendFile(Buffer.alloc(PROBE_BYTES)));
      } finally {
        await handle.close();
        await onDisk(unlink(probe));
      }
    } catch (error) {
      if (error instanceof StorageError && error.reason === "full") return "full";
      throw error;
    }
    const { bavail, bsize } = await onDisk(statfs(this.#root));
    if (bavail * bsize < this.#missingBytes) return "full";
    this.#missingBytes = 0;
    return "ok";
  }

  async removeLeftovers(before: Date): Promise<number> {
    let removed = 0;
    for await (const { file, stats } of this.#files(PARTIAL)) {
      if (stats.mtime >= before) continue;
      await onDisk(unlessCode("ENOENT", unlink(file)));
      removed++;
    }
    return removed;
  }

  #file(id: string): string {
    if (!OBJECT.test(id)) throw new TypeError("the id of an object must be a UUID in lowercase");
    return path.join(this.#root, id.slice(-2), id);
  }

  /** Without its shard, every object seems to be missing. */
  #ifMissing(id: string) {
    return {
      ENOENT: async () => {
        await onDisk(lstat(path.dirname(this.#file(id))));
        return new StorageError("missing", `the storage has no object ${id}`);
      },
    };
  }

  async *#files(pattern: RegExp): AsyncGenerator<{ name: string; file: string; stats: Stats }, void, undefined> {
    for (const shard of SHARDS) {
      const folder = path.join(this.#root, shard);
      for await (const name of entries(await onDisk(opendir(folder)))) {
        if (!pattern.test(name)) continue;
        const file = path.join(folder, name);
        const stats = await onDisk(unlessCode("ENOENT", lstat(file)));
        if (stats !== undefined) yield { name, file, stats };
      }
    }
  }
}

/** The name of a file while it is written. */
const partialOf = (file: string) => `${file}.${randomBytes(8).toString("hex")}.partial`;

/** The names in a folder, a few at a time. */
async function* entries(dir: Dir): AsyncGenerator<string, void, undefined> {
  try {
    while (true) {
      const entry = await onDisk(dir.read());
      if (entry === null) return;
      yield entry.name;
    }
  } finally {
    await dir.close();
  }
}

/** Makes the names in a folder outlive a loss of power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await onDisk(open(folder, constants.O_RDONLY | constants.O_DIRECTORY));
  try {
    await onDisk(handle.sync());
  } finally {
    await handle.close();
  }
}

/** Waits for a call of the system, whose error with this code is an answer: undefined. */
async function unlessCode<T>(code: string, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}

/** Waits for a call of the system. Its error becomes a StorageError: one of `meanings`, by its code, or `full`, or `away`. */
async function onDisk<T>(
  call: Promise<T>,
  meanings: Readonly<Record<string, () => StorageError | Promise<StorageError>>> = {},
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const { errno, code } = error as NodeJS.ErrnoException;
    if (errno === undefined || code === undefined) throw error; // not the system's
    const meaning = meanings[code];
    if (meaning !== undefined) throw await meaning();
    if (code === "ENOSPC" || code === "EDQUOT")
      throw new StorageError("full", `the storage is full (${code})`, { cause: error });
    throw new StorageError("away", `the storage cannot be used (${code})`, { cause: error });
  }
}
