import { createMD5, createSHA1, createSHA256, createSHA384, createSHA512, type IHasher } from "hash-wasm";
import { latin1 } from "../../../pkcs12/bytes.ts";
import { type Digests, KeyAwaited } from "../../../pkcs12/derive-keys.ts";
import { Refused } from "../../../pkcs12/refused.ts";

/** Digests of PBKDF2, by node-forge's names. */
const PBKDF2: Readonly<Record<string, string>> = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
};

/** What a browser makes keys with. */
export interface BrowserDigests extends Digests {
  /** Derives the keys that were asked for and are not there. */
  settle(): Promise<void>;
}

/**
 * Digests for PKCS#12 files, whose keys take thousands of them, one after the other: WebAssembly answers at once, as WebCrypto does not.
 * PBKDF2 is WebCrypto's, some ten times as fast: its first call throws {@link KeyAwaited}, and after `settle` the key is there.
 */
export async function browserDigests(): Promise<BrowserDigests> {
  const [md5, sha1, sha256, sha384, sha512] = await Promise.all([
    createMD5(),
    createSHA1(),
    createSHA256(),
    createSHA384(),
    createSHA512(),
  ]);
  const hashers: Readonly<Record<string, IHasher>> = { md5, sha1, sha256, sha384, sha512 };
  const derived = new Map<string, Uint8Array>();
  const awaited = new Map<string, () => Promise<Uint8Array>>();
  return {
    hash(digest, bytes) {
      const hasher = hashers[digest];
      if (hasher === undefined) throw new Refused("unsupported");
      return hasher.init().update(bytes).digest("binary");
    },
    pbkdf2(password, salt, iterations, length, digest) {
      const name = JSON.stringify([latin1(password), latin1(salt), iterations, length, digest]);
      const key = derived.get(name);
      if (key !== undefined) return key;
      const hash = PBKDF2[digest];
      if (hash === undefined) throw new Refused("unsupported");
      awaited.set(name, () => derive(Uint8Array.from(password), Uint8Array.from(salt), iterations, length, hash));
      throw new KeyAwaited();
    },
    async settle() {
      for (const [name, make] of awaited) derived.set(name, await make());
      awaited.clear();
    },
  };
}

async function derive(
  password: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
  length: number,
  hash: string,
): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "PBKDF2", hash, salt, iterations }, key, length * 8));
}
