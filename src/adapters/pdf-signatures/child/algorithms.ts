import { constants, type KeyObject } from "node:crypto";
import type { AlgorithmIdentifier } from "pkijs";
import { RSASSAPSSParams } from "pkijs";

/** Digests by their identifiers. Of the weak ones anybody could make two files with one digest. */
const DIGESTS: Readonly<Record<string, { readonly name: string; readonly isWeak?: true }>> = {
  "1.2.840.113549.2.5": { name: "md5", isWeak: true },
  "1.3.14.3.2.26": { name: "sha1", isWeak: true },
  "2.16.840.1.101.3.4.2.4": { name: "sha224", isWeak: true },
  "2.16.840.1.101.3.4.2.1": { name: "sha256" },
  "2.16.840.1.101.3.4.2.2": { name: "sha384" },
  "2.16.840.1.101.3.4.2.3": { name: "sha512" },
};
const RSA = "1.2.840.113549.1.1.1";
const RSA_PSS = "1.2.840.113549.1.1.10";
const EC_PUBLIC_KEY = "1.2.840.10045.2.1";
const ED25519 = "1.3.101.112";
const MGF1 = "1.2.840.113549.1.1.8";
/** Signatures whose identifier names the digest, too. */
const WITH_DIGEST: Readonly<Record<string, readonly [key: "rsa" | "ec", digest: string]>> = {
  "1.2.840.113549.1.1.4": ["rsa", "md5"],
  "1.2.840.113549.1.1.5": ["rsa", "sha1"],
  "1.2.840.113549.1.1.14": ["rsa", "sha224"],
  "1.2.840.113549.1.1.11": ["rsa", "sha256"],
  "1.2.840.113549.1.1.12": ["rsa", "sha384"],
  "1.2.840.113549.1.1.13": ["rsa", "sha512"],
  "1.2.840.10045.4.1": ["ec", "sha1"],
  "1.2.840.10045.4.3.1": ["ec", "sha224"],
  "1.2.840.10045.4.3.2": ["ec", "sha256"],
  "1.2.840.10045.4.3.3": ["ec", "sha384"],
  "1.2.840.10045.4.3.4": ["ec", "sha512"],
};
const LEAST_RSA_BITS = 2048;
/** Verifying takes longer with each bit. */
const MOST_RSA_BITS = 16_384;
const CURVES: ReadonlySet<string> = new Set(["prime256v1", "secp384r1", "secp521r1"]);

export const digestOf = (algorithm: AlgorithmIdentifier) => DIGESTS[algorithm.algorithmId];

/** How a signature is verified: node:crypto's digest, and what it wants beside the key. */
export interface Scheme {
  readonly digest: string | null;
  readonly options: { readonly padding?: number; readonly saltLength?: number };
  readonly isWeak: boolean;
}

/**
 * @param digest the name of the digest that goes with the signature
 * @returns null for an algorithm or a key that is not known; `contradiction` where the two name different ones
 */
export function schemeOf(
  algorithm: AlgorithmIdentifier,
  digest: string,
  key: KeyObject,
): Scheme | null | "contradiction" {
  const strength = strengthOf(key);
  if (strength === null) return null;
  const isWeak = strength === "weak";
  const { algorithmId } = algorithm;
  const type = key.asymmetricKeyType;
  const [wanted, named] = WITH_DIGEST[algorithmId] ?? [];
  if (wanted !== undefined)
    return wanted === type && named === digest ? { digest, options: {}, isWeak } : "contradiction";
  if (algorithmId === RSA) return type === "rsa" ? { digest, options: {}, isWeak } : "contradiction";
  if (algorithmId === EC_PUBLIC_KEY) return type === "ec" ? { digest, options: {}, isWeak } : "contradiction";
  if (algorithmId === ED25519) return type === "ed25519" ? { digest: null, options: {}, isWeak } : "contradiction";
  if (algorithmId !== RSA_PSS) return null;
  if (type !== "rsa" && type !== "rsa-pss") return "contradiction";
  const given = new RSASSAPSSParams({ schema: algorithm.algorithmParams });
  const masked = given.maskGenAlgorithm;
  const inner =
    masked.algorithmId === MGF1 ? masked.algorithmParams?.valueBlock?.value?.[0]?.valueBlock?.toString() : null;
  if (DIGESTS[given.hashAlgorithm.algorithmId]?.name !== digest) return "contradiction";
  // OpenSSL takes one digest for both, as everybody writes it.
  if (inner !== given.hashAlgorithm.algorithmId || given.trailerField !== 1) return null;
  const options = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: given.saltLength };
  return { digest, options, isWeak };
}

function strengthOf(key: KeyObject): "strong" | "weak" | null {
  const { modulusLength = 0, namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case "rsa":
    case "rsa-pss":
      if (modulusLength > MOST_RSA_BITS) return null;
      return modulusLength < LEAST_RSA_BITS ? "weak" : "strong";
    case "ec":
      return CURVES.has(namedCurve) ? "strong" : null;
    case "ed25519":
      return "strong";
    default:
      return null;
  }
}
