import { createHmac, timingSafeEqual } from "node:crypto";
import forge from "node-forge";
import { pkcs12Key, withPassword } from "./derive-keys.ts";
import { type PasswordBytes, passwordForms } from "./passwords.ts";
import { Refused } from "./refused.ts";

type Asn1 = forge.asn1.Asn1;

/** What stands in a PKCS#12 file, in DER: keys as PKCS#8 says. */
export interface Bags {
  readonly keys: readonly Buffer[];
  readonly certificates: readonly Buffer[];
}

/** Digests of a MAC, by their identifiers. */
const MAC_DIGESTS: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.5": "md5",
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/**
 * Decrypts a PKCS#12 file (RFC 7292) by node-forge, which reads RC2 and 3DES, too. The file's MAC says whether the password is right;
 * in a file without a MAC, a password is right if it decrypts all.
 * @throws Refused: `malformed`, `unsupported`, `wrong_password`, `too_many_iterations`
 */
export function openPfx(file: Buffer, password: string): Bags {
  const der = outermost(file);
  const mac = readMac(parsePfx(der));
  const forms = passwordForms(password).filter((form) => !mac || isRight(mac, form));
  let refused = new Refused("wrong_password");
  for (const form of forms) {
    try {
      return withPassword(form, () => decrypt(der));
    } catch (error) {
      if (error instanceof Refused) throw error;
      // node-forge says which object identifier it does not know.
      if (error instanceof Error && "oid" in error) throw new Refused("unsupported");
      if (mac) refused = new Refused("malformed");
    }
  }
  throw refused;
}

/**
 * The file's outermost value, without bytes that stand after it.
 * @throws Refused: `malformed`, also if the file ends before it
 */
function outermost(file: Buffer): Buffer {
  const [tag, first = 0] = file;
  if (tag !== 0x30) throw new Refused("malformed");
  // Windows and macOS write indefinite lengths, whose end node-forge looks for.
  if (first === 0x80) return file;
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (more > 4 || file.length < 2 + more) throw new Refused("malformed");
  const end = 2 + more + (more ? file.readUIntBE(2, more) : first);
  if (end > file.length) throw new Refused("malformed");
  return file.subarray(0, end);
}

function parsePfx(der: Buffer): Asn1[] {
  try {
    return children(forge.asn1.fromDer(der.toString("latin1"), true));
  } catch {
    throw new Refused("malformed");
  }
}

interface Mac {
  readonly digest: string;
  readonly value: Buffer;
  readonly salt: Buffer;
  readonly iterations: number;
  /** What it covers. */
  readonly content: Buffer;
}

/** The MAC of a PFX, or null where it has none. */
function readMac(pfx: readonly Asn1[]): Mac | null {
  if (pfx.length < 2) throw new Refused("malformed");
  const [, authSafe, macData] = pfx;
  if (!macData) return null;
  const [info, salt, iterations] = children(macData);
  const [algorithm, value] = children(info);
  const digest = MAC_DIGESTS[forge.asn1.derToOid(bytes(children(algorithm)[0]).toString("latin1"))];
  // RFC 9579 (PBMAC1) as well: no authority of ICP-Brasil writes such files.
  if (!digest) throw new Refused("unsupported");
  const [, wrapped] = children(authSafe);
  const count = iterations ? bytes(iterations) : Buffer.of(1);
  if (count.length < 1 || count.length > 6) throw new Refused(count.length < 1 ? "malformed" : "too_many_iterations");
  return {
    digest,
    value: bytes(value),
    salt: bytes(salt),
    iterations: count.readUIntBE(0, count.length),
    content: bytes(children(wrapped)[0]),
  };
}

function isRight(mac: Mac, { pkcs12 }: PasswordBytes): boolean {
  const length = createHmac(mac.digest, "").digest().length;
  const key = pkcs12Key(pkcs12, mac.salt, 3, mac.iterations, length, mac.digest);
  const value = createHmac(mac.digest, key).update(mac.content).digest();
  return mac.value.length === value.length && timingSafeEqual(mac.value, value);
}

function decrypt(der: Buffer): Bags {
  const pfx = forge.asn1.fromDer(der.toString("latin1"), true);
  // The MAC was checked, and node-forge would do it again.
  pfx.value = children(pfx).slice(0, 2);
  // Not strict: some programs write an empty part.
  const { safeContents } = forge.pkcs12.pkcs12FromAsn1(pfx, false, "");
  const keys: Buffer[] = [];
  const certificates: Buffer[] = [];
  for (const { safeBags } of safeContents) {
    // Types promise less than node-forge gives: what it cannot read has `asn1`, and what it can read has not.
    for (const { type, key, cert, asn1 } of safeBags) {
      if (type === forge.pki.oids.certBag) certificates.push(derOf(cert ? forge.pki.certificateToAsn1(cert) : asn1));
      else keys.push(derOf(key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1));
    }
  }
  return { keys, certificates };
}

const derOf = (value: Asn1): Buffer => Buffer.from(forge.asn1.toDer(value).getBytes(), "latin1");

function children(value: Asn1 | undefined): Asn1[] {
  if (!value || typeof value.value === "string") throw new Refused("malformed");
  return value.value;
}

/** The bytes of a value, also of an octet string that is written in pieces (BER). */
function bytes(value: Asn1 | undefined): Buffer {
  if (!value) throw new Refused("malformed");
  if (typeof value.value === "string") return Buffer.from(value.value, "latin1");
  return Buffer.concat(value.value.map(bytes));
}
