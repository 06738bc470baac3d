import forge from "node-forge";
import { bytesOf, joined, latin1 } from "./bytes.ts";
import { type Digests, hmac, KeyAwaited, pkcs12Key, withPassword } from "./derive-keys.ts";
import { type PasswordBytes, passwordForms } from "./passwords.ts";
import { Refused } from "./refused.ts";

type Asn1 = forge.asn1.Asn1;

/** What stands in a PKCS#12 file, in DER: keys as PKCS#8 says. */
export interface Bags {
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
  readonly certificates: readonly Uint8Array<ArrayBuffer>[];
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
 * @throws Refused: `malformed`, `unsupported`, `wrong_password`, `too_many_iterations`; KeyAwaited
 */
export function openPfx(file: Uint8Array, password: string, digests: Digests): Bags {
  const der = outermost(file);
  const mac = readMac(parsePfx(der));
  const forms = passwordForms(password).filter((form) => !mac || isRight(digests, mac, form));
  let refused = new Refused("wrong_password");
  for (const form of forms) {
    try {
      return withPassword(digests, form, () => decrypt(der));
    } catch (error) {
      if (error instanceof Refused || error instanceof KeyAwaited) throw error;
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
function outermost(file: Uint8Array): Uint8Array {
  const [tag, first = 0] = file;
  if (tag !== 0x30) throw new Refused("malformed");
  // Windows and macOS write indefinite lengths, whose end node-forge looks for.
  if (first === 0x80) return file;
  const more = first < 0x80 ? 0 : first & 0x7f;
  if (more > 4 || file.length < 2 + more) throw new Refused("malformed");
  const end = 2 + more + (more ? numberOf(file.subarray(2, 2 + more)) : first);
  if (end > file.length) throw new Refused("malformed");
  return file.subarray(0, end);
}

function parsePfx(der: Uint8Array): Asn1[] {
  try {
    return children(forge.asn1.fromDer(latin1(der), true));
  } catch {
    throw new Refused("malformed");
  }
}

interface Mac {
  readonly digest: string;
  readonly value: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
  /** What it covers. */
  readonly content: Uint8Array;
}

/** The MAC of a PFX, or null where it has none. */
function readMac(pfx: readonly Asn1[]): Mac | null {
  if (pfx.length < 2) throw new Refused("malformed");
  const [, authSafe, macData] = pfx;
  if (!macData) return null;
  const [info, salt, iterations] = children(macData);
  const [algorithm, value] = children(info);
  const digest = MAC_DIGESTS[forge.asn1.derToOid(latin1(bytes(children(algorithm)[0])))];
  // RFC 9579 (PBMAC1) as well: no authority of ICP-Brasil writes such files.
  if (!digest) throw new Refused("unsupported");
  const [, wrapped] = children(authSafe);
  const count = iterations ? bytes(iterations) : Uint8Array.of(1);
  if (count.length < 1 || count.length > 6) throw new Refused(count.length < 1 ? "malformed" : "too_many_iterations");
  return {
    digest,
    value: bytes(value),
    salt: bytes(salt),
    iterations: numberOf(count),
    content: bytes(children(wrapped)[0]),
  };
}

function isRight(digests: Digests, mac: Mac, { pkcs12 }: PasswordBytes): boolean {
  const { digest, salt, iterations, content, value } = mac;
  const { length } = digests.hash(digest, new Uint8Array());
  const key = pkcs12Key(digests, pkcs12, salt, 3, iterations, length, digest);
  const right = hmac(digests, digest, key, content);
  return value.length === length && right.every((byte, at) => byte === value[at]);
}

function decrypt(der: Uint8Array): Bags {
  const pfx = forge.asn1.fromDer(latin1(der), true);
  // The MAC was checked, and node-forge would do it again.
  pfx.value = children(pfx).slice(0, 2);
  // Not strict: some programs write an empty part.
  const { safeContents } = forge.pkcs12.pkcs12FromAsn1(pfx, false, "");
  const keys: Uint8Array<ArrayBuffer>[] = [];
  const certificates: Uint8Array<ArrayBuffer>[] = [];
  for (const { safeBags } of safeContents)
    for (const { type, asn1 } of safeBags) (type === forge.pki.oids.certBag ? certificates : keys).push(derOf(asn1));
  return { keys, certificates };
}

const derOf = (value: Asn1): Uint8Array<ArrayBuffer> => bytesOf(forge.asn1.toDer(value).getBytes());

/** A positive number of at most six bytes. */
const numberOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function children(value: Asn1 | undefined): Asn1[] {
  if (!value || typeof value.value === "string") throw new Refused("malformed");
  return value.value;
}

/** The bytes of a value, also of an octet string that is written in pieces (BER). */
function bytes(value: Asn1 | undefined): Uint8Array {
  if (!value) throw new Refused("malformed");
  if (typeof value.value === "string") return bytesOf(value.value);
  return joined(...value.value.map(bytes));
}
