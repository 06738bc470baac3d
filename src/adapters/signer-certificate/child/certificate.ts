import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import {
  context,
  type Der,
  DerError,
  expectTag,
  partsOf,
  primitive,
  readDer,
  readOid,
  TAG,
} from "../../certificates/der.ts";
import { readTime } from "./time.ts";

export interface Extension {
  readonly isCritical: boolean;
  readonly value: Buffer;
}

/** What a signature is over, and by which algorithm. */
export interface Signed {
  readonly bytes: Buffer;
  /** AlgorithmIdentifier, DER. */
  readonly algorithm: Buffer;
  readonly signature: Buffer;
}

/** A certificate of RFC 5280, taken apart. Nothing is judged. */
export interface ParsedCertificate {
  readonly der: Buffer;
  readonly signed: Signed;
  /** Content of the INTEGER. */
  readonly serial: Buffer;
  /** Names, DER. */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Null for a key that OpenSSL does not know. */
  readonly key: KeyObject | null;
  /** The BIT STRING of the key: what OCSP hashes. */
  readonly keyBits: Buffer;
  /** By their identifiers. */
  readonly extensions: ReadonlyMap<string, Extension>;
  /** As OpenSSL reads it. */
  readonly x509: X509Certificate;
}

/** @throws Error for what is no certificate: DerError, or OpenSSL's */
export function parseCertificate(der: Buffer): ParsedCertificate {
  const [body, algorithm, signature] = partsOf(readDer(der, TAG.sequence), 3);
  const parts = partsOf(expectTag(body, TAG.sequence), 10);
  if (parts[0]?.tag === context(0)) parts.shift();
  const [serial, inner, issuer, validity, subject, spki, ...more] = parts;
  const [notBefore, notAfter] = partsOf(expectTag(validity, TAG.sequence), 2);
  const signed = readSigned(body, algorithm, signature);
  // RFC 5280, 4.1.1.2: what was signed says by which algorithm.
  if (!inner?.whole.equals(signed.algorithm)) throw new DerError("the algorithms of the signature differ");
  const keyDer = expectTag(spki, TAG.sequence).whole;
  return {
    der,
    signed,
    serial: expectTag(serial, TAG.integer).content,
    issuer: expectTag(issuer, TAG.sequence).whole,
    subject: expectTag(subject, TAG.sequence).whole,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    key: readKey(keyDer),
    keyBits: readBits(partsOf(readDer(keyDer), 2)[1]),
    extensions: readExtensions(more.find(({ tag }) => tag === context(3))),
    // OpenSSL must find a certificate in it, too: readers of the signed file go by OpenSSL or its like.
    x509: new X509Certificate(der),
  };
}

/** The three parts of all that X.509 signs. */
export function readSigned(body: Der | undefined, algorithm: Der | undefined, signature: Der | undefined): Signed {
  return {
    bytes: expectTag(body, TAG.sequence).whole,
    algorithm: expectTag(algorithm, TAG.sequence).whole,
    signature: readBits(signature),
  };
}

/** Extensions in the explicit tag that holds them. */
export function readExtensions(holder: Der | undefined): Map<string, Extension> {
  const [list] = holder ? partsOf(holder, 1) : [];
  return list ? readExtensionList(list) : new Map();
}

/** @throws DerError also for two extensions of one type */
export function readExtensionList(list: Der): Map<string, Extension> {
  const extensions = new Map<string, Extension>();
  for (const extension of partsOf(expectTag(list, TAG.sequence), 100)) {
    const parts = partsOf(extension, 3);
    const type = readOid(parts[0]);
    if (extensions.has(type)) throw new DerError("an extension stands there twice");
    extensions.set(type, {
      isCritical: parts.length === 3 && readBoolean(parts[1]),
      value: expectTag(parts.at(-1), TAG.octetString).content,
    });
  }
  return extensions;
}

export function readBoolean(value: Der | undefined): boolean {
  const { content } = expectTag(value, TAG.boolean);
  if (content.length !== 1) throw new DerError("the boolean has another length");
  return content[0] !== 0;
}

/** A BIT STRING of whole bytes. */
function readBits(value: Der | undefined): Buffer {
  const { content } = expectTag(value, TAG.bitString);
  if (content[0] !== 0) throw new DerError("the bits are no whole bytes");
  return content.subarray(1);
}

function readKey(spki: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: spki, format: "der", type: "spki" });
  } catch {
    return null;
  }
}

/** The URIs (RFC 5280, GeneralName [6]) among general names. */
export function urisOf(names: Iterable<Der>): string[] {
  return [...names].filter(({ tag }) => tag === primitive(6)).map(({ content }) => content.toString("latin1"));
}
