import { Counter, type Registry } from "prom-client";

/** Metrics of proofs. */
export function proofMetrics(registers: Registry[]) {
  const registered = new Counter({
    name: "selo_proofs_registered_total",
    help: "New proofs of existence.",
    labelNames: ["environment"],
    registers,
  });
  // Each series exists from the start, so that its first count shows as an increase.
  for (const environment of ["live", "test"]) registered.inc({ environment }, 0);
  return { registered: (environment: "live" | "test") => registered.inc({ environment }) };
}

export type ProofMetrics = ReturnType<typeof proofMetrics>;
