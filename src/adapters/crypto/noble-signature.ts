/**
 * Hybrid signatures without node:crypto: the functions of `hybrid-signature.ts` on @noble's pure JavaScript.
 *
 * It is the second opinion on every proof (it shares no arithmetic with OpenSSL), and serves runtimes that have no
 * native ML-DSA, browsers included (verifying needs no Buffer). It runs on the calling thread and holds it: about 4 ms to
 * verify a pair and 8 ms to sign one. So: in a job or a worker, never in a request.
 */
import { getPublicKeyAsync, Point, signAsync } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import type { HybridSeeds, HybridSigner, VerifyHybrid } from "./hybrid-signature.ts";

/**
 * A signer equal to `createHybridSigner`. ML-DSA is hedged here too (FIPS 204 §3.4).
 * @throws RangeError when a seed is not 32 bytes.
 */
export async function createNobleSigner(seeds: HybridSeeds): Promise<HybridSigner> {
  const ed25519Seed = Uint8Array.from(seeds.ed25519);
  const ed25519PublicKey = await getPublicKeyAsync(ed25519Seed);
  const mlDsa87 = ml_dsa87.keygen(seeds.mlDsa87);
  return {
    publicKeys: { ed25519: Buffer.from(ed25519PublicKey), mlDsa87: Buffer.from(mlDsa87.publicKey) },
    async sign(message) {
      const copy = Uint8Array.from(message);
      return {
        ed25519: Buffer.from(await signAsync(copy, ed25519Seed)),
        mlDsa87: Buffer.from(ml_dsa87.sign(copy, mlDsa87.secretKey)),
      };
    },
  };
}

/** Checks both signatures, with the answer `verifyHybrid` gives for the same input. */
export const verifyHybridWithNoble: VerifyHybrid = async (publicKeys, message, signatures) => ({
  ed25519: falseOnThrow(() => verifyEd25519(publicKeys.ed25519, message, signatures.ed25519)),
  mlDsa87: falseOnThrow(() => ml_dsa87.verify(signatures.mlDsa87, message, publicKeys.mlDsa87)),
});

/** 2^252 + 27742317777372353535851937790883648493, the order of the base point (RFC 8032 §5.1). */
const GROUP_ORDER = Point.CURVE().n;

/**
 * RFC 8032 §5.1.7 with the cofactorless equation, as OpenSSL has it: R = [S]B - [k]A, compared as bytes.
 *
 * @noble's own `verify` multiplies by the cofactor in both of its modes: by default (ZIP 215) it takes unreduced
 * encodings and keys of small order; with `zip215: false` it refuses these, but still takes an R (or A) with a
 * component of small order that OpenSSL refuses. Only a holder of the private key can make such a signature, but a
 * proof must not be valid in one program and forged in another. Hence the points are @noble's, the equation stands here.
 */
function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  const encodedR = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  // RFC 8032 §5.1.7 step 1; without it S + L would be a second signature for the same message.
  if (s >= GROUP_ORDER) return false;
  const a = Point.fromBytes(publicKey, false);
  const k = littleEndian(sha512.create().update(encodedR).update(publicKey).update(message).digest()) % GROUP_ORDER;
  const r = Point.BASE.multiply(s, false).subtract(a.multiply(k, false));
  // As in hybrid-signature.ts; an unreduced R cannot equal what toBytes writes.
  if (a.isSmallOrder() || r.isSmallOrder()) return false;
  return r.toBytes().every((byte, index) => byte === encodedR[index]);
}

function littleEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let index = bytes.length - 1; index >= 0; index--) value = (value << 8n) | BigInt(bytes[index] ?? 0);
  return value;
}

/** @noble throws on malformed input; to a verifier that is one more way of not being a signature. */
function falseOnThrow(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
