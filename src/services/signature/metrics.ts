import { Counter, type Registry } from "prom-client";

/** What is counted of proofs. */
export function proofMetrics(registers: Registry[]) {
  const registered = new Counter({
    name: "selo_proofs_registered_total",
    help: "New proofs of existence.",
    labelNames: ["environment"],
    registers,
  });
  // Present from the start, so that the first one is a rise that can be seen.
  for (const environment of ["live", "test"]) registered.inc({ environment }, 0);
  return { registered: (environment: "live" | "test") => registered.inc({ environment }) };
}

export type ProofMetrics = ReturnType<typeof proofMetrics>;
