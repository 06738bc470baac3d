import { verifyHybrid } from "../../../adapters/crypto/hybrid-signature.ts";
import type { PlatformKeysRow } from "../../../postgres/generated/views.ts";
import type { SignatureAlgorithm } from "../../../verifier/key-ids.ts";

/** A stored proof with what checking it needs, as SQL answers it. */
export interface SealedProof {
  readonly proof: {
    readonly platform_key_id: string;
    readonly platform_signature: string;
    readonly platform_pq_key_id: string;
    readonly platform_signature_pq: string;
  };
  /** The two keys that its evidence names, as far as the registry has them; null when it has neither. */
  readonly platform_keys: readonly PlatformKeysRow[] | null;
  /** The text that was signed. */
  readonly signed: string;
  /** What SQL found wrong with the record before any signature is looked at; null when nothing. */
  readonly fault: string | null;
}

/** What the members of a {@link SealVerdict} mean, for the descriptions of REST and GraphQL. */
export const VERIFICATION_WORDS = {
  verification: "What checking a proof gave, now. Whoever need not trust us checks it himself.",
  valid: "Whether both signatures verify and the record says what was signed.",
  fault: "What is wrong with the record; null when nothing is.",
  signatures: "Each signature; both must be valid.",
  signature: "What checking a signature against the key registry gave.",
  keyId: "The key that the evidence names.",
  signatureValid: "Whether the signature verifies over the canonical evidence.",
} as const;

/** What checking a signature against the key registry gave. */
export interface SignatureVerdict {
  readonly algorithm: SignatureAlgorithm;
  readonly key_id: string;
  readonly valid: boolean;
}

export interface SealVerdict {
  /** Both signatures, and the record says what was signed. */
  readonly valid: boolean;
  readonly fault: string | null;
  readonly signatures: readonly SignatureVerdict[];
}

/** Verifies both signatures of a stored proof against the key registry. */
export async function checkSeal({ proof, platform_keys, signed, fault }: SealedProof): Promise<SealVerdict> {
  const keyNamed = (id: string) => platform_keys?.find((key) => key.key_id === id)?.public_key ?? "";
  const verdict = await verifyHybrid(
    {
      ed25519: Buffer.from(keyNamed(proof.platform_key_id), "base64"),
      mlDsa87: Buffer.from(keyNamed(proof.platform_pq_key_id), "base64"),
    },
    Buffer.from(signed, "utf8"),
    {
      ed25519: Buffer.from(proof.platform_signature, "base64"),
      mlDsa87: Buffer.from(proof.platform_signature_pq, "base64"),
    },
  );
  const signatures: SignatureVerdict[] = [
    { algorithm: "Ed25519", key_id: proof.platform_key_id, valid: verdict.ed25519 },
    { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, valid: verdict.mlDsa87 },
  ];
  return { valid: fault === null && signatures.every(({ valid }) => valid), fault, signatures };
}
