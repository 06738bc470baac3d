/**
 * Verifies hybrid signatures: Ed25519 (RFC 8032) and ML-DSA-87 (FIPS 204, pure, empty context) over the same bytes, both
 * required. It uses @noble's pure JavaScript, so it runs wherever JavaScript does, browsers included, and shares no arithmetic
 * with the OpenSSL that signed. It blocks the calling thread for some 4 ms: in a server it belongs in a job, not in a request.
 */
import { Point } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import type { SignatureChecks } from "./verify-with.ts";

/** Raw public keys: 32 bytes (RFC 8032 §5.1.5) and 2,592 bytes (FIPS 204, pkEncode). */
export interface HybridPublicKeys {
  readonly ed25519: Uint8Array;
  readonly mlDsa87: Uint8Array;
}

/** Raw signatures: 64 bytes and 4,627 bytes. */
export interface HybridSignatures {
  readonly ed25519: Uint8Array;
  readonly mlDsa87: Uint8Array;
}

/** The result for each signature. Reports show both; decide only with {@link bothValid}. */
export interface HybridVerdict {
  readonly ed25519: boolean;
  readonly mlDsa87: boolean;
}

/** Verifies both signatures. Resolves to false for malformed input (wrong lengths included), and never rejects because of it. */
export type VerifyHybrid = (
  publicKeys: HybridPublicKeys,
  message: Uint8Array,
  signatures: HybridSignatures,
) => Promise<HybridVerdict>;

/** Policy AND: breaking one algorithm, or forging one signature, is not enough. */
export function bothValid(verdict: HybridVerdict): boolean {
  return verdict.ed25519 && verdict.mlDsa87;
}

/** Verifies both signatures. The result equals that of the native implementation for the same input. */
export const verifyHybridWithNoble: VerifyHybrid = async (publicKeys, message, signatures) => ({
  ed25519: verifyEd25519(publicKeys.ed25519, message, signatures.ed25519),
  mlDsa87: verifyMlDsa87(publicKeys.mlDsa87, message, signatures.mlDsa87),
});

/** Verifies Ed25519 (RFC 8032 §5.1.7) strictly; false for malformed input. */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return falseOnThrow(() => ed25519EquationHolds(publicKey, message, signature));
}

/** Verifies ML-DSA-87 (FIPS 204 algorithm 3) with an empty context; false for malformed input. */
export function verifyMlDsa87(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return falseOnThrow(() => ml_dsa87.verify(signature, message, publicKey));
}

/** Both checks, as evidence is checked with them. */
export const HYBRID_CHECKS: SignatureChecks = { ed25519: verifyEd25519, mlDsa87: verifyMlDsa87 };

/** 2^252 + 27742317777372353535851937790883648493, the order of the base point (RFC 8032 §5.1). */
const GROUP_ORDER = Point.CURVE().n;

/**
 * RFC 8032 §5.1.7 with the cofactorless equation, like OpenSSL: R = [S]B - [k]A, compared as bytes.
 *
 * @noble's own `verify` multiplies by the cofactor in both of its modes. By default (ZIP 215) it accepts unreduced
 * encodings and keys of small order. With `zip215: false` it refuses these, but still accepts an R (or A) with a
 * component of small order that OpenSSL refuses. Only a holder of the private key can make such a signature, but a
 * proof must not be valid in one program and forged in another. So @noble does the point arithmetic, and the equation stands here.
 */
function ed25519EquationHolds(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  const encodedR = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  // RFC 8032 §5.1.7 step 1: without this check S + L would be a second signature for the same message.
  if (s >= GROUP_ORDER) return false;
  const a = Point.fromBytes(publicKey, false);
  const k = littleEndian(sha512.create().update(encodedR).update(publicKey).update(message).digest()) % GROUP_ORDER;
  const r = Point.BASE.multiply(s, false).subtract(a.multiply(k, false));
  // As in src/adapters/crypto/hybrid-signature.ts. An unreduced R cannot equal the output of toBytes.
  if (a.isSmallOrder() || r.isSmallOrder()) return false;
  return r.toBytes().every((byte, index) => byte === encodedR[index]);
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let index = bytes.length - 1; index >= 0; index--) value = (value << 8n) | BigInt(bytes[index] ?? 0);
  return value;
}

/** @noble throws on malformed input; for a verifier such input is an invalid signature. */
function falseOnThrow(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
