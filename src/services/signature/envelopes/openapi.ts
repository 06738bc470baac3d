import { always, ED25519_ID, ML_DSA_ID, SHA256, SIGNED_INSTANT, UUID } from "../../../surfaces/openapi/members.ts";
import { pageOf, propertiesOf, type Rows } from "../../../surfaces/openapi/resources.ts";
import { objectOf, orNull, ref, type Schema, schemaOf } from "../../../surfaces/openapi/schema.ts";
import { AUDIT_CHAIN } from "../../platform/openapi.ts";
import { envelopeCost } from "./calculate-envelope-cost.ts";
import { publicEnvelope } from "./public-envelopes.ts";
import { reminders } from "./remind-participants.ts";

export const ENVELOPE_TAGS = {
  Envelopes:
    "An envelope has documents, participants and fields. It is a draft until it is sent: `status` is `draft` while something that sending needs is missing, " +
    "and `ready` otherwise. Only drafts can be changed. A sent envelope is out with its participants until it is `completed`, `declined`, `expired` or `cancelled`.",
};

const listOf = (schema: string): Schema => ({ type: "array", items: ref(schema) });

/** The lists in an envelope that is answered alone. */
export const ENVELOPE_FORMATS: Readonly<Record<string, Schema>> = {
  envelope_documents: listOf("EnvelopeDocument"),
  envelope_participants: listOf("EnvelopeParticipant"),
  envelope_fields: listOf("EnvelopeField"),
  envelope_labels: listOf("Label"),
  field_value: { type: ["string", "boolean", "null"] },
};

const BASE64: Schema = { type: "string", contentEncoding: "base64" };
const CODE: Schema = { type: "string", description: "Public code of the envelope." };
const digestOf = (of: string): Schema => ({ ...SHA256, description: `SHA-256 of ${of}.` });
const idOf = (of: string): Schema => ({ ...UUID, description: `The ${of}.` });

/** Members that all signed records have: signature.signed_members. */
const SIGNED: Readonly<Record<string, Schema>> = {
  schema_version: always(1),
  record_id: idOf("record"),
  tenant_id: idOf("organization"),
  organization: { type: "string", description: "Name of the organization." },
  environment: { type: "string", enum: ["live", "test"], description: "live or test. In test, nothing is binding." },
  envelope_id: idOf("envelope"),
  verification_code: CODE,
  signed_at: { ...SIGNED_INSTANT, description: "When the record was signed (UTC, by the server's clock)." },
  time_source: always("platform_server_clock_utc"),
  hash_algorithm: always("SHA-256"),
  key_id: { ...ED25519_ID, description: "The Ed25519 key that signs." },
  pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signs." },
  hybrid_policy: always("AND"),
};

const SIGNATURE_EVIDENCE: Schema = {
  description: "What a participant did. Salted commitments stand for names, addresses and values.",
  ...objectOf(
    {
      kind: always("signature_record"),
      ...SIGNED,
      participant_id: idOf("participant"),
      role: { type: "string", description: "signatario, aprovador or testemunha." },
      modality: { type: "string", description: "simples, avancada or qualificada." },
      action: { type: "string", enum: ["signed", "approved", "witnessed"], description: "What the participant did." },
      documents: {
        type: "array",
        description: "The documents, in order.",
        items: objectOf({ document_id: idOf("document"), sha256: digestOf("the document") }),
      },
      consent: {
        description: "What the participant agreed to.",
        ...objectOf({
          version: { type: "string", description: "Version of the text." },
          sha256: digestOf("the text"),
          language: { type: "string", description: "Language of the text." },
        }),
      },
      authentication: {
        type: "array",
        description: "How the participant was authenticated.",
        items: objectOf({
          method: {
            type: "string",
            description:
              "otp_email: a one-time code by e-mail. otp_sms: one by SMS. cpf, kba, identity_match: the second factor. icp_brasil: a certificate.",
          },
          at: { ...SIGNED_INSTANT, description: "When the participant was authenticated." },
          reference: {
            type: "string",
            description:
              "Id of the code, or of the try of the CPF; what the provider calls its answer; SHA-256 of the certificate.",
          },
        }),
      },
      commitments: {
        type: "object",
        description:
          "SHA-256 over salt and value of `name`, `email`, `address`, `agent` and each `values.{field_id}`, hexadecimal.",
      },
      signature_sha256: {
        ...orNull(SHA256),
        description: "Commitment to the signature, typed or drawn. Null for a participant who does not sign.",
      },
      certificate_sha256: {
        ...orNull(SHA256),
        description: "Digest of the certificate of the participant. Always null for now.",
      },
      attachments: {
        type: "array",
        description: "Files that the participant delivered, by the ids of their fields. Absent where there is none.",
        items: objectOf({
          field_id: idOf("field"),
          sha256: digestOf("the file"),
          size: { type: "integer", minimum: 1, description: "Size in bytes." },
          type: {
            type: "string",
            enum: ["application/pdf", "image/png", "image/jpeg"],
            description: "Type of the file.",
          },
        }),
      },
    },
    ["attachments"],
  ),
};

const COMPLETION_EVIDENCE: Schema = {
  description: "The statement that an envelope was completed.",
  ...objectOf(
    {
      kind: always("envelope_completed"),
      ...SIGNED,
      documents: {
        type: "array",
        description: "The documents, in order.",
        items: objectOf({
          document_id: idOf("document"),
          sha256: digestOf("the uploaded document"),
          final_sha256: { ...orNull(SHA256), description: "SHA-256 of the final document. Null if there is none." },
        }),
      },
      records: {
        type: "array",
        description: "The signed records of the participants.",
        items: objectOf({ record_id: idOf("record"), sha256: digestOf("the canonical evidence of the record") }),
      },
      chain: {
        description: "The chain of the envelope's events before its completion.",
        ...objectOf({
          length: { type: "integer", description: "Number of events." },
          head_hash: digestOf("the last event"),
        }),
      },
      completed_at: { ...SIGNED_INSTANT, description: "When the last participant finished." },
      timestamp: {
        type: "string",
        enum: ["none", "valid"],
        description:
          "`valid`: the seal of each final document has a time stamp of another party (RFC 3161), which the platform checked. Absent from records of earlier versions.",
      },
    },
    ["timestamp"],
  ),
};

/** A signed record: signature.record_body. */
const recordOf = (description: string, evidence: string): Schema => ({
  description,
  ...objectOf({
    id: idOf("record"),
    participant_id: { ...orNull(UUID), description: "The participant. Null for the completion." },
    evidence: ref(evidence),
    platform_signature: { ...BASE64, description: "Ed25519 signature over the canonical evidence, base64." },
    platform_key_id: { ...ED25519_ID, description: "The Ed25519 key that signed." },
    platform_signature_pq: { ...BASE64, description: "ML-DSA-87 (FIPS 204) signature over the same bytes, base64." },
    platform_pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signed." },
  }),
});

const COMPLETION: Schema = {
  anyOf: [ref("CompletionRecord"), { type: "null" }],
  description: "The record of the completion. Null before completion.",
};

/** A schema whose member completion is said in full, as only REST can. */
const withCompletion = ({ properties, ...schema }: Schema): Schema => ({
  ...schema,
  properties: { ...(properties as Readonly<Record<string, Schema>>), completion: COMPLETION },
});

const evidenceOf = (envelope: Schema, link: Schema): Schema => {
  const some = (schema: Schema, names: readonly string[]) => {
    const all = propertiesOf(schema) as Readonly<Record<string, Schema>>;
    return objectOf(Object.fromEntries(names.map((name) => [name, all[name] ?? {}])));
  };
  const members =
    "id title status signing_order field_placement jurisdiction verification_code verify_url sent_at completed_at";
  return {
    description: "What an envelope proves. Both signatures of each record are over the canonical JSON of its evidence.",
    ...objectOf({
      envelope: { description: "The envelope.", ...some(envelope, members.split(" ")) },
      documents: {
        type: "array",
        description: "The documents, in order.",
        items: some(link, ["document_id", "filename", "sha256", "final_sha256"]),
      },
      participants: { ...listOf("EnvelopeParticipant"), description: "The participants. Personal numbers are masked." },
      records: { ...listOf("SignatureRecord"), description: "What participants signed, in chronological order." },
      completion: COMPLETION,
      chain: AUDIT_CHAIN,
      events: { ...listOf("AuditEvent"), description: "All events of the envelope, oldest first." },
      platform_keys: { ...listOf("PlatformKey"), description: "The keys that signed the records." },
    }),
  };
};

/** Envelopes and what they consist of. */
export function envelopeSchemas(row: Rows["row"]): Record<string, Schema> {
  const envelope = row("envelopes");
  return {
    Envelope: envelope,
    ListedEnvelope: {
      description:
        "An envelope as lists show it. It has `documents`, `participants`, `fields` and `labels` only if the parameter `fields` names them.",
      ...objectOf(propertiesOf(envelope), ["documents", "participants", "fields", "labels"]),
    },
    EnvelopePage: pageOf("ListedEnvelope", "A page of envelopes."),
    EnvelopeDocument: row("envelope_documents"),
    EnvelopeParticipant: row("envelope_participants"),
    EnvelopeField: row("envelope_fields"),
    EnvelopeCost: schemaOf(envelopeCost),
    EnvelopeReminders: schemaOf(reminders),
    PublicEnvelope: withCompletion(schemaOf(publicEnvelope)),
    EnvelopeEvidence: evidenceOf(envelope, row("envelope_documents")),
    SignatureRecord: recordOf("What a participant did, signed by both platform keys.", "SignatureEvidence"),
    CompletionRecord: recordOf(
      "The statement that an envelope was completed, signed by both platform keys.",
      "CompletionEvidence",
    ),
    SignatureEvidence: SIGNATURE_EVIDENCE,
    CompletionEvidence: COMPLETION_EVIDENCE,
  };
}
