import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import type { Operator } from "../../../postgres/operator/operator.ts";
import { makeCertificate } from "./make-certificate.ts";
import { makeKeyPair } from "./make-key-pair.ts";

/**
 * Makes a pair of platform keys, and a certificate that seals PDFs, for each environment without one. If several processes try at once, one of
 * them succeeds.
 * @param installation the name that certificates bear
 */
export async function ensurePlatformKeys(
  operator: Operator,
  masterKeys: MasterKeyring,
  installation: string,
): Promise<void> {
  const existing = await operator.keys.list();
  const certificates = await operator.keys.certificates();
  for (const environment of ["live", "test"] as const) {
    const isActive = (each: { environment: string; status: string }) =>
      each.environment === environment && each.status === "active";
    if (!existing.some(isActive)) await operator.keys.addPair(await makeKeyPair(environment, masterKeys));
    if (!certificates.some(isActive))
      await operator.keys.addCertificate(await makeCertificate(environment, masterKeys, installation));
  }
}
