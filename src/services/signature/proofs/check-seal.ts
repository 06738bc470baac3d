import { z } from "zod";
import { verifyHybrid } from "../../../adapters/crypto/hybrid-signature.ts";
import type { PlatformKeysRow } from "../../../postgres/generated/views.ts";

/** A stored proof with everything that checking it needs, as SQL returns it. */
export interface SealedProof {
  readonly proof: {
    readonly platform_key_id: string;
    readonly platform_signature: string;
    readonly platform_pq_key_id: string;
    readonly platform_signature_pq: string;
  };
  /** The keys that its evidence names and the registry has; null if it has neither. */
  readonly platform_keys: readonly Pick<PlatformKeysRow, "key_id" | "public_key">[] | null;
  /** The signed text. */
  readonly signed: string;
  /** A fault of the record that SQL found, independent of the signatures; null without a fault. */
  readonly fault: string | null;
}

const verdict = z
  .object({
    algorithm: z.enum(["Ed25519", "ML-DSA-87"]).meta({ description: "Ed25519 (RFC 8032) or ML-DSA-87 (FIPS 204)." }),
    key_id: z.string().meta({ description: "The key that the evidence names." }),
    valid: z.boolean().meta({ description: "Whether the signature verifies over the canonical evidence." }),
  })
  .meta({ title: "SignatureVerdict", description: "The result of checking a signature against the key registry." });

/** The result of checking a proof, for REST's description and GraphQL. */
export const sealVerdict = z
  .object({
    valid: z
      .boolean()
      .meta({ description: "Whether both signatures verify and the record equals the signed evidence." }),
    fault: z.string().nullable().meta({ description: "The fault of the record. Null if it has none." }),
    signatures: z.array(verdict).meta({ description: "The result for each signature. Both must be valid." }),
  })
  .meta({
    title: "ProofVerification",
    schema: "Verification",
    description:
      "The result of checking the proof for this answer. You do not need to trust us: you can check the proof yourself.",
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
