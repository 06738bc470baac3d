import type { Operation } from "../../surfaces/operation.ts";
import { getReceipt } from "./operations/get-receipt.ts";
import { getPublicProof, verifyPublicProof } from "./operations/public-proofs.ts";
import { registerProof } from "./operations/register-proof.ts";
import type { SignatureParts } from "./parts.ts";

/** Proofs of existence, of the organization and for the public: signature-service §4. */
export const proofOperations: readonly Operation<SignatureParts>[] = [
  registerProof,
  {
    name: "listProofs",
    command: "list_proofs",
    answers: { schema: "ProofPage" },
    rest: {
      method: "GET",
      path: "/proofs",
      status: 200,
      tag: "Proofs of existence",
      summary: "List or search proofs, newest first",
    },
  },
  {
    name: "getProof",
    command: "get_proof",
    answers: { schema: "Proof" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/proofs/{id}",
      status: 200,
      tag: "Proofs of existence",
      summary: "Read a proof",
    },
  },
  getReceipt,
  getPublicProof,
  verifyPublicProof,
];
