import { context, type Der, eachPart, expectTag, partsOf, primitive, readDer, TAG } from "../../certificates/der.ts";
import { type Extension, readExtensionList, readExtensions, readSigned } from "./certificate.ts";
import { addressesOf, authorityOf, crlAddresses, EXTENSION, mayBeUsedFor, USAGE } from "./extensions.ts";
import { isSameName } from "./names.ts";
import { isSignedBy, isWeak } from "./signatures.ts";
import { readTime } from "./time.ts";
import { type About, checkFresh, type Said, Unusable } from "./unusable.ts";

const KNOWN: ReadonlySet<string> = new Set([
  EXTENSION.authorityKeyIdentifier,
  EXTENSION.issuerAltName,
  EXTENSION.crlNumber,
  EXTENSION.issuingDistributionPoint,
  EXTENSION.freshestCrl,
  EXTENSION.authorityInfoAccess,
]);

/**
 * Reads a list of revoked certificates (RFC 5280, 5) of the certificate's own issuer: entry by entry, because there may be hundreds of thousands.
 * @throws Unusable; DerError
 */
export function readCrl(list: Der, about: About): Said {
  const { certificate, issuer, at } = about;
  const [body, algorithm, signature] = partsOf(list, 3);
  const signed = readSigned(body, algorithm, signature);
  if (isWeak(signed)) throw new Unusable("its signature is too weak");
  const parts = partsOf(expectTag(body, TAG.sequence), 7);
  if (parts[0]?.tag === TAG.integer) parts.shift();
  const [inner, name, thisUpdate, ...more] = parts;
  if (!inner?.whole.equals(signed.algorithm)) throw new Unusable("the algorithms of its signature differ");
  if (!isSameName(expectTag(name, TAG.sequence).whole, issuer.subject)) throw new Unusable("it is of another issuer");
  if (mayBeUsedFor(issuer, USAGE.cRLSign) === false) throw new Unusable("the issuer may not sign such lists");
  if (!isSignedBy(signed, issuer.key)) throw new Unusable("the issuer did not sign it");
  const nextUpdate =
    more[0]?.tag === TAG.utcTime || more[0]?.tag === TAG.generalizedTime ? readTime(more.shift()) : null;
  // RFC 5280, 5.1.2.5, wants it; without it nobody would see that a list is an old one.
  if (!nextUpdate) throw new Unusable("it names no next list");
  const dates = { thisUpdate: readTime(thisUpdate), nextUpdate };
  checkFresh(dates.thisUpdate, nextUpdate, at);
  checkExtensions(readExtensions(more.find(({ tag }) => tag === context(0))), about);
  const entries = more.find(({ tag }) => tag === TAG.sequence);
  return { revokedAt: entries ? findEntry(entries, certificate.serial) : null, ...dates };
}

/** @throws Unusable also for another entry that does not mean what it says without an extension that is unknown here */
function findEntry(entries: Der, wanted: Buffer): Date | null {
  let revokedAt: Date | null = null;
  for (const entry of eachPart(entries)) {
    const [serial, time, extensions] = partsOf(entry, 3);
    if (extensions)
      for (const [type, { isCritical }] of readExtensionList(extensions))
        if (isCritical) throw new Unusable(`an entry has a condition that is unknown (${type})`);
    if (expectTag(serial, TAG.integer).content.equals(wanted)) revokedAt = readTime(time);
  }
  return revokedAt;
}

function checkExtensions(extensions: ReadonlyMap<string, Extension>, about: About): void {
  for (const [type, { isCritical }] of extensions) {
    if (type === EXTENSION.deltaCrl) throw new Unusable("it has changes alone");
    if (isCritical && !KNOWN.has(type)) throw new Unusable(`it has a condition that is unknown (${type})`);
  }
  const point = extensions.get(EXTENSION.issuingDistributionPoint);
  if (point) checkScope(readDer(point.value, TAG.sequence), about);
}

/**
 * IssuingDistributionPoint ::= SEQUENCE { distributionPoint [0], onlyContainsUserCerts [1], onlyContainsCACerts [2], onlySomeReasons [3],
 * indirectCRL [4], onlyContainsAttributeCerts [5] }
 */
function checkScope(point: Der, { certificate }: About): void {
  const parts = partsOf(point, 6);
  const says = (number: number) => parts.some(({ tag, content }) => tag === primitive(number) && content[0] !== 0);
  const { isAuthority } = authorityOf(certificate);
  if (says(isAuthority ? 1 : 2) || says(3) || says(4) || says(5)) throw new Unusable("it is for other certificates");
  const place = parts.find(({ tag }) => tag === context(0));
  if (!place) return;
  const wanted = crlAddresses(certificate);
  if (!addressesOf(place.content).some((address) => wanted.includes(address)))
    throw new Unusable("it is for other certificates");
}
