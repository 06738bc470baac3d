import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { PayloadTooLargeError, type StreamDigest } from "../crypto/sha256-stream.ts";
import {
  CHUNK_BYTES,
  ChunkCipher,
  chunkCount,
  contentBytes,
  HEADER_BYTES,
  MAX_OBJECT_BYTES,
  newHeader,
  type ObjectKey,
  SEALED_CHUNK_BYTES,
} from "./chunk-cipher.ts";
import { inPieces } from "./in-pieces.ts";
import { type ObjectStore, StorageError } from "./object-store.ts";
import { release } from "./release.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Writes content as an encrypted object, see README.md beside this file. When this throws, there is no new object, and the
 * content is closed.
 *
 * @param content bytes, read no faster than they are stored
 * @param maxBytes the longest content allowed, in bytes; content of exactly this length is allowed
 * @returns SHA-256 and length of the content that was encrypted
 * @throws PayloadTooLargeError at the first part beyond the limit
 * @throws StorageError `exists`, `full`, `away`
 * @throws TypeError for content that is not bytes; before anything is read, TypeError for a key of another form and RangeError
 *   for a limit that is no length of an object
 * @throws the content's own error; the reason of the signal, when it comes before the end of the content
 */
export async function writeSealed(
  store: ObjectStore,
  key: ObjectKey,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<StreamDigest> {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0 || maxBytes > MAX_OBJECT_BYTES)
    throw new RangeError(`maxBytes must be a whole number of bytes up to ${MAX_OBJECT_BYTES}`);
  const header = newHeader();
  const cipher = new ChunkCipher(key, header);
  const hash = createHash("sha256");
  let bytes = 0;
  await store.write(key.id, sealed());
  return { sha256: hash.digest(), bytes };

  async function* sealed(): AsyncGenerator<Buffer, void, undefined> {
    let index = 0;
    for await (const piece of inPieces(withinLimit(), CHUNK_BYTES)) {
      // Inside the loop: leaving it closes the content.
      if (index === 0) yield header;
      // The same memory is hashed and encrypted, and nobody else writes to it: the digest is that of the object.
      hash.update(piece.bytes);
      const [ciphertext, tag] = cipher.seal(index++, piece);
      yield ciphertext;
      release(ciphertext);
      yield tag;
    }
  }

  async function* withinLimit(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const part of untilAborted(content, signal)) {
      bytes += part.length;
      if (bytes > maxBytes) throw new PayloadTooLargeError(maxBytes);
      yield part;
    }
  }
}

/** An encrypted object that can be read in part; nothing is open until it is. */
export interface OpenedObject {
  /** Bytes of content: authentic, not only computed. */
  readonly length: number;
  /**
   * The content from `start` to `end`, both included; `end` is `start - 1` for none. Bytes leave once their chunk is known to be
   * authentic. The stream fails with a StorageError (`altered`, `missing`, `away`), or an AbortError of the signal. Destroying
   * it releases the object.
   * @throws RangeError for bytes that the object does not have
   */
  readonly open: (start: number, end: number, signal?: AbortSignal) => Readable;
}

/**
 * Finds an encrypted object. The last chunk is decrypted, which proves the length: only the chunk that was written last
 * opens as the last one, at its number and with its length.
 * @throws StorageError `missing`, `away`; `altered` also for another data key or use, and for an object that moved here from another id
 */
export async function openSealed(store: ObjectStore, key: ObjectKey): Promise<OpenedObject> {
  const storedBytes = await store.size(key.id);
  const length = contentBytes(storedBytes);
  if (length === null) throw new StorageError("altered", `object ${key.id} cannot have ${storedBytes} bytes`);
  const header: Buffer[] = [];
  for await (const part of store.read(key.id, 0, HEADER_BYTES - 1)) header.push(Buffer.from(part));
  const cipher = new ChunkCipher(key, Buffer.concat(header));
  const lastChunk = chunkCount(length) - 1;
  for await (const chunk of chunks(lastChunk, lastChunk)) release(chunk);

  return {
    length,
    open(start, end, signal) {
      const isInside = Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start - 1 <= end;
      if (!isInside || end >= length) throw new RangeError(`bytes ${start} to ${end} of ${length} do not exist`);
      return Readable.from(part(start, end), { objectMode: false, highWaterMark: CHUNK_BYTES, signal });
    },
  };

  async function* part(start: number, end: number): AsyncGenerator<Buffer, void, undefined> {
    if (end < start) return;
    let at = Math.floor(start / CHUNK_BYTES) * CHUNK_BYTES;
    for await (const chunk of chunks(at / CHUNK_BYTES, Math.floor(end / CHUNK_BYTES))) {
      yield chunk.subarray(Math.max(0, start - at), end + 1 - at);
      at += chunk.length;
    }
  }

  /** The content of chunks, both included. */
  async function* chunks(first: number, last: number): AsyncGenerator<Buffer, void, undefined> {
    const from = HEADER_BYTES + first * SEALED_CHUNK_BYTES;
    const to = Math.min(HEADER_BYTES + (last + 1) * SEALED_CHUNK_BYTES, storedBytes) - 1;
    let index = first;
    for await (const { bytes } of inPieces(store.read(key.id, from, to), SEALED_CHUNK_BYTES)) {
      yield cipher.open(index, { bytes, isLast: index === lastChunk });
      if (index++ === last) return;
    }
    throw new StorageError("altered", `object ${key.id} ends before its chunk ${index}`);
  }
}
