import { z } from "zod";
import type { Environment, Jobs } from "../../src/db/jobs.ts";
import { BackgroundVerifier } from "../../src/operations/signature/verify-proofs.ts";
import type { WorkerTask } from "../task.ts";

const AT_ONCE = 100;
/** A run ends before the next one is due; what is left is the next one's. */
const MOST_MS = 55_000;

const hex = z.string().transform((text) => Buffer.from(text, "hex"));
const unverifiedProofs = z.array(
  z.object({
    proof_id: z.string(),
    evidence: z.string(),
    evidence_fault: z.string().nullable(),
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
  const environments = await jobs.environmentsWithUnverifiedProofs();
  if (environments.length > 0) {
    const verifier = new BackgroundVerifier();
    try {
      const deadline = Date.now() + MOST_MS;
      for (const environment of environments) await reverifyEnvironment(environment, jobs, verifier, deadline);
    } finally {
      await verifier.close();
    }
  }
  const failed = await jobs.countFailedProofs();
  if (failed > 0) {
    log.fatal({ alarm: "proofs_failed_verification", failed }, "proofs do not verify: see signature.unverified_proofs");
  }
};

async function reverifyEnvironment(
  environment: Environment,
  jobs: Jobs,
  verifier: BackgroundVerifier,
  deadline: number,
): Promise<void> {
  while (Date.now() < deadline) {
    const waiting = unverifiedProofs.parse(await jobs.call(environment, "list_unverified_proofs", { limit: AT_ONCE }));
    if (waiting.length === 0) return;
    const refused = await verifier.verify(
      waiting.map((proof) => ({
        proofId: proof.proof_id,
        evidence: proof.evidence,
        evidenceFault: proof.evidence_fault,
        signatures: { ed25519: proof.platform_signature, mlDsa87: proof.platform_signature_pq },
        publicKeys: { ed25519: proof.public_key, mlDsa87: proof.public_key_pq },
      })),
    );
    const refusedIds = new Set(refused.map((refusal) => refusal.proof_id));
    const verified = waiting.map((proof) => proof.proof_id).filter((id) => !refusedIds.has(id));
    await jobs.call(environment, "record_verifications", { verified, refused });
  }
}
