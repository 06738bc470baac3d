import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { HybridPublicKeys, HybridSignatures } from "../../../verifier/hybrid-signature.ts";

/** A stored proof or signed record with the keys it names; null for a key that the registry does not know. */
export interface ToVerify {
  readonly id: string;
  readonly evidence: string;
  /** A fault of the evidence that SQL found; null without a fault. */
  readonly evidenceFault: string | null;
  readonly signatures: HybridSignatures;
  readonly publicKeys: { readonly [Algorithm in keyof HybridPublicKeys]: HybridPublicKeys[Algorithm] | null };
}

export interface Refusal {
  readonly id: string;
  /** The check that failed. */
  readonly failure: string;
}

/** Time limit of an answer: a hundred proofs take well under a second. */
const ANSWER_MS = 60_000;

/**
 * Verifies proofs and signed records with @noble in a thread of the lowest priority: some 3.6 ms of arithmetic for each proof must not delay
 * requests on the same machine. Close it when done.
 */
export class BackgroundVerifier {
  // The thread's file stands beside this file, in source and in the build.
  readonly #thread = new Worker(new URL(import.meta.url.replace(/verify-proofs(\.\w+)$/, "verify-proofs-thread$1")));

  /**
   * @returns those that failed
   * @throws Error if the thread fails or gives no answer within a minute
   */
  async verify(signed: readonly ToVerify[]): Promise<Refusal[]> {
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(ANSWER_MS)]);
    this.#thread.postMessage(signed);
    try {
      const [refusals] = await Promise.race([
        once(this.#thread, "message", { signal }),
        once(this.#thread, "exit", { signal }).then(() =>
          Promise.reject(new Error("the verifying thread ended early")),
        ),
      ]);
      return refusals as Refusal[];
    } finally {
      // The thread outlives the batch: without this each batch would leave a listener for the thread's end.
      answered.abort();
    }
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
