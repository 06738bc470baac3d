import {
  BasicConstraints,
  type Certificate,
  CertificateChainValidationEngine,
  ExtKeyUsage,
  id_BasicConstraints,
  id_ExtKeyUsage,
} from "pkijs";

const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";

/**
 * Looks for the path of an authority's certificate to a root, valid at an instant.
 * @param others certificates that came with it
 * @returns why there is none, or null
 */
export async function chainFault(
  signer: Certificate,
  others: readonly Certificate[],
  roots: readonly Certificate[],
  at: Date,
): Promise<string | null> {
  const engine = new CertificateChainValidationEngine({
    trustedCerts: [...roots],
    // The last one is that whose path is looked for.
    certs: [...others.filter((each) => each !== signer), signer],
    checkDate: at,
  });
  const { result, resultMessage, certificatePath = [] } = await engine.verify();
  if (!result) return `the certificate of the token is not trusted: ${resultMessage}`;
  // Pkijs does not compare these: below a CA at this place stand so many CAs.
  const isLong = certificatePath.some((each, place) => place > 0 && mostBelow(each) < place - 1);
  return isLong ? "the certificate of the token is not trusted: its path is too long" : null;
}

function mostBelow(certificate: Certificate): number {
  const constraints = extensionOf(certificate, id_BasicConstraints)?.parsedValue;
  const most = constraints instanceof BasicConstraints ? constraints.pathLenConstraint : undefined;
  return typeof most === "number" ? most : Number.POSITIVE_INFINITY;
}

/** RFC 3161 §2.3: the extension is critical, and has this purpose alone. */
export function stampsOnly(certificate: Certificate): boolean {
  const found = extensionOf(certificate, id_ExtKeyUsage);
  const purposes = found?.parsedValue instanceof ExtKeyUsage ? found.parsedValue.keyPurposes : [];
  return found?.critical === true && purposes.length === 1 && purposes[0] === TIME_STAMPING;
}

const extensionOf = (certificate: Certificate, type: string) =>
  certificate.extensions?.find(({ extnID }) => extnID === type);
