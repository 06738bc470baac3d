import { AppError } from "../../../app-error.ts";
import type { Origin } from "../../../postgres/call.ts";
import type { Database } from "../../../postgres/database.ts";
import type { PlatformKeysRow, PublicProofsRow } from "../../../postgres/generated/views.ts";
import { checkSeal, type SealedProof, type SealVerdict } from "./check-seal.ts";

/** A proof as anyone may see it, checked now. */
export interface PublicProof {
  readonly proof: PublicProofsRow;
  /** The two keys that its evidence names, as far as the registry has them. */
  readonly platformKeys: readonly PlatformKeysRow[];
  readonly verification: SealVerdict;
}

/** Where to look: by the code that was handed on, or by the digest of a file. */
export type PublicProofQuery = { readonly code: string } | { readonly sha256: string };

/** However a code of 14 characters is spelled. */
const MOST_CODE_LENGTH = 100;

/**
 * Finds a proof for the public and verifies both its signatures against the key registry.
 * @throws AppError 404 proof_not_found, 422 invalid_request for a digest that is none
 */
export async function publicProof(database: Database, origin: Origin, query: PublicProofQuery): Promise<PublicProof> {
  // A megabyte that is no code keeps nobody else waiting.
  if ("code" in query && query.code.length > MOST_CODE_LENGTH)
    throw new AppError(404, "proof_not_found", "No proof matches.");
  const { body } = await database.read({
    credentialHash: null,
    command: "code" in query ? "find_public_proof" : "find_proof_of_digest",
    arguments: query,
    origin,
  });
  const found = JSON.parse(body ?? "") as SealedProof & { readonly proof: PublicProofsRow };
  return { proof: found.proof, platformKeys: found.platform_keys ?? [], verification: await checkSeal(found) };
}
