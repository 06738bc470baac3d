import { z } from "zod";
import { verifyHybrid } from "../../../adapters/crypto/hybrid-signature.ts";
import type { PlatformKeysRow } from "../../../postgres/generated/views.ts";

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

const verdict = z
  .object({
    algorithm: z.enum(["Ed25519", "ML-DSA-87"]).meta({ description: "Ed25519 (RFC 8032) or ML-DSA-87 (FIPS 204)." }),
    key_id: z.string().meta({ description: "The key that the evidence names." }),
    valid: z.boolean().meta({ description: "Whether the signature verifies over the canonical evidence." }),
  })
  .meta({ title: "SignatureVerdict", description: "What checking a signature against the key registry gave." });

/** What checking a proof gave, for REST's description and GraphQL. */
export const sealVerdict = z
  .object({
    valid: z.boolean().meta({ description: "Whether both signatures verify and the record says what was signed." }),
    fault: z.string().nullable().meta({ description: "What is wrong with the record; null when nothing is." }),
    signatures: z.array(verdict).meta({ description: "Each signature; both must be valid." }),
  })
  .meta({
    title: "ProofVerification",
    schema: "Verification",
    description: "What checking a proof gave, now. You need not trust us: you can check it yourself.",
  });

type SignatureVerdict = z.output<typeof verdict>;
export type SealVerdict = z.output<typeof sealVerdict>;

/** Verifies both signatures of a stored proof against the key registry. */
export async function checkSeal({ proof, platform_keys, signed, fault }: SealedProof): Promise<SealVerdict> {
  const keyNamed = (id: string) => platform_keys?.find((key) => key.key_id === id)?.public_key ?? "";
  const found = await verifyHybrid(
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
    { algorithm: "Ed25519", key_id: proof.platform_key_id, valid: found.ed25519 },
    { algorithm: "ML-DSA-87", key_id: proof.platform_pq_key_id, valid: found.mlDsa87 },
  ];
  return { valid: fault === null && signatures.every(({ valid }) => valid), fault, signatures };
}
