/**
 * A hybrid signer without node:crypto, for runtimes that have no native ML-DSA. It blocks the calling thread for some 8 ms a
 * pair: use it in a job or a worker, never in a request. (`src/verifier` verifies with @noble.)
 */
import { getPublicKeyAsync, signAsync } from "@noble/ed25519";
import { ml_dsa87 } from "@noble/post-quantum/ml-dsa.js";
import type { HybridSeeds, HybridSigner } from "./hybrid-signature.ts";

/**
 * A signer equivalent to `createHybridSigner`. ML-DSA is hedged here too (FIPS 204 §3.4).
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
