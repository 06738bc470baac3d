/**
 * The format of an encrypted object, which README.md beside this file draws: a header, then chunks under AES-256-GCM
 * (NIST SP 800-38D) in the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár: "Online Authenticated-Encryption and
 * its Nonce-Reuse Misuse-Resistance", CRYPTO 2015), under a key that one object alone has (HKDF-SHA-256, RFC 5869).
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from "node:crypto";
import { StorageError } from "./object-store.ts";

/**
 * Bytes of content in every chunk but the last. A range costs at most two chunks more than it has bytes. Chunks of four
 * times this length are encrypted one eighth faster, those of a quarter a third slower (README.md).
 */
export const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

const MAGIC = Buffer.from("seloobj", "latin1");
const VERSION = 1;
const SALT_BYTES = 32;
export const HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES;

/** Bytes of the longest object: the number of a chunk has 32 bits. */
export const MAX_OBJECT_BYTES = 2 ** 32 * CHUNK_BYTES;

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

/** What an object is bound to. It opens only with the same three. */
export interface ObjectKey {
  /** 32 bytes. */
  readonly dataKey: Uint8Array;
  /** What the object is, such as `document`: 1 to 64 of `a`–`z`, `0`–`9`, `-`, `_`. */
  readonly use: string;
  /** Its UUID, in lowercase. */
  readonly id: string;
}

/** The header of a new object. Its salt is drawn here and not injected: a repeated one would repeat key and nonces. */
export function newHeader(): Buffer {
  return Buffer.concat([MAGIC, Uint8Array.of(VERSION), randomBytes(SALT_BYTES)]);
}

/** Bytes of content in an object that is stored in so many bytes, or null where no object has that length. */
export function contentBytes(storedBytes: number): number | null {
  const chunks = chunkCount(storedBytes - HEADER_BYTES, SEALED_CHUNK_BYTES);
  const content = storedBytes - HEADER_BYTES - chunks * TAG_BYTES;
  // Each content has one stored length: only an object without content ends in an empty chunk.
  const isPossible = content > (chunks - 1) * CHUNK_BYTES || (content === 0 && chunks === 1);
  return isPossible && content <= MAX_OBJECT_BYTES ? content : null;
}

/** How many chunks content has: at least one. */
export function chunkCount(bytes: number, chunkBytes = CHUNK_BYTES): number {
  return Math.max(1, Math.ceil(bytes / chunkBytes));
}

/** Encrypts and decrypts the chunks of one object. A chunk takes the calling thread some 25 µs. */
export class ChunkCipher {
  readonly #id: string;
  readonly #header: Buffer;
  readonly #key: KeyObject;

  /**
   * @param header of {@link newHeader}, or the first bytes of a stored object
   * @throws StorageError `altered` for no header, or one of a version that this program does not know
   * @throws TypeError for a data key, use or id of another form
   */
  constructor({ dataKey, use, id }: ObjectKey, header: Buffer) {
    if (dataKey.length !== KEY_BYTES) throw new TypeError(`a data key must be ${KEY_BYTES} bytes`);
    if (!/^[a-z0-9_-]{1,64}$/.test(use)) throw new TypeError("the use of an object must be a short name in lowercase");
    if (id.length !== 36) throw new TypeError("the id of an object must be a UUID");
    const version = header[MAGIC.length];
    if (header.length !== HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC) || version !== VERSION)
      throw new StorageError("altered", `object ${id} has no header of version ${VERSION}`);
    const salt = header.subarray(-SALT_BYTES);
    // Neither a use nor an id has a space.
    const info = `selo object ${VERSION} ${use} ${id}`;
    this.#id = id;
    this.#header = header;
    // As a KeyObject: Node would parse raw bytes for each chunk, which takes as long as encrypting a third of it.
    this.#key = createSecretKey(Buffer.from(hkdfSync("sha256", dataKey, salt, info, KEY_BYTES)));
  }

  /**
   * Encrypts a chunk.
   * @param index its number, from 0. Each is encrypted once.
   * @returns the ciphertext, as long as the chunk, and its tag
   */
  seal(index: number, { bytes, isLast }: { bytes: Uint8Array; isLast: boolean }): [ciphertext: Buffer, tag: Buffer] {
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce(index, isLast), { authTagLength: TAG_BYTES });
    cipher.setAAD(this.#header);
    const ciphertext = cipher.update(bytes);
    cipher.final();
    return [ciphertext, cipher.getAuthTag()];
  }

  /**
   * Decrypts a chunk.
   * @param sealed its ciphertext and tag
   * @throws StorageError `altered` unless these very bytes were encrypted as this chunk of this object
   */
  open(index: number, { bytes: sealed, isLast }: { bytes: Buffer; isLast: boolean }): Buffer {
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce(index, isLast), { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#header);
    try {
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const bytes = decipher.update(sealed.subarray(0, -TAG_BYTES));
      decipher.final();
      return bytes;
    } catch {
      throw new StorageError("altered", `chunk ${index} of object ${this.#id} is not what was written there`);
    }
  }
}

/** Seven bytes 0, the number of the chunk, and 1 for the last chunk or 0. The key is the object's own, so no part is random. */
function nonce(index: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(NONCE_BYTES);
  bytes.writeUInt32BE(index, 7);
  bytes[11] = isLast ? 1 : 0;
  return bytes;
}
