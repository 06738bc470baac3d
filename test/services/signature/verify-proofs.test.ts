import { expect, test } from "vitest";
import { BackgroundVerifier, type ToVerify } from "../../../src/services/signature/proofs/verify-proofs.ts";

/** Refused before any arithmetic: what is looked at here is the thread's keeping. */
const proof = (id: string): ToVerify => ({
  id,
  evidence: "",
  evidenceFault: "the evidence is gone",
  signatures: { ed25519: Buffer.alloc(64), mlDsa87: Buffer.alloc(4_627) },
  publicKeys: { ed25519: null, mlDsa87: null },
});

test("a thread that verifies batch after batch keeps no listener of the batches before", async () => {
  const warnings: string[] = [];
  const hear = (warning: Error) => warnings.push(warning.message);
  process.on("warning", hear);
  const verifier = new BackgroundVerifier();
  try {
    // Node warns of the eleventh listener.
    for (let batch = 0; batch < 20; batch++) {
      const refusals = await verifier.verify([proof(`a${batch}`), proof(`b${batch}`)]);
      expect(refusals).toEqual([
        { id: `a${batch}`, failure: "the evidence is gone" },
        { id: `b${batch}`, failure: "the evidence is gone" },
      ]);
    }
  } finally {
    await verifier.close();
    process.off("warning", hear);
  }
  expect(warnings).toEqual([]);
});

test("a batch whose thread ends is told so at once", async () => {
  const verifier = new BackgroundVerifier();
  const verifying = expect(verifier.verify([proof("a")])).rejects.toThrow("the verifying thread ended early");
  await verifier.close();
  await verifying;
});
