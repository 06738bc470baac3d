import { z } from "zod";
import { unauthenticated } from "../../../errors/app-error.ts";
import { type Answer, originJson } from "../../../postgres/call.ts";
import { ofTheFile } from "../../../surfaces/file-members.ts";
import { rowOf } from "../../../surfaces/operation.ts";
import { canonicalJson, type JsonValue } from "../../../verifier/canonical-json.ts";
import { operation } from "../parts.ts";
import type { Outcome } from "./proof-batcher.ts";

/** The members that are read here; all others pass through unchanged. */
interface PreparedProof {
  readonly id: string;
  readonly language: string;
  readonly evidence: { readonly [member: string]: JsonValue };
  readonly platform_key_id: string;
  readonly platform_pq_key_id: string;
}

/** With this status `prepare_proofs` answers the proof without its two signatures, which are then added. */
const TO_BE_SIGNED = 202;

const WHAT_IT_TAKES =
  "A new proof costs one signature credit in the live environment. A digest that the organization registered before returns 200 with the earlier proof and costs nothing.";

/**
 * Registers a digest: SQL prepares the proof, both signatures are made here, and SQL records the proof in one transaction.
 * Nothing is answered before that transaction has committed. Calls of several requests share round trips: this is a hot path, and no template.
 */
export const registerProof = operation({
  name: "registerProof",
  command: "prepare_proofs",
  records: "record_proofs",
  file: { most: ({ proofMaxFileBytes }) => proofMaxFileBytes, kept: "digest" },
  answers: {
    schema: "Proof",
    statuses: {
      201: "A new proof; `created` is true.",
      200: "The organization registered this digest before. This is the earlier proof, with `created` false.",
    },
  },
  errors: ["insufficient_credits", "clock_behind"],
  rest: [
    {
      method: "POST",
      path: "/proofs",
      status: 201,
      tag: "Proofs of existence",
      summary: "Register a digest",
      description:
        `Send the SHA-256 digest of a file. The file stays where it is. ${WHAT_IT_TAKES}\n\n` +
        "To register a file, use `POST /proofs/files`. This path also accepts the same form, multipart/form-data.",
    },
    {
      name: "uploadProof",
      takes: "file",
      method: "POST",
      path: "/proofs/files",
      status: 201,
      tag: "Proofs of existence",
      summary: "Register a file",
      description:
        `The file is hashed as it arrives and is not stored. ${WHAT_IT_TAKES}\n\n` +
        "This path has its own Idempotency-Keys: the same key on `POST /proofs` is a different key.",
    },
  ],
  graphql: {
    description:
      "Registers the digest of a file and seals it with two signatures. Costs a credit, unless the organization registered the digest before.",
    upload: {
      field: "uploadProof",
      description: "Registers a file, as a GraphQL multipart request. The file is hashed and not stored.",
    },
    payload: {
      name: "RegisterProofPayload",
      description: "The registered proof.",
      members: z.object({
        created: z.boolean().meta({
          description: "False if the digest was registered before. The proof is then the earlier one.",
        }),
        proof: rowOf("proofs").meta({ description: "The proof." }),
      }),
    },
  },
  run: async ({ parts, file, requester: { credentialHash, origin, idempotency } }, input) => {
    if (credentialHash === null) throw unauthenticated();
    const { batcher, signers, metrics, signatureMetrics } = parts;
    const key = {
      idempotency_key: idempotency?.key ?? null,
      request_hash: idempotency?.requestHash.toString("hex") ?? null,
    };
    const answer = batcher.run(origin, async (call) => {
      const prepared = await call("prepare_proofs", credentialHash, { ...input, ...key });
      if (prepared.status !== TO_BE_SIGNED) {
        if (prepared.replayed || idempotency === null) return answerOf(prepared);
        // Registered before: there is no proof to write, but the new key must answer for this request from now on.
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
        signatureMetrics.registered(seal.environment);
        if (seal.environment === "live") metrics.creditsSpent("signature", 1);
      }
      // An answer with a body means that a rival with the same digest or key was first: its proof is the answer.
      return answerOf({
        ...recorded,
        body: recorded.body ?? { ...draft, evidence: JSON.parse(evidence) as JsonValue, ...signatures },
      });
    });
    return answer.catch((error: unknown) => {
      throw file === null ? error : ofTheFile(error);
    });
  },
});

function answerOf({ status, replayed, body }: Outcome): Answer {
  return { status, replayed, body: JSON.stringify(body) };
}
