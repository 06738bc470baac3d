import { pageOf } from "../../../surfaces/openapi/resources.ts";
import { type Formats, ref, type Schema, schemaOf } from "../../../surfaces/openapi/schema.ts";
import { rowOf } from "../../../surfaces/operation.ts";
import { validation } from "./validate-digest.ts";

/** Heading of the paths of signed records. */
export const recordTags: Readonly<Record<string, string>> = {
  Signatures:
    "What each participant did is a signed record: canonical JSON under both keys of the platform. `GET /envelopes/{id}/evidence` has all records of an envelope, the record of its completion too. A validation says what your organization knows of a digest.",
};

/** Formats of columns of api.signatures. */
export const recordFormats: Formats = {
  signature_evidence: ref("SignatureEvidence"),
  signature_participant: rowOf("envelope_participants", "EnvelopeParticipant"),
};

/** Schemas of answers. @param signature the row of a signed record */
export const recordSchemas = (signature: Schema): Readonly<Record<string, Schema>> => ({
  Signature: signature,
  SignaturePage: pageOf("Signature", "A page of signed records."),
  Validation: schemaOf(validation),
});
