import type { ExampleRequest } from "../../../surfaces/openapi/examples/example-request.ts";
import { DIGEST, UNKNOWN_DIGEST, UNKNOWN_ID } from "../../../surfaces/openapi/examples/files.ts";
import { CONTRACT } from "../documents/examples.ts";

const test = { caller: "test" } as const;

/** Signed records, and digests: after a participant has signed. */
export const recordExamples: readonly ExampleRequest[] = [
  {
    operation: "listSignatures",
    name: "envelope",
    summary: "What the participants of an envelope did",
    ...test,
    path: "/signatures?envelope_id={createEnvelope.test.id}",
  },
  {
    operation: "getSignature",
    name: "signed",
    summary: "The signed record of a participant",
    ...test,
    path: "/signatures/{listSignatures.envelope.items.0.id}",
  },
  {
    operation: "getSignature",
    name: "unknown",
    summary: "An id that no record has",
    ...test,
    path: `/signatures/${UNKNOWN_ID}`,
  },
  {
    operation: "validateDigest",
    name: "original",
    summary: "A document that a participant has signed",
    ...test,
    body: { sha256: "{uploadDocument.test.sha256}" },
  },
  {
    operation: "validateDigest",
    name: "nothing_known",
    summary: "A digest that nothing is known of",
    ...test,
    body: { sha256: UNKNOWN_DIGEST },
  },
  {
    operation: "validateDigest",
    name: "wrong_digest",
    summary: "A digest in capitals",
    ...test,
    body: { sha256: DIGEST.toUpperCase() },
  },
  {
    operation: "validateFile",
    name: "without_signature",
    summary: "A document that a participant has signed: the file itself has no signature",
    ...test,
    form: { file: CONTRACT },
  },
  {
    operation: "validateFile",
    name: "no_pdf",
    summary: "A file that is not a PDF, and that nothing is known of",
    ...test,
    form: { file: { name: "contract-15.txt", text: "Contract 15\n" } },
  },
  {
    operation: "validateFile",
    name: "damaged",
    summary: "A PDF that ends too early",
    ...test,
    form: { file: { ...CONTRACT, text: CONTRACT.text.slice(0, -7) } },
  },
];
