import { z } from "zod";
import { type Answer, type Idempotency, type Origin, originJson } from "../../../postgres/call.ts";
import type { Metrics } from "../../../surfaces/metrics/metrics.ts";
import { canonicalJson, type JsonValue } from "../../../verifier/canonical-json.ts";
import type { PlatformSigners } from "../../platform/operations/platform-signers.ts";
import { wireText } from "../../platform/wire-text.ts";
import type { ProofMetrics } from "../metrics.ts";
import type { Outcome, ProofBatcher } from "./proof-batcher.ts";

/** Limits of signature-service §8; the same stand in signature.wrong_proof_input, and a test compares them. */
export const proofInput = z.strictObject({
  sha256: wireText(64).regex(/^[0-9a-f]{64}$/, "must be 64 lowercase hexadecimal digits"),
  label: wireText(200).nullish(),
  file_name: wireText(255).nullish(),
  file_size: z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullish(),
});
export type ProofInput = z.output<typeof proofInput>;

/** What registering needs besides its input. */
export interface ProofServices {
  readonly batcher: ProofBatcher;
  readonly signers: PlatformSigners;
  readonly metrics: Metrics;
  readonly proofMetrics: ProofMetrics;
}

/** What is read here of a proof that SQL prepared; the rest goes through as it is. */
interface PreparedProof {
  readonly id: string;
  readonly language: string;
  readonly evidence: { readonly [member: string]: JsonValue };
  readonly platform_key_id: string;
  readonly platform_pq_key_id: string;
}

/** `prepare_proofs` answers this status with the proof as it will be, for its two signatures to be put in. */
const TO_BE_SIGNED = 202;

/**
 * Registers a digest: SQL prepares the proof, both signatures are made here, SQL records it in one transaction.
 * Nothing is answered before that has committed.
 * @returns 201 with a new proof, 200 with the earlier one of the digest (`created` tells), or the answer an earlier
 *   request with the same Idempotency-Key got
 * @throws AppError 401, 402 insufficient_credits, 403 missing_scope, 409 conflict, 422 invalid_request, 503
 */
export function registerProof(
  { batcher, signers, metrics, proofMetrics }: ProofServices,
  { credentialHash, origin }: { readonly credentialHash: Buffer; readonly origin: Origin },
  input: ProofInput,
  idempotency: Idempotency | null,
): Promise<Answer> {
  const key = {
    idempotency_key: idempotency?.key ?? null,
    request_hash: idempotency?.requestHash.toString("hex") ?? null,
  };
  return batcher.run(origin, async (call) => {
    const prepared = await call("prepare_proofs", credentialHash, { ...input, ...key });
    if (prepared.status !== TO_BE_SIGNED) {
      if (prepared.replayed || idempotency === null) return answerOf(prepared);
      // Registered before. The new key must answer for this request from now on, although there is no proof to write.
      return answerOf(await call("record_proofs", credentialHash, { sha256: input.sha256, ...key }));
    }
    const draft = prepared.body as unknown as PreparedProof;
    const evidence = canonicalJson(draft.evidence);
    const seal = await signers.seal(draft.platform_key_id, draft.platform_pq_key_id, Buffer.from(evidence, "utf8"));
    const signatures = {
      platform_signature: seal.ed25519.toString("base64"),
      platform_signature_pq: seal.mlDsa87.toString("base64"),
    };
    const item = {
      sha256: input.sha256,
      proof_id: draft.id,
      language: draft.language,
      evidence,
      ...signatures,
      ...key,
      origin: originJson(origin),
    };
    const recorded = await call("record_proofs", credentialHash, item);
    if (recorded.status === 201 && !recorded.replayed) {
      proofMetrics.registered(seal.environment);
      if (seal.environment === "live") metrics.creditsSpent("signature", 1);
    }
    // With a body, a rival with the same digest or key was first: its proof is the answer.
    return answerOf({
      ...recorded,
      body: recorded.body ?? { ...draft, evidence: JSON.parse(evidence) as JsonValue, ...signatures },
    });
  });
}

function answerOf({ status, replayed, body }: Outcome): Answer {
  return { status, replayed, body: JSON.stringify(body) };
}
