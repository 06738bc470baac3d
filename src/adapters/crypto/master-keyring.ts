import { createHmac } from "node:crypto";
import { masterKeyId, masterKeyIdOf, openSecret, SecretError, sealSecret } from "./sealed-secret.ts";

/**
 * The installation's master keys: one that seals, and any number of others that still, or already, open. With them a
 * master key is replaced while several processes run: first all can open under the new key, then all seal under it.
 */
export class MasterKeyring {
  readonly #sealing: Buffer;
  readonly #keys = new Map<string, Buffer>();

  /**
   * @param sealing 32 bytes
   * @param others further keys that open; one given twice counts once
   * @throws SecretError `invalid_master_key`, also for two keys of one id (one chance in 2^32: make another)
   */
  constructor(sealing: Buffer, others: readonly Buffer[] = []) {
    this.#sealing = sealing;
    for (const key of [sealing, ...others]) {
      const id = masterKeyId(key);
      if (this.#keys.get(id)?.equals(key) === false)
        throw new SecretError("invalid_master_key", `two master keys have the id ${id}; make another`);
      this.#keys.set(id, key);
    }
  }

  /** Id of the key that seals: 8 hexadecimal digits. */
  get sealingId(): string {
    return masterKeyId(this.#sealing);
  }

  /** Whether it opens what was sealed under the key with this id. */
  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** Seals a secret under the key that seals, see {@link sealSecret}. */
  seal(plaintext: Uint8Array, purpose: string): Buffer {
    return sealSecret(this.#sealing, plaintext, purpose);
  }

  /**
   * Opens a secret under whichever key sealed it, see {@link openSecret}.
   * @throws SecretError `other_master_key` when that one is not here
   */
  open(sealed: Uint8Array, purpose: string): Buffer {
    const id = masterKeyIdOf(sealed);
    const key = this.#keys.get(id);
    if (key === undefined) {
      const known = [...this.#keys.keys()].join(", ");
      throw new SecretError("other_master_key", `a secret is sealed under master key ${id}; known here: ${known}`);
    }
    return openSecret(key, sealed, purpose);
  }

  /** 32 bytes for another use, from the key that seals: HMAC-SHA-256 of the name. Changes when another key seals. */
  derive(name: string): Buffer {
    return createHmac("sha256", this.#sealing).update(name).digest();
  }
}
