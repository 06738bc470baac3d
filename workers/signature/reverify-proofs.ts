import { z } from "zod";
import type { Environment, Jobs } from "../../src/postgres/jobs.ts";
import { BackgroundVerifier } from "../../src/services/signature/operations/verify-proofs.ts";
import { environmentsWithUnverifiedProofs, proofAlarms } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";

const AT_ONCE = 100;
/** A run ends before the next run is due; the next run does the rest. */
const MOST_MS = 55_000;

/** For a missing proof only the id is known; its fault is checked before anything else. */
const hex = z
  .string()
  .nullable()
  .transform((text) => Buffer.from(text ?? "", "hex"));
const key = z
  .string()
  .nullable()
  .transform((text) => (text === null ? null : Buffer.from(text, "hex")));
const unverifiedProofs = z.array(
  z.object({
    proof_id: z.string(),
    evidence: z
      .string()
      .nullable()
      .transform((text) => text ?? ""),
    evidence_fault: z.string().nullable(),
    platform_signature: hex,
    public_key: key,
    platform_signature_pq: hex,
    public_key_pq: key,
  }),
);

/**
 * Verifies every new proof with @noble, the second and independent implementation of both algorithms: within a minute
 * of its registration up to some 280 proofs a second and core, later under more load. Sounds the alarm while any proof
 * has failed, or has waited for more than five minutes.
 */
export const reverifyProofs: WorkerTask = async (_payload, { jobs, log }) => {
  let environments = await environmentsWithUnverifiedProofs(jobs);
  if (environments.length > 0) {
    const verifier = new BackgroundVerifier();
    try {
      const deadline = performance.now() + MOST_MS;
      // Environments take turns, so that the many proofs of one do not delay the few of another.
      while (environments.length > 0 && performance.now() < deadline) {
        const unfinished: Environment[] = [];
        for (const environment of environments) {
          if (performance.now() >= deadline) break;
          if (await reverifySome(environment, jobs, verifier)) unfinished.push(environment);
        }
        environments = unfinished;
      }
    } finally {
      await verifier.close();
    }
  }
  const { failed, overdue } = await proofAlarms(jobs);
  if (failed > 0) {
    log.fatal(
      { alarm: "proofs_failed_verification", failed },
      "stored proofs do not verify: see signature.unverified_proofs",
    );
  }
  if (overdue > 0) {
    log.error(
      { alarm: "proofs_wait_for_verification", overdue },
      "proofs have waited too long for their second verification",
    );
  }
};

/** @returns whether more proofs may be waiting */
async function reverifySome(environment: Environment, jobs: Jobs, verifier: BackgroundVerifier): Promise<boolean> {
  const waiting = unverifiedProofs.parse(await jobs.call(environment, "list_unverified_proofs", { limit: AT_ONCE }));
  if (waiting.length === 0) return false;
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
  return waiting.length === AT_ONCE;
}
