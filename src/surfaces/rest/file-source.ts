import { createHash } from "node:crypto";
import { Readable } from "node:stream";

/** Bytes of a known length that need not be in memory; any range can be opened. */
export interface FileSource {
  /** Length in bytes. */
  readonly length: number;
  /**
   * The entity tag of the bytes, without quotes: visible ASCII without `"`. Other bytes have another tag, so that a client never
   * combines parts of two answers (a strong validator, RFC 9110 §8.8.1).
   */
  readonly etag: string;
  /**
   * Opens the bytes from `start` to `end`, both included. Destroying the stream must release its resources.
   * Not called for an answer without a body.
   */
  readonly open: (start: number, end: number) => Readable | Promise<Readable>;
  /** Called once where an answer has no body, and nothing is opened. */
  readonly notRead?: () => void;
  /**
   * Whether nobody else reads the memory of the parts that a stream gives. They are emptied once they were sent: large files would leave more for the
   * garbage collector than it takes away.
   */
  readonly givesMemory?: true;
}

/** Bytes in memory; their entity tag is their SHA-256. */
export function bytesInMemory(bytes: Buffer): FileSource {
  return {
    length: bytes.length,
    etag: createHash("sha256").update(bytes).digest("base64url"),
    open: (start, end) => Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
  };
}
