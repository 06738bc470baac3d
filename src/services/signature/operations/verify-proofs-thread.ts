/** The thread of verify-proofs.ts: takes lists of proofs, returns those that failed. */
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { verifyHybridWithNoble } from "../../../verifier/hybrid-signature.ts";
import type { ProofToVerify, Refusal } from "./verify-proofs.ts";

// On Linux this lowers the priority of the thread alone. Elsewhere it would lower that of the process, so it is not done.
if (process.platform === "linux") setPriority(19);
parentPort?.on("message", async (proofs: readonly ProofToVerify[]) => {
  const refusals = await Promise.all(proofs.map(refusalOf));
  parentPort?.postMessage(refusals.filter((refusal) => refusal !== null));
});

async function refusalOf(proof: ProofToVerify): Promise<Refusal | null> {
  const { proofId, evidence, evidenceFault, signatures, publicKeys } = proof;
  const { ed25519, mlDsa87 } = publicKeys;
  if (evidenceFault !== null) return { proof_id: proofId, failure: evidenceFault };
  if (ed25519 === null || mlDsa87 === null) return { proof_id: proofId, failure: "a key is not in the registry" };
  const verdict = await verifyHybridWithNoble({ ed25519, mlDsa87 }, Buffer.from(evidence, "utf8"), signatures);
  if (!verdict.ed25519) return { proof_id: proofId, failure: "the Ed25519 signature does not verify" };
  if (!verdict.mlDsa87) return { proof_id: proofId, failure: "the ML-DSA-87 signature does not verify" };
  return null;
}
