import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { makeSealCertificate, openSealKey, sealCertificateId } from "../../../adapters/pdf-seal/certificate.ts";
import type { NewSealCertificate } from "../../../postgres/operator/platform-keys.ts";

/** The purpose that a private key is encrypted for: a sealed key in another certificate's row does not decrypt. */
export const sealKeyPurpose = (certificateId: string) => `seal-certificate:${certificateId}`;

/** Makes a certificate that seals PDFs, its private key encrypted. The key, decrypted again, has made a signature that verified. */
export async function makeCertificate(
  environment: "live" | "test",
  masterKeys: MasterKeyring,
  installation: string,
): Promise<NewSealCertificate> {
  const { certificate, privateKey, notBefore, notAfter } = await makeSealCertificate(installation, environment);
  const certificateId = sealCertificateId(certificate);
  const sealedKey = masterKeys.seal(privateKey, sealKeyPurpose(certificateId));
  openSealKey(certificate, masterKeys.open(sealedKey, sealKeyPurpose(certificateId)));
  return { environment, certificateId, certificate, sealedKey, notBefore, notAfter };
}
