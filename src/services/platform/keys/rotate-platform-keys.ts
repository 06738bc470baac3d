import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { SecretError } from "../../../adapters/crypto/sealed-secret.ts";
import { ConfigError } from "../../../config/config.ts";
import type { Operator } from "../../../postgres/operator/operator.ts";
import type { NewKeyPair, NewSealCertificate } from "../../../postgres/operator/platform-keys.ts";
import { makeCertificate, sealKeyPurpose } from "./make-certificate.ts";
import { makeKeyPair } from "./make-key-pair.ts";
import { seedPurpose } from "./platform-signers.ts";

/** The new keys of an environment. */
export type RotatedKeys = NewKeyPair & { readonly certificate: NewSealCertificate };

/**
 * Makes a new active pair of platform keys and a new certificate for each of these environments and retires the previous ones, in one
 * transaction. Gateways notice the rotation by themselves. What retired keys and certificates sealed stays verifiable.
 * @param installation the name that certificates bear
 * @throws ConfigError if SELO_MASTER_KEY does not decrypt the present seeds: gateways could not decrypt the new seeds either
 * @throws AppError 409 conflict if the seeds were encrypted again meanwhile
 */
export async function rotatePlatformKeys(
  operator: Operator,
  masterKeys: MasterKeyring,
  environments: readonly ("live" | "test")[],
  installation: string,
): Promise<RotatedKeys[]> {
  for (const key of await operator.signingKeys()) {
    if (key.status === "active") refuseUnopened(masterKeys, key.keyId, key.sealedSeed, seedPurpose(key.keyId));
  }
  for (const { certificateId, sealedKey } of await operator.sealCertificates())
    refuseUnopened(masterKeys, certificateId, sealedKey, sealKeyPurpose(certificateId));
  const made = environments.map(async (environment) => ({
    ...(await makeKeyPair(environment, masterKeys)),
    certificate: await makeCertificate(environment, masterKeys, installation),
  }));
  const rotated = await Promise.all(made);
  await operator.keys.rotate(
    rotated,
    rotated.map(({ certificate }) => certificate),
  );
  return rotated;
}

function refuseUnopened(masterKeys: MasterKeyring, name: string, sealed: Buffer, purpose: string): void {
  try {
    masterKeys.open(sealed, purpose);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    throw new ConfigError(`SELO_MASTER_KEY: it does not open the private key of ${name}: ${error.message}`, {
      cause: error,
    });
  }
}
