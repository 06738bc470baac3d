import type { Evidence } from "./evidence.ts";
import { HYBRID_CHECKS } from "./hybrid-signature.ts";
import type { PlatformKey } from "./keys.ts";
import { type HashedFile, type Verification, verifyWith } from "./verify-with.ts";

/**
 * Checks evidence, its signatures included, without network and without trusting its sender.
 *
 * @param evidence as {@link readEvidence} returns it
 * @param file the file of the proof; with null its check stays open, and members that were left out stay unknown
 * @param trustedKeys platform keys known from elsewhere; with null the owner of the delivered keys stays open
 */
export function verify(
  evidence: Evidence,
  file: HashedFile | null,
  trustedKeys: readonly PlatformKey[] | null,
): Verification {
  return verifyWith(HYBRID_CHECKS, evidence, file, trustedKeys);
}
