import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import zlib, { createGzip } from "node:zlib";
import tar from "tar-stream";
import { BackupError } from "./backup-error.ts";
import { MANIFEST_ENTRY, type Manifest } from "./manifest.ts";

/** Largest entry. A tar entry states its size before its content, so longer content is split into entries that fit in memory. */
export const ENTRY_BYTES = 8 * 2 ** 20;

/** The size of a written section. */
export interface Written {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** Writes a backup to a temporary file and moves it into place when it is complete and on disk. */
export class ArchiveWriter {
  readonly #file: string;
  readonly #partial: string;
  readonly #pack = tar.pack();
  // Node documents `params` for all that deflate; its types have it for some.
  readonly #gzip = createGzip() as zlib.Gzip & zlib.ZlibParams;
  readonly #done: Promise<void>;

  private constructor(file: string, partial: string, descriptor: number) {
    this.#file = file;
    this.#partial = partial;
    const target = fs.createWriteStream(partial, { fd: descriptor, flush: true });
    this.#done = pipeline(this.#pack, this.#gzip, target);
    this.#done.catch(() => {}); // the next write reports it
  }

  /** @throws BackupError if the file exists: an older backup is not overwritten */
  static create(file: string): ArchiveWriter {
    if (fs.existsSync(file)) throw new BackupError(`${file} exists; a backup does not overwrite`);
    const partial = `${file}.${randomBytes(4).toString("hex")}.partial`;
    try {
      return new ArchiveWriter(file, partial, fs.openSync(partial, "wx", 0o600));
    } catch (error) {
      throw new BackupError(`${file} cannot be written: ${(error as Error).message}`);
    }
  }

  /** Writes a section, each piece as a separate entry. A section without pieces has no entry. */
  async section(name: string, pieces: AsyncIterable<Buffer>): Promise<Written> {
    const hash = createHash("sha256");
    let [bytes, entries] = [0, 0];
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      await this.#entry(entryName(name, ++entries), piece);
    }
    return { bytes, sha256: hash.digest("hex") };
  }

  /** From about here on nothing is compressed: what is encrypted becomes no smaller, and trying takes most of the time. */
  async stopCompressing(): Promise<void> {
    await Promise.race([
      new Promise<void>((resolve) => {
        this.#gzip.params(zlib.constants.Z_NO_COMPRESSION, zlib.constants.Z_DEFAULT_STRATEGY, () => resolve());
      }),
      this.#done,
    ]);
  }

  /** Writes one entry, at most {@link ENTRY_BYTES} long, and waits until there is room for the next. */
  async #entry(name: string, content: Buffer): Promise<void> {
    if (content.length > ENTRY_BYTES) throw new BackupError(`${name} is larger than an entry may be`);
    await Promise.race([
      new Promise<void>((resolve, reject) => {
        this.#pack.entry({ name, mode: 0o600 }, content, (error) => (error ? reject(error) : resolve()));
      }),
      this.#done,
    ]);
  }

  /** Ends the backup with its manifest. Only now the file appears in its place. */
  async finish(manifest: Manifest): Promise<void> {
    await this.#entry(MANIFEST_ENTRY, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    this.#pack.finalize();
    await this.#done;
    fs.renameSync(this.#partial, this.#file);
    syncFolder(path.dirname(this.#file));
  }

  /** Removes the temporary file. */
  async abort(): Promise<void> {
    this.#pack.destroy();
    await this.#done.catch(() => {});
    fs.rmSync(this.#partial, { force: true });
  }
}

/** The same bytes in pieces of {@link ENTRY_BYTES}; the last piece may be shorter. */
export async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  for await (let part of content) {
    while (length + part.length >= ENTRY_BYTES) {
      const fits = ENTRY_BYTES - length;
      yield Buffer.concat([...gathered, part.subarray(0, fits)]);
      part = part.subarray(fits);
      gathered = [];
      length = 0;
    }
    if (part.length > 0) gathered.push(part);
    length += part.length;
  }
  if (length > 0) yield Buffer.concat(gathered);
}

/** Such as `tables/signature.proofs/000001`. */
const entryName = (section: string, number: number) => `${section}/${String(number).padStart(6, "0")}`;

/** A new file name is safe from a power cut only after its folder was synced. */
function syncFolder(folder: string): void {
  const descriptor = fs.openSync(folder, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
