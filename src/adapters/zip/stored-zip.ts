import { createRequire } from "node:module";
import { Readable, Transform } from "node:stream";
import zlib from "node:zlib";
import { ZipFile } from "yazl";

/** A file of a ZIP. */
export interface ZipEntry {
  /** Its path, with slashes. */
  readonly name: string;
  /** Length in bytes. */
  readonly size: number;
  /** Its bytes, in memory or read as they are asked for. */
  readonly content: Buffer | (() => AsyncIterable<Uint8Array>);
}

/** A ZIP of a known length that is made anew each time it is opened. */
export interface StoredZip {
  /** Length in bytes. */
  readonly length: number;
  /**
   * The bytes from `start` to `end`, both included. What is before them is made and passed over. The stream fails with the error of a content,
   * and where a content has another length than its entry says. Destroying it closes what is being read. What it gives of a content in memory is a copy.
   */
  readonly open: (start: number, end: number) => Readable;
}

// The checksums of yazl are computed a byte at a time, and would take most of the time of a ZIP. Those of Node are the same, and eighteen times as fast.
const ofYazl = createRequire(createRequire(import.meta.url).resolve("yazl"))("buffer-crc32") as {
  unsigned: typeof zlib.crc32;
};
ofYazl.unsigned = zlib.crc32;

const STORED = { compress: false, mode: 0o100644, forceDosTimestamp: true } as const;

/**
 * A ZIP of these entries, stored and not compressed: its length is known before a byte is read, and the same entries and time give the same bytes.
 * @param at the time of all entries; programs show it in UTC, whatever zone they are in
 */
export async function storedZip(entries: readonly ZipEntry[], at: Date): Promise<StoredZip> {
  const mtime = new UtcDate(at);
  const length = await new Promise<number>((resolve) => {
    // Nothing is read: no stream is ever given.
    const zip = zipOf(entries, mtime, () => {});
    // The types of yazl forget the argument.
    zip.end({ forceZip64Format: false, comment: "" }, resolve as () => void);
  });
  return { length, open: (start, end) => opened(entries, mtime, { start, end }) };
}

/** ZIPs say local time, and yazl asks a date for it: these are in UTC, whatever zone this machine is in. */
class UtcDate extends Date {
  override getFullYear = this.getUTCFullYear;
  override getMonth = this.getUTCMonth;
  override getDate = this.getUTCDate;
  override getHours = this.getUTCHours;
  override getMinutes = this.getUTCMinutes;
  override getSeconds = this.getUTCSeconds;
}

/** @param read opens a content when its turn comes */
function zipOf(
  entries: readonly ZipEntry[],
  mtime: Date,
  read: (content: () => AsyncIterable<Uint8Array>, give: (error: unknown, stream: Readable) => void) => void,
): ZipFile {
  const zip = new ZipFile();
  for (const { name, size, content } of entries) {
    if (Buffer.isBuffer(content)) zip.addBuffer(Buffer.from(content), name, { ...STORED, mtime });
    else zip.addReadStreamLazy(name, { ...STORED, mtime, size }, (give) => read(content, give));
  }
  return zip;
}

function opened(
  entries: readonly ZipEntry[],
  mtime: Date,
  { start, end }: { readonly start: number; readonly end: number },
): Readable {
  let reading: Readable | undefined;
  const zip = zipOf(entries, mtime, (content, give) => {
    reading = Readable.from(content(), { objectMode: false });
    reading.once("error", fail);
    give(null, reading);
  });
  const out = zip.outputStream as Readable;
  let at = 0;
  const part = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const [from, to] = [Math.max(0, start - at), Math.min(chunk.length, end + 1 - at)];
      at += chunk.length;
      if (from < to) this.push(chunk.subarray(from, to));
      if (at > end) {
        out.unpipe(this);
        this.end();
      }
      done();
    },
  });
  function fail(error: unknown) {
    part.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  zip.on("error", fail);
  out.once("error", fail);
  part.once("close", () => {
    reading?.destroy();
    out.destroy();
  });
  zip.end();
  return out.pipe(part);
}
