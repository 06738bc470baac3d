import type { CommonParts } from "../../service.ts";
import type { ReceiptServices } from "./operations/make-receipt.ts";
import type { ProofServices } from "./operations/register-proof.ts";

/** What this service's handlers and resolvers work with. */
export interface SignatureParts extends CommonParts, ProofServices, ReceiptServices {
  /** PROOF_MAX_FILE_BYTES. */
  readonly proofMaxFileBytes: number;
}
