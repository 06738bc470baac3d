import type { KeyObject } from "node:crypto";

export interface KeyKind {
  readonly key: "rsa" | "ec";
  readonly bits: number;
}

const LEAST_RSA_BITS = 2048;
/** Verifying takes longer with each bit, and no authority has more than half of these. */
const MOST_RSA_BITS = 8192;
const CURVES: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384 };

/** The kind of an accepted key; null for all others, such as P-521 and Ed448 of the roots V6 and V7 of ICP-Brasil. */
export function acceptedKey(key: KeyObject | null): KeyKind | null {
  const { modulusLength = 0, namedCurve = "" } = key?.asymmetricKeyDetails ?? {};
  if (key?.asymmetricKeyType === "rsa")
    return modulusLength >= LEAST_RSA_BITS && modulusLength <= MOST_RSA_BITS
      ? { key: "rsa", bits: modulusLength }
      : null;
  const bits = CURVES[namedCurve];
  return key?.asymmetricKeyType === "ec" && bits !== undefined ? { key: "ec", bits } : null;
}
