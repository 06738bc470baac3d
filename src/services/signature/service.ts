import type { Service } from "../../service.ts";
import type { SignatureParts } from "./parts.ts";
import { proofRoutes } from "./routes.ts";

/** Proofs of existence. */
export const signature: Service<SignatureParts> = {
  name: "signature",
  routes: proofRoutes,
  resolvers: async () => {
    const { ProofResolver } = await import("./graphql/proofs.ts");
    const { PublicProofResolver } = await import("./graphql/public-proofs.ts");
    return [ProofResolver, PublicProofResolver];
  },
  uploads: [{ command: "prepare_proofs", mostBytes: ({ proofMaxFileBytes }) => proofMaxFileBytes }],
  openQueries: { counted: ["publicProof", "verifyProof"] },
  openapi: async () => (await import("./openapi.ts")).proofDescription,
  examples: async () => (await import("./examples.ts")).proofExamples,
  rangeChecks: { proofs: async () => (await import("./operations/verify-signatures.ts")).verifySignatures },
  commands: [
    {
      words: { proof: "proofs of existence" },
      load: async () => (await import("./commands/verify-command.ts")).addProofCommands,
    },
  ],
  tasks: {
    reverify_proofs: {
      load: async () => (await import("../../../workers/signature/reverify-proofs.ts")).reverifyProofs,
      schedule: { at: "* * * * *", attempts: 1 },
    },
  },
};
