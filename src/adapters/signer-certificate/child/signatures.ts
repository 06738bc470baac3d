import { type KeyObject, verify } from "node:crypto";
import { partsOf, readDer, readOid } from "../../certificates/der.ts";
import type { Signed } from "./certificate.ts";

interface Algorithm {
  readonly key: "rsa" | "ec" | "ed25519" | "ed448";
  /** Null where the algorithm names none. */
  readonly hash: string | null;
  /** Collisions of the hash can be made, or it has fewer bits than ICP-Brasil allows. */
  readonly isWeak?: true;
}

/** By the identifiers of RFC 3279, 5758, 8410. */
const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  "1.2.840.113549.1.1.4": { key: "rsa", hash: "md5", isWeak: true },
  "1.2.840.113549.1.1.5": { key: "rsa", hash: "sha1", isWeak: true },
  "1.2.840.113549.1.1.14": { key: "rsa", hash: "sha224", isWeak: true },
  "1.2.840.113549.1.1.11": { key: "rsa", hash: "sha256" },
  "1.2.840.113549.1.1.12": { key: "rsa", hash: "sha384" },
  "1.2.840.113549.1.1.13": { key: "rsa", hash: "sha512" },
  "1.2.840.10045.4.1": { key: "ec", hash: "sha1", isWeak: true },
  "1.2.840.10045.4.3.1": { key: "ec", hash: "sha224", isWeak: true },
  "1.2.840.10045.4.3.2": { key: "ec", hash: "sha256" },
  "1.2.840.10045.4.3.3": { key: "ec", hash: "sha384" },
  "1.2.840.10045.4.3.4": { key: "ec", hash: "sha512" },
  "1.3.101.112": { key: "ed25519", hash: null },
  "1.3.101.113": { key: "ed448", hash: null },
};

/** Whether a key made a signature. Also a weak one is found: `isWeak` says whether to trust it. */
export function isSignedBy({ bytes, algorithm, signature }: Signed, key: KeyObject | null): boolean {
  const found = algorithmOf(algorithm);
  if (!found || key?.asymmetricKeyType !== found.key) return false;
  try {
    return verify(found.hash, bytes, key, signature);
  } catch {
    return false;
  }
}

/** Whether the algorithm of a signature is one that nobody should trust, or an unknown one. */
export function isWeak({ algorithm }: Signed): boolean {
  const found = algorithmOf(algorithm);
  return found === undefined || found.isWeak === true;
}

const algorithmOf = (algorithm: Buffer): Algorithm | undefined =>
  ALGORITHMS[readOid(partsOf(readDer(algorithm), 2)[0])];
