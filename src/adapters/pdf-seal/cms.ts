/** The signature inside a sealed PDF: CMS (RFC 5652) with the attributes of PAdES baseline B-B (ETSI EN 319 142-1). */
import { createHash, type KeyObject, sign, verify, X509Certificate } from "node:crypto";
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
  ecdsaSha256: "1.2.840.10045.4.3.2",
} as const;

/** What signs. */
export interface SealKey {
  /** DER. */
  readonly certificate: Buffer;
  /** The certificates between it and its root, DER: readers find them in the signature. */
  readonly chain?: readonly Buffer[];
  readonly key: KeyObject;
}

/** What a signer signs, and how. */
export interface ToSign {
  /** DER, as it is signed: a set. */
  readonly signedAttributes: Buffer;
  /** Its SHA-256. */
  readonly digest: Buffer;
  readonly algorithm: "RSASSA-PKCS1-v1_5-SHA256" | "ECDSA-SHA256";
}

/**
 * `key`: the certificate's key is none that signs here. `certificate`: one of the chain is not DER. `format`: the signature has another length,
 * or is not DER. `mismatch`: another key made it, or over something else.
 */
export type SignatureFault = "key" | "certificate" | "format" | "mismatch";

/** A signature that was made elsewhere, or its certificates, cannot be taken. */
export class SignatureRefused extends Error {
  override readonly name = "SignatureRefused";
  readonly reason: SignatureFault;

  constructor(reason: SignatureFault) {
    super(`the signature is refused: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Signs a digest: RSA (PKCS#1 v1.5), SHA-256. The same digest and key give the same bytes. The time of signing stands in the PDF's dictionary:
 * B-B lets no attribute have it.
 * @param digest SHA-256 of what is signed
 * @returns DER
 */
export function signDigest(digest: Uint8Array, { certificate, chain = [], key }: SealKey): Buffer {
  const whole = [certificate, ...chain];
  return cmsOf(digest, whole, sign("sha256", toSign(digest, whole).signedAttributes, key));
}

/**
 * What is to be signed for a digest.
 * @param digest SHA-256 of what is signed
 * @param chain DER, the signer's certificate first
 * @throws SignatureRefused
 */
export function toSign(digest: Uint8Array, chain: readonly Buffer[]): ToSign {
  const leaf = leafOf(chain);
  const signedAttributes = Buffer.from(new Asn1Set({ value: attributesOf(digest, leaf) }).toBER());
  return {
    signedAttributes,
    digest: createHash("sha256").update(signedAttributes).digest(),
    algorithm: keyOf(leaf).isRsa ? "RSASSA-PKCS1-v1_5-SHA256" : "ECDSA-SHA256",
  };
}

/**
 * Looks whether the key of a chain's first certificate made a signature.
 * @throws SignatureRefused
 */
export function checkSignature({ signedAttributes }: ToSign, chain: readonly Buffer[], signature: Uint8Array): void {
  const { publicKey, isRsa, mostBytes } = keyOf(leafOf(chain));
  if (isRsa ? signature.length !== mostBytes : !isEcdsa(signature, mostBytes)) throw new SignatureRefused("format");
  if (!verify("sha256", signedAttributes, { key: publicKey, dsaEncoding: "der" }, signature))
    throw new SignatureRefused("mismatch");
}

/** The most bytes that `cmsOf` gives with a chain. */
export function roomOf(chain: readonly Buffer[]): number {
  return cmsOf(Buffer.alloc(32), chain, Buffer.alloc(keyOf(leafOf(chain)).mostBytes)).length;
}

/**
 * The signature as it stands in a PDF, with the whole chain.
 * @param signature over the attributes that `toSign` tells
 * @returns DER
 * @throws SignatureRefused
 */
export function cmsOf(digest: Uint8Array, chain: readonly Buffer[], signature: Uint8Array): Buffer {
  const leaf = leafOf(chain);
  const { issuer, serialNumber } = read(leaf);
  const signer = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Sequence({ value: [issuer.toSchema(), serialNumber] }),
      algorithm(OID.sha256),
      new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: attributesOf(digest, leaf) }),
      // ECDSA has no parameters (RFC 5754).
      keyOf(leaf).isRsa
        ? algorithm(OID.rsa)
        : new Sequence({ value: [new ObjectIdentifier({ value: OID.ecdsaSha256 })] }),
      octets(signature),
    ],
  });
  // A set, which DER orders.
  const certificates = [...chain].sort(Buffer.compare).map(asItIs);
  const signedData = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Asn1Set({ value: [algorithm(OID.sha256)] }),
      new Sequence({ value: [new ObjectIdentifier({ value: OID.data })] }),
      new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: certificates }),
      new Asn1Set({ value: [signer] }),
    ],
  });
  const content = new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [signedData] });
  return Buffer.from(new Sequence({ value: [new ObjectIdentifier({ value: OID.signedData }), content] }).toBER());
}

/** In the order of DER: what is signed is a set, and verifiers sort it. */
function attributesOf(digest: Uint8Array, certificate: Buffer): BaseBlock[] {
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

function leafOf([leaf]: readonly Buffer[]): Buffer {
  if (leaf === undefined) throw new SignatureRefused("certificate");
  return leaf;
}

/** Signatures of a curve in DER: two numbers, which are one byte longer where they would be negative. */
const MOST_ECDSA: ReadonlyMap<string | undefined, number> = new Map([
  ["prime256v1", 72],
  ["secp384r1", 104],
]);
const LEAST_MODULUS_BITS = 2048;

/** The key of a certificate, if it is one that signs here. */
function keyOf(certificate: Buffer): {
  readonly publicKey: KeyObject;
  readonly isRsa: boolean;
  readonly mostBytes: number;
} {
  let publicKey: KeyObject;
  try {
    ({ publicKey } = new X509Certificate(certificate));
  } catch {
    throw new SignatureRefused("certificate");
  }
  const { modulusLength = 0, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
  const isRsa = publicKey.asymmetricKeyType === "rsa";
  const mostBytes = isRsa ? Math.ceil(modulusLength / 8) : (MOST_ECDSA.get(namedCurve) ?? 0);
  if (isRsa ? modulusLength < LEAST_MODULUS_BITS : mostBytes === 0) throw new SignatureRefused("key");
  return { publicKey, isRsa, mostBytes };
}

/** Whether it is a sequence that ends with the signature. OpenSSL looks at the numbers, and that they are DER. */
const isEcdsa = (signature: Uint8Array, most: number) =>
  signature.length <= most && signature[0] === 0x30 && signature[1] === signature.length - 2;

/** Written again it has the same bytes: a digest of it stands in the signature. */
function asItIs(certificate: Buffer): BaseBlock {
  const { offset, result } = fromBER(bytesOf(certificate));
  if (offset !== certificate.length || !Buffer.from(result.toBER()).equals(certificate))
    throw new SignatureRefused("certificate");
  return result;
}

function read(certificate: Buffer): Certificate {
  try {
    return new Certificate({ schema: asItIs(certificate) });
  } catch {
    throw new SignatureRefused("certificate");
  }
}

const algorithm = (value: string) => new Sequence({ value: [new ObjectIdentifier({ value }), new Null()] });
const octets = (bytes: Uint8Array) => new OctetString({ valueHex: bytesOf(bytes) });
const bytesOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
