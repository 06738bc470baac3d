/** The signature inside a sealed PDF: CMS (RFC 5652) with the attributes of PAdES baseline B-B (ETSI EN 319 142-1). */
import { createHash, type KeyObject, sign } from "node:crypto";
import {
  Set as Asn1Set,
  type BaseBlock,
  Constructed,
  fromBER,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
} from "asn1js";
import { Certificate } from "pkijs";

const OID = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  sha256: "2.16.840.1.101.3.4.2.1",
  rsa: "1.2.840.113549.1.1.1",
} as const;

/** What signs. */
export interface SealKey {
  /** DER. */
  readonly certificate: Buffer;
  readonly key: KeyObject;
}

/**
 * Signs a digest: RSA (PKCS#1 v1.5), SHA-256. The same digest and key give the same bytes. The time of signing stands in the PDF's dictionary:
 * B-B lets no attribute have it.
 * @param digest SHA-256 of what is signed
 * @returns DER
 */
export function signDigest(digest: Uint8Array, { certificate, key }: SealKey): Buffer {
  const attributes = signedAttributes(digest, certificate);
  const signature = sign("sha256", Buffer.from(new Asn1Set({ value: attributes }).toBER()), key);
  const { issuer, serialNumber } = read(certificate);
  const signer = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Sequence({ value: [issuer.toSchema(), serialNumber] }),
      algorithm(OID.sha256),
      new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: attributes }),
      algorithm(OID.rsa),
      octets(signature),
    ],
  });
  const signedData = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Asn1Set({ value: [algorithm(OID.sha256)] }),
      new Sequence({ value: [new ObjectIdentifier({ value: OID.data })] }),
      new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [fromBER(bytesOf(certificate)).result] }),
      new Asn1Set({ value: [signer] }),
    ],
  });
  const content = new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [signedData] });
  return Buffer.from(new Sequence({ value: [new ObjectIdentifier({ value: OID.signedData }), content] }).toBER());
}

/** In the order of DER: what is signed is a set, and verifiers sort it. */
function signedAttributes(digest: Uint8Array, certificate: Buffer): BaseBlock[] {
  const { issuer, serialNumber } = read(certificate);
  const attribute = (type: string, value: BaseBlock) =>
    new Sequence({ value: [new ObjectIdentifier({ value: type }), new Asn1Set({ value: [value] })] });
  const directoryName = new Constructed({ idBlock: { tagClass: 3, tagNumber: 4 }, value: [issuer.toSchema()] });
  const issuerSerial = new Sequence({ value: [new Sequence({ value: [directoryName] }), serialNumber] });
  const certificateHash = octets(createHash("sha256").update(certificate).digest());
  // SHA-256 is the default of ESSCertIDv2 (RFC 5035), which DER leaves out.
  const signingCertificate = new Sequence({
    value: [new Sequence({ value: [new Sequence({ value: [certificateHash, issuerSerial] })] })],
  });
  return [
    attribute(OID.contentType, new ObjectIdentifier({ value: OID.data })),
    attribute(OID.messageDigest, octets(digest)),
    attribute(OID.signingCertificateV2, signingCertificate),
  ].sort((one, other) => Buffer.compare(Buffer.from(one.toBER()), Buffer.from(other.toBER())));
}

const read = (certificate: Uint8Array) => Certificate.fromBER(bytesOf(certificate));
const algorithm = (value: string) => new Sequence({ value: [new ObjectIdentifier({ value }), new Null()] });
const octets = (bytes: Uint8Array) => new OctetString({ valueHex: bytesOf(bytes) });
const bytesOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
