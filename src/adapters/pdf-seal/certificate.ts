/** The certificates that seal PDFs: RSA 3072, self-signed X.509 (RFC 5280). */
import {
  createHash,
  createPrivateKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
  webcrypto,
  X509Certificate,
} from "node:crypto";
import { BitString, Integer, OctetString, Utf8String } from "asn1js";
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension } from "pkijs";

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;
const MODULUS_BITS = 3072;
const YEARS = 2;
/** Object identifiers of RFC 5280 and X.520. */
const OID = {
  commonName: "2.5.4.3",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  subjectKeyIdentifier: "2.5.29.14",
} as const;
/** The bits digitalSignature and nonRepudiation, with six unused bits. */
const SIGNS_AND_COMMITS = { unusedBits: 6, valueHex: new Uint8Array([0b1100_0000]).buffer };
/** ub-common-name of RFC 5280, in characters. */
const MOST_NAME = 64;

/** A certificate with its private key. */
export interface SealCertificate {
  /** DER. */
  readonly certificate: Buffer;
  /** PKCS#8, DER: a secret. */
  readonly privateKey: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * Makes a certificate for two years.
 * @param name whose installation it is
 * @param now from when it is valid
 */
export async function makeSealCertificate(
  name: string,
  environment: "live" | "test",
  now: Date = new Date(),
): Promise<SealCertificate> {
  const made = await webcrypto.subtle.generateKey(
    { ...RSA, modulusLength: MODULUS_BITS, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ["sign", "verify"],
  );
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.exportKey("pkcs8", made.privateKey),
    webcrypto.subtle.exportKey("spki", made.publicKey),
  ]);
  const certificate = new Certificate({
    version: 2,
    // Positive, and of one length.
    serialNumber: new Integer({
      valueHex: new Uint8Array(Buffer.concat([Buffer.from([0x53]), randomBytes(15)])).buffer,
    }),
  });
  for (const subject of [certificate.issuer, certificate.subject])
    subject.typesAndValues.push(
      new AttributeTypeAndValue({
        type: OID.commonName,
        value: new Utf8String({ value: commonName(name, environment) }),
      }),
    );
  // Seconds: a certificate has no fractions. An hour back: clocks differ, and a seal has the time of the last act, which came before.
  const notBefore = new Date(Math.floor(now.getTime() / 1000) * 1000 - 3_600_000);
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  certificate.notBefore.value = notBefore;
  certificate.notAfter.value = notAfter;
  await certificate.subjectPublicKeyInfo.importKey(made.publicKey);
  const keyIdentifier = new Uint8Array(createHash("sha256").update(new Uint8Array(publicKey)).digest().subarray(0, 20));
  const extension = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    new Extension({ extnID, critical, extnValue: value.toBER() });
  certificate.extensions = [
    extension(OID.basicConstraints, true, new BasicConstraints({ cA: false }).toSchema()),
    extension(OID.keyUsage, true, new BitString(SIGNS_AND_COMMITS)),
    extension(OID.subjectKeyIdentifier, false, new OctetString({ valueHex: keyIdentifier.buffer })),
  ];
  await certificate.sign(made.privateKey, "SHA-256");
  return {
    certificate: Buffer.from(certificate.toSchema(true).toBER()),
    privateKey: Buffer.from(privateKey),
    notBefore,
    notAfter,
  };
}

/** The name of a certificate, which anyone can compute: the first bytes of its SHA-256. */
export function sealCertificateId(certificate: Uint8Array): string {
  return `rsa-3072-${createHash("sha256").update(certificate).digest("hex").slice(0, 16)}`;
}

/**
 * Signs and verifies with a certificate and its key.
 * @throws Error if they do not belong together
 */
export function openSealKey(certificate: Uint8Array, privateKey: Uint8Array): KeyObject {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  const message = Buffer.from("a certificate that seals");
  if (!verify("sha256", message, new X509Certificate(certificate).publicKey, sign("sha256", message, key)))
    throw new Error(`the certificate ${sealCertificateId(certificate)} and its private key do not belong together`);
  return key;
}

function commonName(name: string, environment: "live" | "test"): string {
  const suffix = environment === "test" ? " (TEST)" : "";
  const shown = Array.from(`Selo ${name}`).slice(0, MOST_NAME - suffix.length);
  return `${shown.join("")}${suffix}`;
}
