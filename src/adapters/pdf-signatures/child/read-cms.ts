import { X509Certificate } from "node:crypto";
import { type BaseBlock, fromBER } from "asn1js";
import { Certificate, EncapsulatedContentInfo, id_ContentType_SignedData, SignerInfo } from "pkijs";
import { readDer as readDerValue, readOid, TAG } from "../../certificates/der.ts";
import { bytesOf, readDer } from "../../time-stamp/der.ts";
import { berLength, MOST_PARTS, partsOfBer, TooManyParts } from "./ber-length.ts";

/** The bytes are no signed data (CMS, RFC 5652), or more than one. */
export class Malformed extends Error {
  override readonly name = "Malformed";
}

/** Nobody looked at it: it is longer than what is read, or the room behind it has something else in it than zeros. */
export class Unread extends Error {
  override readonly name = "Unread";
}

export interface Cms {
  /** The digests that it says it uses, by their identifiers. */
  readonly digests: readonly string[];
  readonly content: EncapsulatedContentInfo;
  /** As they came, DER. */
  readonly certificates: readonly Buffer[];
  /** Null where there is not one. */
  readonly signer: SignerInfo | null;
}

/** A signature with revocation data has some 100 KiB. */
const MOST_CMS_BYTES = 4 * 1024 * 1024;
const SIGNED_DATA = Buffer.from("06092a864886f70d010702", "hex");
const CERTIFICATES = 0xa0;
/** Lists of revoked certificates, which nobody needs here. */
const LISTS = 0xa1;

/**
 * Reads signed data in BER, with nothing behind it but zeros. Pkijs reads what signs and what is signed; certificates, which are most of the bytes, stay
 * as they are.
 * @throws Malformed, Unread
 */
export function readCms(bytes: Buffer): Cms {
  try {
    const length = berLength(bytes);
    const room = bytes.subarray(length);
    if (room.includes(SIGNED_DATA)) throw new Malformed("there is another signature behind it");
    // Some programs leave there what stood in their memory: no signature is made worse by it.
    if (length > MOST_CMS_BYTES || room.some((byte) => byte !== 0)) throw new Unread();
    const [type, wrapped, ...others] = sequenceOf(bytes.subarray(0, length));
    if (oidOf(type) !== id_ContentType_SignedData || others.length > 0) throw new Malformed("it is no signed data");
    const [data, ...more] = partsOfBer(part(wrapped, 0xa0));
    if (more.length > 0) throw new Malformed("it has two contents");
    const [version, digests, content, ...rest] = sequenceOf(data);
    part(version, TAG.integer);
    const list = rest[0]?.[0] === CERTIFICATES ? rest.shift() : undefined;
    if (rest[0]?.[0] === LISTS) rest.shift();
    const [signers, ...behind] = rest;
    if (behind.length > 0) throw new Malformed("there is something behind the signers");
    const infos = partsOfBer(part(signers, TAG.set));
    const [first] = infos;
    return {
      digests: partsOfBer(part(digests, TAG.set)).map((each) => oidOf(sequenceOf(each)[0])),
      content: new EncapsulatedContentInfo({ schema: readDer(part(content, TAG.sequence)) }),
      certificates: list === undefined ? [] : certificatesOf(list),
      signer: first === undefined || infos.length > 1 ? null : new SignerInfo({ schema: withManyParts(first) }),
    };
  } catch (error) {
    if (error instanceof TooManyParts) throw new Unread();
    throw error instanceof Malformed || error instanceof Unread
      ? error
      : new Malformed("it is no signed data", { cause: error });
  }
}

export const readCertificate = (der: Buffer): Certificate => Certificate.fromBER(bytesOf(der));

/** Tags of what the set may have beside certificates: extended ones, those of attributes, and other forms (RFC 5652, 10.2.2). */
const OTHER_CERTIFICATES: readonly unknown[] = [0xa0, 0xa1, 0xa2, 0xa3];

function certificatesOf(list: Buffer): Buffer[] {
  const [certificates, others] = [[] as Buffer[], [] as Buffer[]];
  for (const each of partsOfBer(list)) (each[0] === TAG.sequence ? certificates : others).push(each);
  if (others.some(([tag]) => !OTHER_CERTIFICATES.includes(tag)))
    throw new Malformed("it has something else than certificates");
  // OpenSSL must find certificates in them, too: other readers go by it or its like.
  for (const each of certificates) new X509Certificate(each);
  return certificates;
}

function part(bytes: Buffer | undefined, tag: number): Buffer {
  if (bytes?.[0] !== tag) throw new Malformed("a part is missing");
  return bytes;
}

/** Some programs put lists of revoked certificates into the attributes: asn1js takes 10,000 parts unless it is told. It counts ends, too. */
function withManyParts(bytes: Buffer): BaseBlock {
  const { result, offset } = fromBER(bytesOf(bytes), { maxNodes: 2 * MOST_PARTS });
  if (offset !== bytes.length) throw new Malformed(result.error);
  return result;
}

const sequenceOf = (bytes: Buffer | undefined): Buffer[] => partsOfBer(part(bytes, TAG.sequence));
const oidOf = (bytes: Buffer | undefined): string => readOid(readDerValue(part(bytes, TAG.oid)));
