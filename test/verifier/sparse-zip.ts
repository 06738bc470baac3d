// ZIPs of gigabytes that take no room.
import fs from "node:fs";
import { crc32 } from "node:zlib";
import type { ByteSource } from "../../src/verifier/zip.ts";

interface SparseZip extends ByteSource {
  /** Writes it, with holes for the zeros. */
  readonly write: (file: string) => void;
}

const MADE_BY = (3 << 8) | 63;
const RIGHTS = 0o100644 * 65_536;

/** Numbers in the order of a ZIP: [length in bytes, value]. */
export function bytesOf(...parts: readonly (readonly [1 | 2 | 4 | 8, number] | Buffer)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (Buffer.isBuffer(part)) return part;
      const [length, value] = part;
      const bytes = Buffer.alloc(length);
      if (length === 8) bytes.writeBigUInt64LE(BigInt(value));
      else bytes.writeUIntLE(value, 0, length);
      return bytes;
    }),
  );
}

interface Content {
  readonly name: string;
  /** Zeros of this length, which nobody keeps; or these bytes. */
  readonly content: number | Buffer;
}

const CHUNK = Buffer.alloc(1_048_576);

function sumOf(content: number | Buffer): number {
  if (Buffer.isBuffer(content)) return crc32(content);
  let sum = 0;
  for (let left = content; left > 0; left -= CHUNK.length)
    sum = crc32(CHUNK.subarray(0, Math.min(left, CHUNK.length)), sum);
  return sum;
}

/**
 * A ZIP as the writer of the platform makes it, with content that is made as it is read.
 * @param knowsSums whether the checksums of zeros are right: it takes long
 */
export function sparseZip(contents: readonly Content[], knowsSums: boolean): SparseZip {
  const pieces: { readonly at: number; readonly bytes: Buffer }[] = [];
  let at = 0;
  const add = (bytes: Buffer) => {
    pieces.push({ at, bytes });
    at += bytes.length;
  };
  const central: Buffer[] = [];
  for (const { name, content } of contents) {
    const size = typeof content === "number" ? content : content.length;
    const sum = typeof content === "number" && !knowsSums ? 0 : sumOf(content);
    const head = at;
    const isLong = size > 0xfffffffe || head > 0xfffffffe;
    const named = Buffer.from(name);
    const known = [
      [2, 0x808],
      [2, 0],
      [2, 0],
      [2, 33],
    ] as const;
    add(bytesOf([4, 0x04034b50], [2, 20], ...known, [4, 0], [4, 0], [4, 0], [2, named.length], [2, 0], named));
    if (typeof content === "number") at += content;
    else add(content);
    add(bytesOf([4, 0x08074b50], [4, sum], [isLong ? 8 : 4, size], [isLong ? 8 : 4, size]));
    const long = isLong ? bytesOf([2, 1], [2, 24], [8, size], [8, size], [8, head]) : Buffer.alloc(0);
    const short = (value: number) => [4, isLong ? 0xffffffff : value] as const;
    central.push(
      bytesOf([4, 0x02014b50], [2, MADE_BY], [2, isLong ? 45 : 20], ...known, [4, sum], short(size), short(size)),
      bytesOf([2, named.length], [2, long.length], [2, 0], [2, 0], [2, 0], [4, RIGHTS], short(head), named, long),
    );
  }
  const start = at;
  add(Buffer.concat(central));
  const [length, end] = [at - start, at];
  if (start > 0xfffffffe) {
    const counts = [
      [8, contents.length],
      [8, contents.length],
    ] as const;
    add(bytesOf([4, 0x06064b50], [8, 44], [2, MADE_BY], [2, 45], [4, 0], [4, 0], ...counts, [8, length], [8, start]));
    add(bytesOf([4, 0x07064b50], [4, 0], [8, end], [4, 1]));
  }
  const count = contents.length;
  add(bytesOf([4, 0x06054b50], [4, 0], [2, count], [2, count], [4, length], [4, Math.min(start, 0xffffffff)], [2, 0]));
  const read = async (from: number, to: number) => {
    const found = Buffer.alloc(to - from);
    for (const piece of pieces)
      if (piece.at < to && piece.at + piece.bytes.length > from)
        piece.bytes.copy(found, Math.max(0, piece.at - from), Math.max(0, from - piece.at), Math.max(0, to - piece.at));
    return found;
  };
  const write = (file: string) => {
    const handle = fs.openSync(file, "w");
    for (const piece of pieces) fs.writeSync(handle, piece.bytes, 0, piece.bytes.length, piece.at);
    fs.closeSync(handle);
  };
  return { size: at, read, write };
}
