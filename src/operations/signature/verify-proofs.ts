import { setPriority } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { HybridPublicKeys, HybridSignatures } from "../../adapters/crypto/hybrid-signature.ts";
import { verifyHybridWithNoble } from "../../adapters/crypto/noble-signature.ts";

/** A stored proof with the keys it names; null for a key the registry does not know. */
export interface ProofToVerify {
  readonly proofId: string;
  readonly evidence: string;
  /** Whether SQL's canonical form of the evidence is the stored text. */
  readonly isCanonical: boolean;
  readonly signatures: HybridSignatures;
  readonly publicKeys: { readonly [Algorithm in keyof HybridPublicKeys]: HybridPublicKeys[Algorithm] | null };
}

export interface Refusal {
  readonly proof_id: string;
  /** Which check failed. */
  readonly failure: string;
}

/**
 * Verifies proofs with @noble in a thread of the lowest priority: 2.8 ms of arithmetic a proof must not hold up
 * requests on the same machine.
 * @returns the proofs that failed
 */
export function verifyProofsInBackground(proofs: readonly ProofToVerify[]): Promise<Refusal[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { execArgv: process.execArgv });
    thread.once("message", (refusals: Refusal[]) => {
      resolve(refusals);
      void thread.terminate();
    });
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the verifying thread ended early")));
    thread.postMessage(proofs);
  });
}

async function refusalOf({
  proofId,
  evidence,
  isCanonical,
  signatures,
  publicKeys,
}: ProofToVerify): Promise<Refusal | null> {
  const { ed25519, mlDsa87 } = publicKeys;
  if (!isCanonical) return { proof_id: proofId, failure: "the evidence is not canonical" };
  if (ed25519 === null || mlDsa87 === null) return { proof_id: proofId, failure: "a key is not in the registry" };
  const verdict = await verifyHybridWithNoble({ ed25519, mlDsa87 }, Buffer.from(evidence, "utf8"), signatures);
  if (!verdict.ed25519) return { proof_id: proofId, failure: "the Ed25519 signature does not verify" };
  if (!verdict.mlDsa87) return { proof_id: proofId, failure: "the ML-DSA-87 signature does not verify" };
  return null;
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  // On Linux this lowers the thread alone; elsewhere, where it would lower the process, it is left.
  if (process.platform === "linux") setPriority(19);
  port.once("message", async (proofs: readonly ProofToVerify[]) => {
    const refusals = await Promise.all(proofs.map(refusalOf));
    port.postMessage(refusals.filter((refusal) => refusal !== null));
  });
}
