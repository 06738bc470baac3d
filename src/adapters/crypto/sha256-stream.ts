/** SHA-256 (FIPS 180-4) of a stream of bytes of limited length. Memory holds no more than one chunk. */
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";

/** The stream holds more than the allowed bytes. */
export class PayloadTooLargeError extends Error {
  /** The exceeded limit, in bytes. The stream's full length is unknown. */
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the payload exceeds ${maxBytes} bytes`);
    this.name = "PayloadTooLargeError";
    this.maxBytes = maxBytes;
  }
}

/** The 32-byte digest and the number of bytes it covers. */
export interface StreamDigest {
  readonly sha256: Buffer;
  readonly bytes: number;
}

/**
 * Digests a stream to its end. When this throws, the stream is destroyed, so that nothing more is read from the sender.
 *
 * @param source a stream of Buffers; a stream that decodes text would give another hash and is refused.
 * @param maxBytes the longest stream allowed, in bytes; a stream of exactly this length is allowed.
 * @param keep is called with each chunk within the limit, for callers that store the bytes.
 * @throws PayloadTooLargeError at the first chunk beyond the limit.
 * @throws RangeError when the limit is not a whole number of bytes, TypeError when a chunk is not bytes.
 * @throws the stream's own error, or ERR_STREAM_PREMATURE_CLOSE when it closes before its end.
 */
export async function sha256OfStream(
  source: Readable,
  maxBytes: number,
  keep?: (chunk: Uint8Array) => void,
): Promise<StreamDigest> {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
    source.destroy();
    throw new RangeError("maxBytes must be a whole number of bytes");
  }
  const hash = createHash("sha256");
  let bytes = 0;
  // Leaving the loop by a throw destroys the stream.
  for await (const chunk of source as AsyncIterable<unknown>) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("the stream must carry bytes, not decoded text or objects");
    bytes += chunk.length;
    if (bytes > maxBytes) throw new PayloadTooLargeError(maxBytes);
    hash.update(chunk);
    keep?.(chunk);
  }
  return { sha256: hash.digest(), bytes };
}
