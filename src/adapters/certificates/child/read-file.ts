import { createPrivateKey, hash, type KeyObject, pbkdf2Sync, sign, verify, X509Certificate } from "node:crypto";
import type { Digests } from "../../../pkcs12/derive-keys.ts";
import { openPfx } from "../../../pkcs12/open-pfx.ts";
import { Refused } from "../../../pkcs12/refused.ts";
import { cnpjOf } from "../other-names.ts";
import { type Answer, LEAST_KEY_BITS } from "../refusals.ts";

const digests: Digests = {
  hash: (digest, bytes) => hash(digest, bytes, "buffer"),
  pbkdf2: pbkdf2Sync,
};

/** Reads a PKCS#12 file: its RSA key, the certificate of that key, and the certificates above that one. */
export function readFile(file: Buffer, password: string): Answer {
  try {
    const bags = openPfx(file, password, digests);
    const keys = bags.keys.map(readKey);
    const certificates = bags.certificates.map(readCertificate);
    if (keys.length === 0) throw new Refused("no_key");
    if (certificates.length === 0) throw new Refused("no_certificate");
    const { key, certificate } = choose(keys, certificates);
    return { read: described(key, certificate, certificates) };
  } catch (error) {
    if (error instanceof Refused) return { refused: error.reason };
    throw error;
  }
}

function readKey(der: Uint8Array): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8" });
  } catch {
    throw new Refused("malformed");
  }
}

function readCertificate(der: Uint8Array): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch {
    throw new Refused("malformed");
  }
}

interface Identity {
  readonly key: KeyObject;
  readonly certificate: X509Certificate;
}

/** The key that may sign, and its certificate; of several certificates of such keys the one that begins last. */
function choose(keys: readonly KeyObject[], certificates: readonly X509Certificate[]): Identity {
  const pairs = keys.flatMap((key) =>
    certificates.filter((certificate) => fits(key, certificate)).map((certificate) => ({ key, certificate })),
  );
  if (pairs.length === 0) throw new Refused("key_mismatch");
  const rsa = pairs.filter(({ key }) => key.asymmetricKeyType === "rsa");
  if (rsa.length === 0) throw new Refused("key_not_rsa");
  const [first, ...others] = rsa.filter(({ key }) => bitsOf(key) >= LEAST_KEY_BITS);
  if (!first) throw new Refused("key_too_short");
  return others.reduce(
    (best, each) => (each.certificate.validFromDate > best.certificate.validFromDate ? each : best),
    first,
  );
}

const TRIAL = Buffer.from("a key fits the certificate that verifies its signature");

/** Node compares only the public numbers, which say nothing of a private one that is damaged. */
function fits(key: KeyObject, certificate: X509Certificate): boolean {
  try {
    if (!certificate.checkPrivateKey(key)) return false;
    return verify("sha256", TRIAL, certificate.publicKey, sign("sha256", TRIAL, key));
  } catch {
    return false;
  }
}

const bitsOf = (key: KeyObject): number => key.asymmetricKeyDetails?.modulusLength ?? 0;

/** Without a MAC, a damaged certificate may still be read, such as one whose day does not exist. */
function described(key: KeyObject, certificate: X509Certificate, all: readonly X509Certificate[]) {
  try {
    return describe(key, certificate, all);
  } catch {
    throw new Refused("malformed");
  }
}

function describe(key: KeyObject, certificate: X509Certificate, all: readonly X509Certificate[]) {
  return {
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: pem(certificate),
    chain: chainOf(certificate, all).map(pem),
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    serial: certificate.serialNumber,
    sha256: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
    not_before: certificate.validFromDate.toISOString(),
    not_after: certificate.validToDate.toISOString(),
    cnpj: cnpjOf(certificate.raw),
    key_bits: bitsOf(key),
  };
}

const pem = (certificate: X509Certificate): string => certificate.toString();
const oneLine = (name: string | undefined): string => (name ?? "").replaceAll("\n", ", ");

/** The certificates above one, in order. Others of the file have nothing to do with it. */
function chainOf(leaf: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let below = leaf; ; ) {
    const above = all.find(
      (each) =>
        each.fingerprint256 !== leaf.fingerprint256 &&
        !chain.some(({ fingerprint256 }) => fingerprint256 === each.fingerprint256) &&
        isIssuedBy(below, each),
    );
    if (!above) return chain;
    chain.push(above);
    below = above;
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}
