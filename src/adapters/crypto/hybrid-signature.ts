/**
 * Hybrid signatures: Ed25519 (RFC 8032) and ML-DSA-87 (FIPS 204) over the same bytes, both required (policy AND).
 *
 * Implemented with node:crypto, which works on libuv's pool: a proof blocks the event loop for some 40 µs,
 * not for the 1.3 ms of arithmetic. `src/verifier/hybrid-signature.ts` is a second, independent implementation.
 * ML-DSA signs in the pure (not pre-hashed) variant with an empty context, hedged: two signatures of one message differ.
 */
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from "node:crypto";
import type { VerifyHybrid } from "../../verifier/hybrid-signature.ts";
import { isStrictEd25519Point } from "./ed25519-point.ts";

/** Bytes of each seed: RFC 8032 §5.1.5 and the ξ of FIPS 204, algorithm 1. */
export const SEED_BYTES = 32;
export const ED25519_PUBLIC_KEY_BYTES = 32;
export const ED25519_SIGNATURE_BYTES = 64;
export const ML_DSA_87_PUBLIC_KEY_BYTES = 2_592;
export const ML_DSA_87_SIGNATURE_BYTES = 4_627;

/** The seeds of both keys, 32 bytes each; a seed determines its key. Never logged, stored only encrypted. */
export interface HybridSeeds {
  readonly ed25519: Uint8Array;
  readonly mlDsa87: Uint8Array;
}

/** Signs with one pair of keys. */
export interface HybridSigner {
  readonly publicKeys: { readonly ed25519: Buffer; readonly mlDsa87: Buffer };
  /** Signs the bytes as they are. The message is copied before the call returns. */
  sign(message: Uint8Array): Promise<{ ed25519: Buffer; mlDsa87: Buffer }>;
}

/** Two fresh, independent seeds from the system's generator. */
export function generateHybridSeeds(): { ed25519: Buffer; mlDsa87: Buffer } {
  return { ed25519: randomBytes(SEED_BYTES), mlDsa87: randomBytes(SEED_BYTES) };
}

/**
 * The raw public keys of two seeds: 32 and 2,592 bytes. Blocks the calling thread for about 0.3 ms.
 * @throws RangeError when a seed is not 32 bytes.
 */
export function publicKeysOf(seeds: HybridSeeds): { ed25519: Buffer; mlDsa87: Buffer } {
  const keys = privateKeysOf(seeds);
  return { ed25519: rawPublicKey(keys.ed25519), mlDsa87: rawPublicKey(keys.mlDsa87) };
}

/**
 * A signer that expands both seeds once. For ML-DSA the expansion costs a quarter of a signature.
 * @throws RangeError when a seed is not 32 bytes.
 */
export function createHybridSigner(seeds: HybridSeeds): HybridSigner {
  const keys = privateKeysOf(seeds);
  return {
    publicKeys: { ed25519: rawPublicKey(keys.ed25519), mlDsa87: rawPublicKey(keys.mlDsa87) },
    async sign(message) {
      const [ed25519, mlDsa87] = await Promise.all([
        signOnPool(keys.ed25519, message),
        signOnPool(keys.mlDsa87, message),
      ]);
      return { ed25519, mlDsa87 };
    },
  };
}

/**
 * Verifies both signatures on libuv's pool.
 *
 * Ed25519 is verified strictly: S < L, the cofactorless equation, and neither the key nor R unreduced or of small order
 * (see `ed25519-point.ts`). `src/verifier/hybrid-signature.ts` gives the same result for every input.
 */
export const verifyHybrid: VerifyHybrid = async (publicKeys, message, signatures) => {
  const [ed25519, mlDsa87] = await Promise.all([
    verifyOnPool("ed25519", publicKeys.ed25519, message, signatures.ed25519),
    verifyOnPool("ml-dsa-87", publicKeys.mlDsa87, message, signatures.mlDsa87),
  ]);
  return { ed25519, mlDsa87 };
};

type KeyType = "ed25519" | "ml-dsa-87";

const LENGTHS = {
  ed25519: { publicKey: ED25519_PUBLIC_KEY_BYTES, signature: ED25519_SIGNATURE_BYTES },
  "ml-dsa-87": { publicKey: ML_DSA_87_PUBLIC_KEY_BYTES, signature: ML_DSA_87_SIGNATURE_BYTES },
} as const;

function privateKeysOf(seeds: HybridSeeds): { ed25519: KeyObject; mlDsa87: KeyObject } {
  for (const name of ["ed25519", "mlDsa87"] as const) {
    if (seeds[name].length !== SEED_BYTES) throw new RangeError(`the ${name} seed must be ${SEED_BYTES} bytes`);
  }
  // Node has two names for the same bytes: RFC 8032 calls the 32 bytes the private key, FIPS 204 calls them the seed.
  return {
    ed25519: createPrivateKey({
      key: asBuffer(seeds.ed25519),
      format: "raw-private",
      asymmetricKeyType: "ed25519",
    }),
    mlDsa87: createPrivateKey({
      key: asBuffer(seeds.mlDsa87),
      format: "raw-seed",
      asymmetricKeyType: "ml-dsa-87",
    }),
  };
}

function rawPublicKey(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: "raw-public" });
}

function signOnPool(key: KeyObject, message: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The digest is null, because both algorithms hash the message themselves.
    sign(null, message, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

function verifyOnPool(type: KeyType, rawKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (signature.length !== LENGTHS[type].signature) return Promise.resolve(false);
  if (type === "ed25519" && !isStrictEd25519Point(signature.subarray(0, 32))) return Promise.resolve(false);
  const key = publicKeyObject(type, rawKey);
  if (key === null) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    // An error here comes from the machine (no memory), not from the signature: it must not count as "forged".
    verify(null, message, key, signature, (error, valid) => (error ? reject(error) : resolve(valid)));
  });
}

/** Most parsed keys in the cache. Parsing again costs 23 µs (Ed25519) and 33 µs (ML-DSA-87) of the event loop. */
const MAX_CACHED_KEYS = 64;
const cachedKeys = new Map<string, KeyObject>();

/** The parsed key, or null for an invalid key. Least recently used keys leave the cache first; invalid keys are not cached. */
function publicKeyObject(type: KeyType, rawKey: Uint8Array): KeyObject | null {
  if (rawKey.length !== LENGTHS[type].publicKey) return null;
  const bytes = asBuffer(rawKey);
  // The lengths differ, so the bytes alone distinguish the two algorithms.
  const name = bytes.toString("latin1");
  const cached = cachedKeys.get(name);
  if (cached !== undefined) {
    cachedKeys.delete(name);
    cachedKeys.set(name, cached);
    return cached;
  }
  const key = parsePublicKey(type, bytes);
  if (key === null) return null;
  if (cachedKeys.size >= MAX_CACHED_KEYS) {
    const oldest = cachedKeys.keys().next().value;
    if (oldest !== undefined) cachedKeys.delete(oldest);
  }
  cachedKeys.set(name, key);
  return key;
}

function parsePublicKey(type: KeyType, bytes: Buffer): KeyObject | null {
  if (type === "ed25519" && !isStrictEd25519Point(bytes)) return null;
  try {
    return createPublicKey({ key: bytes, format: "raw-public", asymmetricKeyType: type });
  } catch {
    return null;
  }
}

/** The same memory as a Buffer, which the types of node:crypto's key import require. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
