import { createHash } from "node:crypto";
import { context, type Der, expectTag, partsOf, primitive, readDer, readOid, TAG } from "../../certificates/der.ts";
import { type ParsedCertificate, parseCertificate, readExtensions, readSigned, type Signed } from "./certificate.ts";
import { mayBeUsedFor, purposesOf, USAGE } from "./extensions.ts";
import { acceptedKey } from "./keys.ts";
import { isSameName } from "./names.ts";
import { isSignedBy, isWeak } from "./signatures.ts";
import { readTime } from "./time.ts";
import { type About, checkFresh, type Said, Unusable } from "./unusable.ts";

const BASIC = "1.3.6.1.5.5.7.48.1.1";
const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
/** Digests of a CertID, by their identifiers. They name the issuer, and prove nothing. */
const DIGESTS: Readonly<Record<string, string>> = {
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
const GOOD = primitive(0);
const REVOKED = context(1);

/**
 * Reads an OCSP response (RFC 6960) that the issuer signed, or somebody to whom the issuer gave a certificate for that.
 * @throws Unusable; DerError
 */
export function readOcsp(response: Der, about: About): Said {
  const [status, wrapped] = partsOf(response, 2);
  const { content: code } = expectTag(status, TAG.enumerated);
  if (code.length !== 1 || code[0] !== 0) throw new Unusable(`the responder refused: status ${code.toString("hex")}`);
  const [type, basic] = partsOf(expectTag(partsOf(expectTag(wrapped, context(0)), 1)[0], TAG.sequence), 2);
  if (readOid(type) !== BASIC) throw new Unusable("it has another form");
  const [data, algorithm, signature, certificates] = partsOf(
    readDer(expectTag(basic, TAG.octetString).content, TAG.sequence),
    4,
  );
  const parts = partsOf(expectTag(data, TAG.sequence), 5);
  if (parts[0]?.tag === context(0)) parts.shift();
  const [responder, , statements, extensions] = parts;
  refuseCritical(extensions);
  checkSigner(readSigned(data, algorithm, signature), { responder, certificates }, about);
  return readSingle(statementAbout(expectTag(statements, TAG.sequence), about), about);
}

/** @throws Unusable where nobody signed it who may */
function checkSigner(
  signed: Signed,
  { responder, certificates }: { readonly responder: Der | undefined; readonly certificates: Der | undefined },
  { issuer, at }: About,
): void {
  if (isWeak(signed)) throw new Unusable("its signature is too weak");
  if (isResponder(responder, issuer) && isSignedBy(signed, issuer.key)) return;
  const [list] = certificates ? partsOf(certificates, 1) : [];
  for (const { whole } of list ? partsOf(list, 10) : []) {
    const delegate = parseCertificate(whole);
    if (isResponder(responder, delegate) && isDelegate(delegate, issuer, at) && isSignedBy(signed, delegate.key))
      return;
  }
  throw new Unusable("neither the issuer nor a responder of the issuer signed it");
}

/** ResponderID ::= CHOICE { byName [1], byKey [2] } */
function isResponder(responder: Der | undefined, { subject, keyBits }: ParsedCertificate): boolean {
  const [value] = responder ? partsOf(responder, 1) : [];
  if (!value) return false;
  if (responder?.tag === context(1)) return isSameName(value.whole, subject);
  return responder?.tag === context(2) && value.content.equals(createHash("sha1").update(keyBits).digest());
}

/** RFC 6960, 4.2.2.2. Whether the delegate itself was revoked, nobody can be asked but the same responder: such certificates are valid for weeks. */
function isDelegate(delegate: ParsedCertificate, issuer: ParsedCertificate, at: Date): boolean {
  return (
    isSameName(delegate.issuer, issuer.subject) &&
    !isWeak(delegate.signed) &&
    acceptedKey(delegate.key) !== null &&
    purposesOf(delegate)?.includes(OCSP_SIGNING) === true &&
    mayBeUsedFor(delegate, USAGE.digitalSignature, USAGE.nonRepudiation) !== false &&
    at >= delegate.notBefore &&
    at <= delegate.notAfter &&
    isSignedBy(delegate.signed, issuer.key)
  );
}

/** @throws Unusable where the response is about other certificates */
function statementAbout(statements: Der, { certificate, issuer }: About): Der {
  for (const statement of partsOf(statements)) {
    const [algorithm, name, key, serial] = partsOf(expectTag(partsOf(statement, 5)[0], TAG.sequence), 4);
    const digest = DIGESTS[readOid(partsOf(expectTag(algorithm, TAG.sequence), 2)[0])];
    if (!digest || !expectTag(serial, TAG.integer).content.equals(certificate.serial)) continue;
    const hash = (bytes: Buffer) => createHash(digest).update(bytes).digest();
    // The name as the certificate has it, or as its issuer has it itself.
    const names = [certificate.issuer, issuer.subject].map(hash);
    const { content } = expectTag(name, TAG.octetString);
    if (!names.some((each) => each.equals(content))) continue;
    if (expectTag(key, TAG.octetString).content.equals(hash(issuer.keyBits))) return statement;
  }
  throw new Unusable("it is about another certificate");
}

function readSingle(statement: Der, { at }: About): Said {
  const [, status, thisUpdate, ...more] = partsOf(statement, 5);
  const next = more.find(({ tag }) => tag === context(0));
  refuseCritical(more.find(({ tag }) => tag === context(1)));
  const dates = { thisUpdate: readTime(thisUpdate), nextUpdate: next ? readTime(partsOf(next, 1)[0]) : null };
  checkFresh(dates.thisUpdate, dates.nextUpdate, at);
  if (status?.tag === GOOD) return { revokedAt: null, ...dates };
  if (status?.tag === REVOKED) return { revokedAt: readTime(partsOf(status, 2)[0]), ...dates };
  throw new Unusable("the responder does not know the certificate");
}

function refuseCritical(extensions: Der | undefined): void {
  for (const [type, { isCritical }] of readExtensions(extensions))
    if (isCritical) throw new Unusable(`it has a condition that is unknown (${type})`);
}
