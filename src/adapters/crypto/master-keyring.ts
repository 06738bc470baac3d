import { createHmac } from "node:crypto";
import { masterKeyId, masterKeyIdOf, openSecret, SecretError, sealSecret } from "./sealed-secret.ts";

/**
 * The installation's master keys: one key that encrypts and decrypts, and any number of others that only decrypt. This allows replacing
 * the master key while several processes run: first all processes can decrypt under the new key, then all encrypt under it.
 */
export class MasterKeyring {
  readonly #sealing: Buffer;
  readonly #keys = new Map<string, Buffer>();

  /**
   * @param sealing 32 bytes
   * @param others further keys that decrypt; a repeated key counts once
   * @throws SecretError `invalid_master_key`, also for two keys with the same id (one chance in 2^32: make another key)
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

  /** Id of the key that encrypts: 8 hexadecimal digits. */
  get sealingId(): string {
    return masterKeyId(this.#sealing);
  }

  /** Whether the keyring has the key with this id. */
  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** Seals a secret under the key that encrypts, see {@link sealSecret}. */
  seal(plaintext: Uint8Array, purpose: string): Buffer {
    return sealSecret(this.#sealing, plaintext, purpose);
  }

  /**
   * Opens a secret with the key that sealed it, see {@link openSecret}.
   * @throws SecretError `other_master_key` if the keyring lacks that key
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

  /** 32 bytes for another use, derived from the key that encrypts: HMAC-SHA-256 of the name. They change when another key encrypts. */
  derive(name: string): Buffer {
    return deriveFrom(this.#sealing, name);
  }

  /** These bytes of every key of the keyring, for what was made with one of them and is checked while the master key is replaced. */
  deriveAll(name: string): Buffer[] {
    return [...this.#keys.values()].map((key) => deriveFrom(key, name));
  }
}

const deriveFrom = (key: Buffer, name: string) => createHmac("sha256", key).update(name).digest();
