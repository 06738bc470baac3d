import { z } from "zod";
import { verifyProofsInBackground } from "../../src/operations/signature/verify-proofs.ts";
import type { WorkerTask } from "../main.ts";

const AT_ONCE = 100;
/** A run ends before the next one is due; what is left is the next one's. */
const MOST_MS = 55_000;

const hex = z.string().transform((text) => Buffer.from(text, "hex"));
const unverifiedProofs = z.array(
  z.object({
    proof_id: z.string(),
    evidence: z.string(),
    is_canonical: z.boolean(),
    platform_signature: hex,
    public_key: hex.nullable(),
    platform_signature_pq: hex,
    public_key_pq: hex.nullable(),
  }),
);

/**
 * Verifies every new proof with @noble, the second and independent implementation of both algorithms, within a minute
 * of its registration, and sounds the alarm while any proof has failed.
 */
export const reverifyProofs: WorkerTask = async (_payload, { jobs, log }) => {
  const deadline = Date.now() + MOST_MS;
  for (const environment of await jobs.environmentsWithUnverifiedProofs()) {
    while (Date.now() < deadline) {
      const waiting = unverifiedProofs.parse(
        await jobs.call(environment, "list_unverified_proofs", { limit: AT_ONCE }),
      );
      if (waiting.length === 0) break;
      const refused = await verifyProofsInBackground(
        waiting.map((proof) => ({
          proofId: proof.proof_id,
          evidence: proof.evidence,
          isCanonical: proof.is_canonical,
          signatures: { ed25519: proof.platform_signature, mlDsa87: proof.platform_signature_pq },
          publicKeys: { ed25519: proof.public_key, mlDsa87: proof.public_key_pq },
        })),
      );
      const verified = waiting
        .map((proof) => proof.proof_id)
        .filter((id) => !refused.some((refusal) => refusal.proof_id === id));
      await jobs.call(environment, "record_verifications", { verified, refused });
    }
  }
  const failed = await jobs.countFailedProofs();
  if (failed > 0)
    log.fatal({ alarm: "proofs_failed_verification", failed }, "proofs do not verify: see signature.unverified_proofs");
};
