import type { RangeCheck } from "./platform/range-check.ts";
import { verifySignatures } from "./signature/operations/verify-signatures.ts";

/** By the walk, as platform.service_functions names it. */
export const RANGE_CHECKS: Readonly<Record<string, RangeCheck>> = {
  "signature.proofs": verifySignatures,
};
