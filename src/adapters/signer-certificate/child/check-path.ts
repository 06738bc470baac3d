import type { ParsedCertificate } from "./certificate.ts";
import { authorityOf, EXTENSION, mayBeUsedFor, purposesOf, USAGE } from "./extensions.ts";
import { acceptedKey } from "./keys.ts";
import { commonName, isSameName, oneLine } from "./names.ts";
import { Refused } from "./refused.ts";
import { isWeak } from "./signatures.ts";

/** Those that are read here, or that limit nothing. An unknown critical one may mean anything (RFC 5280, 4.2). */
const KNOWN: ReadonlySet<string> = new Set([
  EXTENSION.subjectKeyIdentifier,
  EXTENSION.keyUsage,
  EXTENSION.subjectAltName,
  EXTENSION.issuerAltName,
  EXTENSION.basicConstraints,
  EXTENSION.crlDistributionPoints,
  EXTENSION.certificatePolicies,
  EXTENSION.authorityKeyIdentifier,
  EXTENSION.extendedKeyUsage,
  EXTENSION.authorityInfoAccess,
]);

/** Purposes of a person's or an entity's certificate: one for servers or time stamps signs no documents. */
const SIGNING_PURPOSES: ReadonlySet<string> = new Set([
  "2.5.29.37.0", // any
  "1.3.6.1.5.5.7.3.2", // clientAuth, which DOC-ICP-04 wants in certificates of holders
  "1.3.6.1.5.5.7.3.4", // emailProtection
  "1.3.6.1.5.5.7.3.36", // documentSigning (RFC 9336)
  "1.3.6.1.4.1.311.10.3.12", // the same of Microsoft
  "1.2.840.113583.1.1.5", // the same of Adobe
]);

/**
 * Checks a path whose signatures were verified (RFC 5280, 6.1), from the holder's certificate to a root.
 * @throws Refused with the first fault, beginning with the holder's certificate
 */
export function checkPath(path: readonly ParsedCertificate[], at: Date): void {
  let between = 0;
  for (const [place, certificate] of path.entries()) {
    const name = shownName(certificate);
    if (!acceptedKey(certificate.key))
      throw new Refused("key", `The key of ${name} is neither RSA of 2048 bits or more nor ECDSA of P-256 or P-384.`);
    checkTime(certificate, at, name);
    checkExtensions(certificate, name);
    if (place === 0) {
      checkHolder(certificate, name);
      continue;
    }
    const isRoot = place === path.length - 1;
    checkAuthority(certificate, { name, isRoot, between });
    // RFC 5280, 4.2.1.9: a certificate that an authority issues to itself, to change its key, is not counted.
    if (!isSameName(certificate.subject, certificate.issuer)) between += 1;
  }
  // The signature of the root itself proves nothing: the operator trusts its key.
  const weak = path.slice(0, -1).find(({ signed }) => isWeak(signed));
  if (weak) throw new Refused("chain", `The signature of ${shownName(weak)} uses an algorithm that is too weak.`);
}

function checkTime({ notBefore, notAfter }: ParsedCertificate, at: Date, name: string): void {
  if (at < notBefore) throw new Refused("expired", `The certificate of ${name} begins on ${notBefore.toISOString()}.`);
  if (at > notAfter) throw new Refused("expired", `The certificate of ${name} ended on ${notAfter.toISOString()}.`);
}

function checkExtensions({ extensions }: ParsedCertificate, name: string): void {
  for (const [type, { isCritical }] of extensions) {
    // A limit of names that is passed over would limit nothing, critical or not.
    if (type === EXTENSION.nameConstraints || (isCritical && !KNOWN.has(type)))
      throw new Refused("chain", `The certificate of ${name} has a condition that Selo does not know (${type}).`);
  }
}

function checkHolder(certificate: ParsedCertificate, name: string): void {
  if (authorityOf(certificate).isAuthority)
    throw new Refused("usage", `The certificate of ${name} is an authority's: it signs certificates.`);
  if (!mayBeUsedFor(certificate, USAGE.digitalSignature, USAGE.nonRepudiation))
    throw new Refused("usage", `The certificate of ${name} was not issued for signatures.`);
  const purposes = purposesOf(certificate);
  if (purposes && !purposes.some((purpose) => SIGNING_PURPOSES.has(purpose)))
    throw new Refused(
      "usage",
      `The certificate of ${name} was issued for servers or for another purpose, not for documents.`,
    );
}

function checkAuthority(
  certificate: ParsedCertificate,
  { name, isRoot, between }: { readonly name: string; readonly isRoot: boolean; readonly between: number },
): void {
  const { isAuthority, pathLength } = authorityOf(certificate);
  const maySign = mayBeUsedFor(certificate, USAGE.keyCertSign);
  // Roots that are older than the extension do not say.
  if (!isAuthority || !(maySign ?? isRoot))
    throw new Refused("chain", `The certificate of ${name} is not an authority's, and signed another one.`);
  if (pathLength !== null && between > pathLength)
    throw new Refused("chain", `There are more authorities below ${name} than its certificate allows.`);
}

/** How messages name a certificate. */
const shownName = ({ subject, x509 }: ParsedCertificate): string =>
  `"${(commonName(subject) ?? oneLine(x509.subject)).slice(0, 100).toWellFormed()}"`;
