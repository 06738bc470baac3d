/**
 * What is encrypted under the data key of an organization and environment. The data key encrypts nothing itself: each use has its own key
 * (HKDF-SHA-256, RFC 5869), for one thing.
 *
 * A sealed text: version (1 byte, 0x01) | nonce (12) | ciphertext | tag (16), AES-256-GCM (NIST SP 800-38D).
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { ObjectKey } from "../../../adapters/storage/chunk-cipher.ts";

export const DATA_KEY_BYTES = 32;

const ALGORITHM = "aes-256-gcm";
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a sealed text stands. It opens nowhere else. */
export interface TextPlace {
  /** With its schema, such as `signature.participants`. */
  readonly table: string;
  readonly column: string;
  /** Id of the row. */
  readonly id: string;
}

/** A sealed text that is not what was sealed there. The message contains neither key nor text. */
export class SealedTextError extends Error {
  override readonly name = "SealedTextError";
}

/** The opened data key of an organization and environment. It never prints its bytes. */
export class DataKey {
  readonly #bytes: Uint8Array;
  /** The organization whose key it is. */
  readonly tenantId: string;

  /** @param bytes 32 random bytes */
  constructor(bytes: Uint8Array, tenantId = "") {
    if (bytes.length !== DATA_KEY_BYTES) throw new TypeError(`a data key must be ${DATA_KEY_BYTES} bytes`);
    this.#bytes = bytes;
    this.tenantId = tenantId;
  }

  /** What an object of the storage is encrypted under; the storage derives the object's own key. */
  objectKey(use: string, id: string): ObjectKey {
    return { dataKey: this.#bytes, use, id };
  }

  /**
   * 32 bytes for one use and one thing.
   * @param use 1 to 64 of `a`–`z`, `0`–`9`, `.`, `_`, `-`, such as `signing-link`
   * @param id what it is for, such as the id of a participant; without spaces
   */
  derive(use: string, id: string): Buffer {
    // Neither has a space, so two pairs never give one text; no info of the storage begins with "selo key".
    if (!/^[a-z0-9._-]{1,64}$/.test(use) || !/^[!-~]{1,200}$/.test(id))
      throw new TypeError("the use of a key must be a short name in lowercase, and its id a text without spaces");
    return Buffer.from(hkdfSync("sha256", this.#bytes, new Uint8Array(0), `selo key 1 ${use} ${id}`, 32));
  }

  /** Encrypts a text for its place. The same text gives other bytes each time. */
  sealText(text: string, place: TextPlace): Buffer {
    // Random: a column of a row is written so rarely that 96 bits never repeat under its key (SP 800-38D §8.2.2).
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#textKey(place), nonce, { authTagLength: TAG_BYTES });
    const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([Uint8Array.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]);
  }

  /** @throws SealedTextError unless these very bytes were sealed for this place under this key */
  openText(sealed: Uint8Array, place: TextPlace): string {
    const bytes = Buffer.from(sealed);
    const wrong = () =>
      new SealedTextError(`${place.table}.${place.column} of ${place.id} is not what was sealed there`);
    if (bytes.length < 1 + NONCE_BYTES + TAG_BYTES || bytes[0] !== VERSION) throw wrong();
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.#textKey(place), nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      throw wrong();
    }
  }

  #textKey({ table, column, id }: TextPlace): Buffer {
    return this.derive(`text-${table}.${column}`, id);
  }
}
