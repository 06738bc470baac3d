/** The thread of verify-proofs.ts: takes lists of proofs or signed records, returns those that failed. */
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { verifyHybridWithNoble } from "../../../verifier/hybrid-signature.ts";
import type { Refusal, ToVerify } from "./verify-proofs.ts";

// On Linux this lowers the priority of the thread alone. Elsewhere it would lower that of the process, so it is not done.
if (process.platform === "linux") setPriority(19);
parentPort?.on("message", async (signed: readonly ToVerify[]) => {
  const refusals = await Promise.all(signed.map(refusalOf));
  parentPort?.postMessage(refusals.filter((refusal) => refusal !== null));
});

async function refusalOf(signed: ToVerify): Promise<Refusal | null> {
  const { id, evidence, evidenceFault, signatures, publicKeys } = signed;
  const { ed25519, mlDsa87 } = publicKeys;
  if (evidenceFault !== null) return { id, failure: evidenceFault };
  if (ed25519 === null || mlDsa87 === null) return { id, failure: "a key is not in the registry" };
  const verdict = await verifyHybridWithNoble({ ed25519, mlDsa87 }, Buffer.from(evidence, "utf8"), signatures);
  if (!verdict.ed25519) return { id, failure: "the Ed25519 signature does not verify" };
  if (!verdict.mlDsa87) return { id, failure: "the ML-DSA-87 signature does not verify" };
  return null;
}
