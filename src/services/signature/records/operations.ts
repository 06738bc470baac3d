import type { Operation } from "../../../surfaces/operation.ts";
import type { SignatureParts } from "../parts.ts";
import { validateDigest } from "./validate-digest.ts";
import { validateFile } from "./validate-file.ts";

/** Signed records, and what is known of digests. */
export const recordOperations: readonly Operation<SignatureParts>[] = [
  {
    name: "listSignatures",
    command: "list_signatures",
    answers: { schema: "SignaturePage" },
    rest: {
      method: "GET",
      path: "/signatures",
      status: 200,
      tag: "Signatures",
      summary: "List signed records, newest first",
      description: "With `envelope_id`, only what the participants of this envelope did.",
    },
  },
  {
    name: "getSignature",
    command: "get_signature",
    answers: { schema: "Signature" },
    errors: ["not_found"],
    rest: {
      method: "GET",
      path: "/signatures/{id}",
      status: 200,
      tag: "Signatures",
      summary: "Read a signed record",
      description:
        "What a participant did, as both platform keys signed it. The record of a completion is a statement of the platform and no signature of a participant: `GET /envelopes/{id}/evidence` has it, and here its id is 404 `not_found`.",
    },
  },
  validateDigest,
  validateFile,
];
