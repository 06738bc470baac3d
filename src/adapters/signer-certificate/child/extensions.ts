import { context, expectTag, partsOf, readDer, readOid, TAG } from "../../certificates/der.ts";
import { type ParsedCertificate, readBoolean, urisOf } from "./certificate.ts";

/** Extensions of RFC 5280. */
export const EXTENSION = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  issuerAltName: "2.5.29.18",
  basicConstraints: "2.5.29.19",
  crlNumber: "2.5.29.20",
  deltaCrl: "2.5.29.27",
  issuingDistributionPoint: "2.5.29.28",
  nameConstraints: "2.5.29.30",
  crlDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  freshestCrl: "2.5.29.46",
  authorityInfoAccess: "1.3.6.1.5.5.7.1.1",
} as const;

/** Bits of keyUsage. */
export const USAGE = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, cRLSign: 6 } as const;

const OCSP = "1.3.6.1.5.5.7.48.1";

type Extended = Pick<ParsedCertificate, "extensions">;

/** Whether a certificate may be used for one of these; null where it does not say. */
export function mayBeUsedFor({ extensions }: Extended, ...bits: readonly number[]): boolean | null {
  const usage = extensions.get(EXTENSION.keyUsage);
  if (!usage) return null;
  // The first byte says how many bits of the last are unused: those are zero.
  const { content } = readDer(usage.value, TAG.bitString);
  return bits.some((bit) => ((content[1 + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** Whether a certificate is of an authority, and how many others may stand between it and the holder's; null: any number. */
export function authorityOf({ extensions }: Extended): {
  readonly isAuthority: boolean;
  readonly pathLength: number | null;
} {
  const constraints = extensions.get(EXTENSION.basicConstraints);
  if (!constraints) return { isAuthority: false, pathLength: null };
  const parts = partsOf(readDer(constraints.value, TAG.sequence), 2);
  const isAuthority = parts[0]?.tag === TAG.boolean && readBoolean(parts[0]);
  const length = isAuthority ? parts[1] : undefined;
  return { isAuthority, pathLength: length ? smallInteger(expectTag(length, TAG.integer).content) : null };
}

/** Purposes of extendedKeyUsage; null where it does not say. */
export function purposesOf({ extensions }: Extended): string[] | null {
  const purposes = extensions.get(EXTENSION.extendedKeyUsage);
  return purposes ? partsOf(readDer(purposes.value, TAG.sequence), 50).map(readOid) : null;
}

/** Addresses of OCSP responders. Addresses of certificates (`.p7b`, `.crt`), which the same extension has, nobody asks. */
export function ocspAddresses({ extensions }: Extended): string[] {
  const access = extensions.get(EXTENSION.authorityInfoAccess);
  if (!access) return [];
  return partsOf(readDer(access.value, TAG.sequence), 50).flatMap((description) => {
    const [method, location] = partsOf(description, 2);
    return location && readOid(method) === OCSP ? urisOf([location]) : [];
  });
}

/** Addresses of CRLs of the certificate's issuer, for all reasons. */
export function crlAddresses({ extensions }: Extended): string[] {
  const points = extensions.get(EXTENSION.crlDistributionPoints);
  if (!points) return [];
  return partsOf(readDer(points.value, TAG.sequence), 50).flatMap((point) => {
    const parts = partsOf(point, 3);
    // [1] some reasons alone, [2] another one issues the list.
    if (parts.length !== 1 || parts[0]?.tag !== context(0)) return [];
    return addressesOf(parts[0].content);
  });
}

/** URIs of a DistributionPointName: [0] fullName, or [1] a name relative to the issuer's. */
export function addressesOf(distributionPointName: Buffer): string[] {
  const name = readDer(distributionPointName);
  return name.tag === context(0) ? urisOf(partsOf(name, 50)) : [];
}

const smallInteger = (content: Buffer): number => (content.length > 4 ? 2 ** 31 : content.readIntBE(0, content.length));
