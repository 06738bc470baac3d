import { commands } from "../../postgres/generated/commands.ts";
import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { always, CODE, ED25519_ID, ML_DSA_ID, SHA256, SIGNED_INSTANT, UUID } from "../../surfaces/openapi/members.ts";
import { pageOf } from "../../surfaces/openapi/resources.ts";
import { objectOf, ref, type Schema, schemaOf } from "../../surfaces/openapi/schema.ts";
import { type EvidenceMember, FIXED, SHAPES } from "../../verifier/evidence-form.ts";
import { CONNECTOR_FORMATS, CONNECTOR_TAGS, connectorSchemas } from "./connectors/openapi.ts";
import { documentFormats, documentSchemas, documentTags } from "./documents/openapi.ts";
import { ENVELOPE_FORMATS, ENVELOPE_TAGS, envelopeSchemas } from "./envelopes/openapi.ts";
import { labelSchemas, labelTags } from "./labels/openapi.ts";
import { sealVerdict } from "./proofs/check-seal.ts";
import { recordFormats, recordSchemas, recordTags } from "./records/openapi.ts";
import { signingSchemas, signingTags } from "./signing/openapi.ts";
import { TEMPLATE_FORMATS, TEMPLATE_TAGS, templateSchemas } from "./templates/openapi.ts";

// The evidence has the limits of the input.
const { label, file_name, file_size } = commands.prepare_proofs.items;

/** Members of the evidence: signature-service §2, src/verifier/README.md. */
const EVIDENCE: Readonly<Record<EvidenceMember, Schema>> = {
  kind: always(FIXED.kind),
  schema_version: always(FIXED.schema_version),
  proof_id: { ...UUID, description: "The proof." },
  tenant_id: { ...UUID, description: "The organization." },
  organization: { type: "string", description: "The organization's name at registration." },
  hash_algorithm: always(FIXED.hash_algorithm),
  sha256: { ...SHA256, description: "Digest of the file, hexadecimal." },
  label: { type: ["string", "null"], maxLength: label.maxLength, description: "A label of the organization's choice." },
  file_name: {
    type: ["string", "null"],
    maxLength: file_name.maxLength,
    description: "The file's name, never shown publicly.",
  },
  file_size: {
    type: ["integer", "null"],
    format: "int64",
    minimum: file_size.minimum,
    description: "The file's size in bytes, never shown publicly.",
  },
  registered_at: { ...SIGNED_INSTANT, description: "When the proof was registered: UTC, with microseconds." },
  verification_code: { ...CODE, description: "The code for finding the proof." },
  time_source: always(FIXED.time_source),
  key_id: { ...ED25519_ID, description: "The Ed25519 key that signs the evidence." },
  pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signs the evidence." },
  hybrid_policy: { ...always(FIXED.hybrid_policy), description: "Both signatures must verify." },
};

/** Proofs, documents and envelopes. */
export const signatureDescription: ApiDescription = {
  offers: ["Proofs of existence", "electronic signatures"],
  tags: {
    "Proofs of existence":
      "A proof says that a file with a given SHA-256 digest existed at an instant, measured by the server's clock. Two signatures seal it, Ed25519 and ML-DSA-87 (post-quantum). Both are required. A proof does not say who made the file or what is in it. The instant does not come from an accredited time authority.",
    ...documentTags,
    ...ENVELOPE_TAGS,
    ...TEMPLATE_TAGS,
    ...labelTags,
    ...signingTags,
    ...recordTags,
    ...CONNECTOR_TAGS,
  },
  formats: {
    ...documentFormats,
    ...ENVELOPE_FORMATS,
    ...TEMPLATE_FORMATS,
    ...CONNECTOR_FORMATS,
    ...recordFormats,
    verification_code: CODE,
    evidence: ref("Evidence"),
    public_evidence: ref("PublicEvidence"),
  },
  changing: {
    // The token of a signed link.
    link: /(?<=\/files\/)[\w-]{95}/,
    // The secret of a signing link.
    signing: /(?<=\/sign\/[0-9a-f-]{36}#)[\w-]{43}/,
    // The token of a signing session.
    session: /(?<="token":\s?")[\w-]{43}(?=")/,
    code: SHAPES.verification_code,
  },
  schemas: ({ row }) => ({
    Proof: row("proofs"),
    ProofPage: pageOf("Proof", "A page of proofs."),
    ...documentSchemas(row("documents")),
    Verification: schemaOf(sealVerdict),
    ...envelopeSchemas(row),
    ...templateSchemas(row),
    ...labelSchemas(row("labels")),
    ...signingSchemas(row("envelope_fields")),
    ...connectorSchemas(row),
    ...recordSchemas(row("signatures")),
    Evidence: {
      description:
        "The signed evidence. Both signatures are over the UTF-8 bytes of its canonical JSON (keys sorted, separators `,` and `:` without " +
        "whitespace, non-ASCII characters unescaped).",
      ...objectOf(EVIDENCE),
    },
    PublicEvidence: {
      description:
        "The signed evidence without the members that `redacted` names. To check the signatures, put the file's name and size back.",
      ...objectOf(EVIDENCE, ["file_name", "file_size"]),
    },
  }),
};
