/**
 * Names of public keys that anyone can recompute from the key itself.
 *
 * A key id is for finding a key, not for trusting it: 64 bits keep honest keys apart, and imitating a key id costs 2^64
 * work, so a verification uses the whole key.
 */
import { sha256 } from "@noble/hashes/sha2.js";

/** The algorithms as the signature service names them (`evidence_signature_algorithms`). */
export type SignatureAlgorithm = "Ed25519" | "ML-DSA-87";

const KEYS = {
  Ed25519: { prefix: "ed25519-", bytes: 32 },
  "ML-DSA-87": { prefix: "ml-dsa-87-", bytes: 2_592 },
} as const;

/**
 * `ed25519-` or `ml-dsa-87-`, then the first 8 bytes of the SHA-256 of the raw public key as 16 lower-case hex digits.
 * @param rawPublicKey 32 bytes (RFC 8032) or 2,592 bytes (FIPS 204, pkEncode); not SPKI.
 * @throws RangeError when the key has another length.
 */
export function keyId(algorithm: SignatureAlgorithm, rawPublicKey: Uint8Array): string {
  const { prefix, bytes } = KEYS[algorithm];
  if (rawPublicKey.length !== bytes) {
    throw new RangeError(`a raw ${algorithm} public key is ${bytes} bytes, got ${rawPublicKey.length}`);
  }
  let hex = "";
  for (const byte of sha256(rawPublicKey).subarray(0, 8)) hex += byte.toString(16).padStart(2, "0");
  return prefix + hex;
}
