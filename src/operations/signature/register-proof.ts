import { z } from "zod";
import { canonicalJson } from "../../adapters/crypto/canonical-json.ts";
import type { Answer, Database, Idempotency } from "../../db/database.ts";
import type { PlatformSigners } from "../platform/platform-signers.ts";
import { wireText } from "../wire-text.ts";

/** Limits of signature-service §8; the same stand in signature.require_proof_input, and a test compares them. */
export const proofInput = z.strictObject({
  sha256: wireText(64).regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hexadecimal digits"),
  label: wireText(200).nullish(),
  file_name: wireText(255).nullish(),
  file_size: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
});
export type ProofInput = z.output<typeof proofInput>;

/** What registering needs besides its input. */
export interface ProofServices {
  readonly database: Database;
  readonly signers: PlatformSigners;
}

/** The members of the evidence that are read here; all of them are signed. */
const evidenceToSign = z.looseObject({ sha256: z.string(), key_id: z.string(), pq_key_id: z.string() });

/** `prepare_proof` answers this status with the evidence when there is something to sign. */
const TO_BE_SIGNED = 202;

/**
 * Registers a digest: SQL prepares the evidence, both signatures are made here, SQL records them in one transaction.
 * Nothing is answered before that has committed.
 * @returns 201 with a new proof, 200 with the earlier one of the digest (`created` tells), or the answer an earlier
 *   request with the same Idempotency-Key got
 * @throws AppError 401, 402 insufficient_credits, 403 missing_scope, 409 conflict, 422 invalid_request, 503
 */
export async function registerProof(
  { database, signers }: ProofServices,
  credentialHash: Buffer,
  input: ProofInput,
  idempotency: Idempotency | null,
): Promise<Answer> {
  const prepared = await database.callBatched(
    { credentialHash, command: "prepare_proof", arguments: input, idempotency },
    input.sha256,
  );
  if (prepared.status !== TO_BE_SIGNED) {
    if (prepared.replayed || idempotency === null) return prepared;
    // The key must answer for this request from now on, although there is nothing new to write.
    return database.call({
      credentialHash,
      command: "confirm_proof",
      arguments: { sha256: input.sha256 },
      idempotency,
    });
  }

  const evidence = evidenceToSign.parse(JSON.parse(prepared.body ?? ""));
  const text = canonicalJson(evidence as Parameters<typeof canonicalJson>[0]);
  const seal = await signers.seal(evidence.key_id, evidence.pq_key_id, Buffer.from(text, "utf8"));
  const sealed = {
    evidence: text,
    platform_signature: seal.ed25519.toString("base64"),
    platform_signature_pq: seal.mlDsa87.toString("base64"),
  };
  return database.callBatched(
    { credentialHash, command: "record_proof", arguments: sealed, idempotency },
    input.sha256,
  );
}
