import { createHybridSigner, generateHybridSeeds, publicKeysOf } from "../../../adapters/crypto/hybrid-signature.ts";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import type { NewKeyPair } from "../../../postgres/operator/platform-keys.ts";
import { bothValid, verifyHybridWithNoble } from "../../../verifier/hybrid-signature.ts";
import { keyId } from "../../../verifier/key-ids.ts";
import { seedPurpose } from "./platform-signers.ts";

/**
 * Makes a pair of platform keys for an environment, its seeds encrypted. The pair, decrypted again from its sealed seeds, has
 * made signatures that verified: a defect must be found before the pair is active.
 */
export async function makeKeyPair(environment: "live" | "test", masterKeys: MasterKeyring): Promise<NewKeyPair> {
  const seeds = generateHybridSeeds();
  const publicKeys = publicKeysOf(seeds);
  const sealed = (algorithm: "Ed25519" | "ML-DSA-87", seed: Buffer, publicKey: Buffer) => {
    const id = keyId(algorithm, publicKey);
    return { keyId: id, publicKey, sealedSeed: masterKeys.seal(seed, seedPurpose(id)) };
  };
  const ed25519 = sealed("Ed25519", seeds.ed25519, publicKeys.ed25519);
  const mlDsa87 = sealed("ML-DSA-87", seeds.mlDsa87, publicKeys.mlDsa87);

  const message = Buffer.from("a new pair of platform keys");
  const signer = createHybridSigner({
    ed25519: masterKeys.open(ed25519.sealedSeed, seedPurpose(ed25519.keyId)),
    mlDsa87: masterKeys.open(mlDsa87.sealedSeed, seedPurpose(mlDsa87.keyId)),
  });
  if (!bothValid(await verifyHybridWithNoble(publicKeys, message, await signer.sign(message))))
    throw new Error("a pair of platform keys just made does not sign correctly");
  return { environment, ed25519, mlDsa87 };
}
