import { createVerify, verify } from "node:crypto";
import type { BaseBlock } from "asn1js";
import { IssuerAndSerialNumber, id_ContentType_Data, type SignerInfo } from "pkijs";
import { expectTag, partsOf, readDer, TAG } from "../../certificates/der.ts";
import { type ParsedCertificate, parseCertificate } from "../../signer-certificate/child/certificate.ts";
import { EXTENSION } from "../../signer-certificate/child/extensions.ts";
import { isSameName } from "../../signer-certificate/child/names.ts";
import { der } from "../../time-stamp/der.ts";
import { attributeOf, bufferOf, namesCertificate } from "../../time-stamp/named-certificate.ts";
import type { Integrity } from "../answer.ts";
import { digestOf, type Scheme, schemeOf } from "./algorithms.ts";
import type { Cms } from "./read-cms.ts";

const OID = {
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingTime: "1.2.840.113549.1.9.5",
} as const;
/** Attributes that count, and stand there once. */
const SINGLE: readonly string[] = [...Object.values(OID), "1.2.840.113549.1.9.16.2.12", "1.2.840.113549.1.9.16.2.47"];

/** What was signed. */
export interface Content {
  /** By what type the signature should name it. */
  readonly type: string;
  readonly digest: (algorithm: string) => Buffer;
  readonly pieces: () => readonly Buffer[];
}

export interface Verified {
  readonly integrity: Integrity;
  /** Null where there is not one signature. */
  readonly info: SignerInfo | null;
  /** Null where its certificate is not there, or cannot be read. */
  readonly signer: ParsedCertificate | null;
  /** The certificate's own bytes first. */
  readonly chain: readonly Buffer[];
}

/** Verifies the one signature of signed data. Who signed it, and whether to trust that certificate, is not asked. */
export function verifyCms({ digests, certificates, signer: info }: Cms, content: Content): Verified {
  if (info === null) return { integrity: "invalid", info: null, signer: null, chain: [] };
  const signer = signerOf(info, certificates);
  const chain = signer ? [signer.der, ...certificates.filter((each) => !each.equals(signer.der))] : [];
  // OpenSSL hashes with the digests that the list has (RFC 5652, 5.4 wants the signer's there).
  const isListed = digests.includes(info.digestAlgorithm.algorithmId);
  return { integrity: isListed ? integrityOf(info, signer, content) : "invalid", info, signer, chain };
}

/** The time that the signer claims. */
export function signingTimeOf(info: SignerInfo): Date | null {
  const value = attributeOf(info, OID.signingTime) as (BaseBlock & { readonly toDate?: () => Date }) | undefined;
  const time = value?.toDate?.();
  return time === undefined || Number.isNaN(time.getTime()) ? null : time;
}

function integrityOf(info: SignerInfo, signer: ParsedCertificate | null, content: Content): Integrity {
  const digest = digestOf(info.digestAlgorithm);
  if (digest === undefined) return "not_checked";
  if (info.signedAttrs ? !attributesHold(info, digest.name, content) : content.type !== id_ContentType_Data)
    return "invalid";
  if (!signer?.key) return "not_checked";
  if (namesCertificate(info, signer.der) === false) return "invalid";
  const scheme = schemeOf(info.signatureAlgorithm, digest.name, signer.key);
  if (scheme === null) return "not_checked";
  if (scheme === "contradiction" || !isSigned(info, scheme, signer, content)) return "invalid";
  return digest.isWeak || scheme.isWeak ? "not_checked" : "valid";
}

/** RFC 5652, 5.6 and 11: the signed attributes name the content by its type and digest. */
function attributesHold(info: SignerInfo, digest: string, content: Content): boolean {
  const attributes = info.signedAttrs?.attributes ?? [];
  for (const type of SINGLE) {
    const found = attributes.filter((each) => each.type === type);
    if (found.length > 1 || (found[0] && found[0].values.length !== 1)) return false;
  }
  const said = attributeOf(info, OID.messageDigest);
  return (
    attributeOf(info, OID.contentType)?.valueBlock.toString() === content.type &&
    said !== undefined &&
    bufferOf(said).equals(content.digest(digest))
  );
}

function isSigned(info: SignerInfo, scheme: Scheme, { key }: ParsedCertificate, content: Content): boolean {
  if (key === null) return false;
  const signature = bufferOf(info.signature);
  const with_ = { key, ...scheme.options };
  try {
    if (info.signedAttrs) return verify(scheme.digest, signedBytesOf(info.signedAttrs.encodedValue), with_, signature);
    if (scheme.digest === null) return verify(null, Buffer.concat(content.pieces()), with_, signature);
    const verifier = createVerify(scheme.digest);
    for (const piece of content.pieces()) verifier.update(piece);
    return verifier.verify(with_, signature);
  } catch {
    return false;
  }
}

/** The attributes as a set of known length: where they came with an unknown one, that was another form of the same (RFC 5652, 5.4). */
function signedBytesOf(encoded: ArrayBuffer): Buffer {
  const bytes = Buffer.from(encoded);
  return bytes[1] === 0x80 ? der(0x31, bytes.subarray(2, -2)) : bytes;
}

/** The certificate that the signature names by issuer and number, or by its key. */
function signerOf({ sid }: SignerInfo, certificates: readonly Buffer[]): ParsedCertificate | null {
  for (const bytes of certificates) {
    const certificate = parsed(bytes);
    if (certificate && isNamed(sid, certificate)) return certificate;
  }
  return null;
}

function isNamed(sid: unknown, { issuer, serial, extensions }: ParsedCertificate): boolean {
  if (sid instanceof IssuerAndSerialNumber) {
    const name = Buffer.from(sid.issuer.valueBeforeDecode);
    return (
      bufferOf(sid.serialNumber).equals(serial) && (name.equals(issuer) || (isName(name) && isSameName(name, issuer)))
    );
  }
  const identifier = extensions.get(EXTENSION.subjectKeyIdentifier)?.value;
  return identifier !== undefined && readDer(identifier, TAG.octetString).content.equals(bufferOf(sid as BaseBlock));
}

/** Types of texts in names (RFC 5280, 4.1.2.4). */
const TEXTS: ReadonlySet<number> = new Set([TAG.utf8String, TAG.bmpString, 0x13, 0x14, 0x16]);

/** Whether it is written as names are: some programs write that of the issuer anew, with other types of texts. */
function isName(name: Buffer): boolean {
  try {
    return partsOf(readDer(name, TAG.sequence)).every((set) =>
      partsOf(expectTag(set, TAG.set)).every((attribute) => {
        const [type, value, ...more] = partsOf(expectTag(attribute, TAG.sequence));
        return type?.tag === TAG.oid && value !== undefined && TEXTS.has(value.tag) && more.length === 0;
      }),
    );
  } catch {
    return false;
  }
}

function parsed(bytes: Buffer): ParsedCertificate | null {
  try {
    return parseCertificate(bytes);
  } catch {
    return null;
  }
}
