import { generateHybridSeeds, publicKeysOf } from "../../adapters/crypto/hybrid-signature.ts";
import { sealSecret } from "../../adapters/crypto/sealed-secret.ts";
import type { Operator } from "../../db/operator.ts";
import { keyId } from "../../verifier/key-ids.ts";
import { seedPurpose } from "./platform-signers.ts";

/** Makes a pair of platform keys for each environment that has none; of several processes at once one wins. */
export async function ensurePlatformKeys(operator: Operator, masterKey: Buffer): Promise<void> {
  const existing = await operator.listPlatformKeys();
  for (const environment of ["live", "test"] as const) {
    if (existing.some((key) => key.environment === environment && key.status === "active")) continue;
    const seeds = generateHybridSeeds();
    const publicKeys = publicKeysOf(seeds);
    const sealed = (algorithm: "Ed25519" | "ML-DSA-87", seed: Buffer, publicKey: Buffer) => {
      const id = keyId(algorithm, publicKey);
      return { keyId: id, publicKey, sealedSeed: sealSecret(masterKey, seed, seedPurpose(id)) };
    };
    await operator.addKeyPair({
      environment,
      ed25519: sealed("Ed25519", seeds.ed25519, publicKeys.ed25519),
      mlDsa87: sealed("ML-DSA-87", seeds.mlDsa87, publicKeys.mlDsa87),
    });
  }
}
