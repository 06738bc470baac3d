import { z } from "zod";
import type { AnyCommand } from "../../../postgres/any-command.ts";
import type { Answer } from "../../../postgres/call.ts";
import type { PlatformKeysRow } from "../../../postgres/generated/views.ts";
import { nameOf, rowOf, type Work } from "../../../surfaces/operation.ts";
import { operation, type SignatureParts } from "../parts.ts";
import { checkSeal, type SealedProof } from "../proofs/check-seal.ts";
import { signedRecord } from "./signed-record.ts";

const instant = (description: string) => z.string().nullable().meta({ format: "date-time", description });
// The words of a nullable member stand beside its type: GraphQL reads no union.
const digest = { pattern: "^[0-9a-f]{64}$" };

/** An envelope for anyone who has its code: neither title nor names. Also the schema of the answer in REST. */
export const publicEnvelope = z
  .object({
    organization: z.string().meta({ description: "Name of the organization that sent the envelope." }),
    status: nameOf("signature.envelope_statuses", "Status of the envelope."),
    environment: z
      .enum(["live", "test"])
      .meta({ namesOf: "platform.environments", description: "live or test. In test, nothing is binding." }),
    sent_at: instant("When the envelope was sent (UTC)."),
    completed_at: instant("When the last participant finished (UTC). Null before completion."),
    participants: z
      .array(
        z
          .object({
            role: nameOf("signature.participant_roles", "signatario, aprovador, observador or testemunha."),
            status: nameOf("signature.participant_statuses", "Status of the participant."),
            completed_at: instant("When the participant finished (UTC). Null until then."),
          })
          .meta({ title: "PublicParticipant", description: "A participant, without the name and the address." }),
      )
      .meta({ description: "The participants, in the order in which they act." }),
    documents: z
      .array(
        z
          .object({
            sha256: z.string().meta({ ...digest, description: "SHA-256 of the uploaded document, hexadecimal." }),
            final_sha256: z
              .string()
              .nullable()
              .meta({ ...digest, description: "SHA-256 of the sealed PDF, hexadecimal. Null before completion." }),
          })
          .meta({ title: "PublicDocument", description: "A document, without its name." }),
      )
      .meta({ description: "The documents, in order. `final_sha256` is null before completion." }),
    completion: signedRecord
      .nullable()
      .meta({ description: "The signed record of the completion. Null before completion." }),
    valid: z.boolean().nullable().meta({
      description:
        "Whether both signatures of the completion verify, and the envelope equals the signed record. Null for an envelope that is not completed.",
    }),
    platform_keys: z
      .array(rowOf("platform_keys", "PlatformKey"))
      .meta({ description: "The two keys that the completion names, as far as the registry has them." }),
  })
  .meta({ description: "An envelope in its public form, checked for this answer." });

const payload = {
  name: "PublicEnvelope",
  description: "An envelope in its public form, checked for this answer.",
  members: publicEnvelope,
};

/** Finds an envelope for the public by its verification code. */
export const getPublicEnvelope = operation({
  name: "getPublicEnvelope",
  command: "find_public_envelope",
  answers: { schema: "PublicEnvelope" },
  errors: ["envelope_not_found"],
  rest: {
    method: "GET",
    path: "/public/envelopes/{code}",
    status: 200,
    tag: "Public verification",
    summary: "Look up an envelope by its verification code",
    description:
      "Shows who sent the envelope, its state, what each role did and when, and the digests of its documents, but no title and no names. Both signatures of the completion are verified for this answer, against the registry of platform keys.",
  },
  graphql: {
    field: "publicEnvelope",
    description:
      "The envelope with a verification code. Needs no token. Returns 404 envelope_not_found if no envelope has the code.",
    payload,
  },
  run: (work, input) => verified(work, "find_public_envelope", input),
});

const WHERE_IT_LOOKS =
  "The search covers the sealed PDFs of completed live envelopes of all organizations. If several envelopes have the same sealed PDF, the answer is the one completed first. Envelopes of the test environment are not found by digest, only by their verification code.";

/** Finds a completed envelope by the digest of a sealed PDF. */
export const verifyPublicEnvelope = operation({
  name: "verifyPublicEnvelope",
  command: "find_envelope_of_digest",
  answers: { schema: "PublicEnvelope" },
  errors: ["envelope_not_found"],
  rest: {
    method: "POST",
    path: "/public/envelopes/verify",
    status: 200,
    tag: "Public verification",
    summary: "Find the envelope of a sealed PDF by its digest",
    description: `${WHERE_IT_LOOKS} Nothing is written.`,
  },
  graphql: {
    field: "verifiedEnvelope",
    description: `The completed live envelope with a sealed PDF of this digest. Needs no token. ${WHERE_IT_LOOKS} Returns 404 envelope_not_found if there is none.`,
    payload,
  },
  run: (work, input) => verified(work, "find_envelope_of_digest", input),
});

/** An envelope as SQL answers it to the gateway. */
interface Found {
  readonly envelope: { readonly completion: SealedProof["proof"] | null };
  readonly platform_keys: readonly PlatformKeysRow[];
  /** The signed text of the completion; null without a completion. */
  readonly signed: string | null;
  readonly fault: string | null;
}

async function verified(
  { call }: Work<SignatureParts>,
  command: AnyCommand,
  query: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const answer = await call(command, query);
  const found = JSON.parse(answer.body ?? "") as Found;
  const body = { ...found.envelope, valid: await validity(found), platform_keys: found.platform_keys };
  return { ...answer, body: JSON.stringify(body) };
}

/** Whether the completion is as it was signed; null before there is one. */
async function validity({ envelope: { completion }, platform_keys, signed, fault }: Found): Promise<boolean | null> {
  if (completion === null || signed === null) return fault === null ? null : false;
  return (await checkSeal({ proof: completion, platform_keys, signed, fault })).valid;
}
