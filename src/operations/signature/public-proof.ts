import { verifyHybrid } from "../../adapters/crypto/hybrid-signature.ts";
import type { Database } from "../../db/database.ts";
import type { PlatformKeysRow, PublicProofsRow } from "../../db/generated/views.ts";
import type { SignatureAlgorithm } from "../../verifier/key-ids.ts";

/** What checking a signature against the key registry gave. */
export interface SignatureVerdict {
  readonly algorithm: SignatureAlgorithm;
  readonly key_id: string;
  readonly valid: boolean;
}

/** A proof as anyone may see it, checked now. */
export interface PublicProof {
  readonly proof: PublicProofsRow;
  /** The two keys that its evidence names, as far as the registry has them. */
  readonly platformKeys: readonly PlatformKeysRow[];
  readonly verification: {
    /** Both signatures, and the record says what was signed. */
    readonly valid: boolean;
    /** What is wrong with the record itself; null when nothing. */
    readonly fault: string | null;
    readonly signatures: readonly SignatureVerdict[];
  };
}

/** Where to look: by the code that was handed on, or by the digest of a file. */
export type PublicProofQuery = { readonly code: string } | { readonly sha256: string };

/** What SQL answers; `signed` and `fault` are for us alone. */
interface Found {
  readonly proof: PublicProofsRow;
  readonly platform_keys: readonly PlatformKeysRow[] | null;
  readonly signed: string;
  readonly fault: string | null;
}

/**
 * Finds a proof for the public and verifies both its signatures against the key registry.
 * @throws AppError 404 proof_not_found, 422 invalid_request for a digest that is none
 */
export async function publicProof(database: Database, query: PublicProofQuery): Promise<PublicProof> {
  const { body } = await database.read({
    credentialHash: null,
    command: "code" in query ? "find_public_proof" : "find_proof_of_digest",
    arguments: query,
  });
  const { proof, platform_keys, signed, fault } = JSON.parse(body ?? "") as Found;
  const platformKeys = platform_keys ?? [];
  const keyNamed = (id: string) => platformKeys.find((key) => key.key_id === id)?.public_key ?? "";
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
  const valid = fault === null && signatures.every((signature) => signature.valid);
  return { proof, platformKeys, verification: { valid, fault, signatures } };
}
