import { createHash } from "node:crypto";
import { Readable } from "node:stream";

/** Bytes of a known length, of which any range can be opened: they need not be in memory. */
export interface FileSource {
  /** In bytes. */
  readonly length: number;
  /**
   * What the bytes are known by, without quotes: visible ASCII without `"`. Other bytes have another one, so that parts
   * of two answers are never put together (a strong validator, RFC 9110 §8.8.1).
   */
  readonly etag: string;
  /**
   * Opens the bytes from `start` to `end`, both included. What it takes hold of is let go of when the stream is destroyed.
   * Nothing is opened for an answer without a body.
   */
  readonly open: (start: number, end: number) => Readable | Promise<Readable>;
}

/** Bytes that are in memory; known by their SHA-256. */
export function bytesInMemory(bytes: Buffer): FileSource {
  return {
    length: bytes.length,
    etag: createHash("sha256").update(bytes).digest("base64url"),
    open: (start, end) => Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
  };
}
