import { setPriority } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import type { HybridPublicKeys, HybridSignatures } from "../../adapters/crypto/hybrid-signature.ts";
import { verifyHybridWithNoble } from "../../adapters/crypto/noble-signature.ts";

/** A stored proof with the keys it names; null for a key the registry does not know. */
export interface ProofToVerify {
  readonly proofId: string;
  readonly evidence: string;
  /** What SQL found wrong with the evidence; null when nothing. */
  readonly evidenceFault: string | null;
  readonly signatures: HybridSignatures;
  readonly publicKeys: { readonly [Algorithm in keyof HybridPublicKeys]: HybridPublicKeys[Algorithm] | null };
}

export interface Refusal {
  readonly proof_id: string;
  /** Which check failed. */
  readonly failure: string;
}

/**
 * Verifies proofs with @noble in a thread of the lowest priority: some 3.6 ms of arithmetic a proof must not hold up
 * requests on the same machine. Close it when done.
 */
export class BackgroundVerifier {
  readonly #thread = new Worker(new URL(import.meta.url), { execArgv: process.execArgv });

  /** @returns the proofs that failed */
  verify(proofs: readonly ProofToVerify[]): Promise<Refusal[]> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error("the verifying thread ended early"));
      this.#thread.once("error", reject);
      this.#thread.once("exit", onExit);
      this.#thread.once("message", (refusals: Refusal[]) => {
        this.#thread.off("error", reject);
        this.#thread.off("exit", onExit);
        resolve(refusals);
      });
      this.#thread.postMessage(proofs);
    });
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}

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

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  // On Linux this lowers the thread alone; elsewhere, where it would lower the process, it is left.
  if (process.platform === "linux") setPriority(19);
  port.on("message", async (proofs: readonly ProofToVerify[]) => {
    const refusals = await Promise.all(proofs.map(refusalOf));
    port.postMessage(refusals.filter((refusal) => refusal !== null));
  });
}
