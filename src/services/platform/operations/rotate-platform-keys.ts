import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { SecretError } from "../../../adapters/crypto/sealed-secret.ts";
import { ConfigError } from "../../../config.ts";
import type { Operator } from "../../../postgres/operator/operator.ts";
import type { NewKeyPair } from "../../../postgres/operator/platform-keys.ts";
import { makeKeyPair } from "./make-key-pair.ts";
import { seedPurpose } from "./platform-signers.ts";

/**
 * Makes a new active pair of platform keys for each of these environments and retires the previous pairs, in one
 * transaction. Gateways notice the rotation by themselves. Evidence sealed with retired keys stays verifiable.
 * @throws ConfigError if SELO_MASTER_KEY does not decrypt the present seeds: gateways could not decrypt the new seeds either
 * @throws AppError 409 conflict if the seeds were encrypted again meanwhile
 */
export async function rotatePlatformKeys(
  operator: Operator,
  masterKeys: MasterKeyring,
  environments: readonly ("live" | "test")[],
): Promise<NewKeyPair[]> {
  for (const key of await operator.signingKeys()) {
    if (key.status === "active") refuseUnopened(masterKeys, key);
  }
  const pairs = await Promise.all(environments.map((environment) => makeKeyPair(environment, masterKeys)));
  await operator.keys.rotate(pairs);
  return pairs;
}

function refuseUnopened(masterKeys: MasterKeyring, key: { readonly keyId: string; readonly sealedSeed: Buffer }): void {
  try {
    masterKeys.open(key.sealedSeed, seedPurpose(key.keyId));
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    throw new ConfigError(`SELO_MASTER_KEY: it does not open the seed of ${key.keyId}: ${error.message}`, {
      cause: error,
    });
  }
}
