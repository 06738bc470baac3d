import { VERIFICATION_WORDS as WORDS } from "../../services/signature/operations/check-seal.ts";
import { type EvidenceMember, FIXED } from "../../verifier/evidence-form.ts";
import { ALGORITHM, always, CODE, ED25519_ID, INSTANT, ML_DSA_ID, SHA256, UUID } from "./members.ts";
import { objectOf, type Schema } from "./schema.ts";

// What is signed, and what checking it gave.

export const AUDIT_CHAIN: Schema = {
  description: "The state of the subject's chain, recomputed when it was asked for.",
  ...objectOf({
    subject_id: { ...UUID, description: "As asked for." },
    length: { type: "integer", format: "int64", description: "How many events it has." },
    head_hash: { type: ["string", "null"], description: "Hash of the last, hexadecimal." },
    sealed_by: {
      type: ["integer", "null"],
      format: "int64",
      description: "Number of the last seal that covers any of it.",
    },
    sealed_length: {
      type: ["integer", "null"],
      format: "int64",
      description: "How many of its events that seal covers.",
    },
    faults: {
      type: "array",
      description: "What is not as it was recorded; empty when all is well.",
      items: objectOf({
        seq: { type: "integer", format: "int64", description: "Place in the chain." },
        event_id: { type: ["string", "null"], format: "uuid", description: "The event, if there is one." },
        fault: { type: "string", description: "What is wrong." },
      }),
    },
  }),
};

export const VERIFICATION: Schema = {
  description: WORDS.verification,
  ...objectOf({
    valid: { type: "boolean", description: WORDS.valid },
    fault: { type: ["string", "null"], description: WORDS.fault },
    signatures: {
      type: "array",
      description: WORDS.signatures,
      items: objectOf({
        algorithm: ALGORITHM,
        key_id: { type: "string", description: WORDS.keyId },
        valid: { type: "boolean", description: WORDS.signatureValid },
      }),
    },
  }),
};

/** Members of what a seal of the audit trail signs: jobs.prepare_audit_seal. */
export const AUDIT_SEAL_EVIDENCE: Readonly<Record<string, Schema>> = {
  kind: always("audit_seal"),
  schema_version: always(1),
  number: { type: "integer", format: "int64", description: "Of the seal." },
  sealed_at: { ...INSTANT, description: "When it was made." },
  chains: { type: "integer", format: "int64", description: "How many chains it covers." },
  root: { ...SHA256, description: "Merkle root over the roots of all organizations." },
  hash_algorithm: always("SHA-256"),
  tree: always("RFC 9162"),
  previous: {
    type: ["string", "null"],
    description: "SHA-256 of the evidence of the seal before it, hexadecimal; null in the first.",
  },
  time_source: always("platform_server_clock_utc"),
  hybrid_policy: always("AND"),
  key_id: { ...ED25519_ID, description: "The Ed25519 key that signs it." },
  pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signs it." },
};

/** Members of the evidence: signature-service §2, src/verifier/README.md. */
export const EVIDENCE: Readonly<Record<EvidenceMember, Schema>> = {
  kind: always(FIXED.kind),
  schema_version: always(FIXED.schema_version),
  proof_id: { ...UUID, description: "The proof." },
  tenant_id: { ...UUID, description: "The organization." },
  organization: { type: "string", description: "Its name at registration." },
  hash_algorithm: always(FIXED.hash_algorithm),
  sha256: { ...SHA256, description: "Digest of the file, hexadecimal." },
  label: { type: ["string", "null"], maxLength: 200, description: "What the organization called it." },
  file_name: { type: ["string", "null"], maxLength: 255, description: "Never shown publicly." },
  file_size: { type: ["integer", "null"], format: "int64", minimum: 0, description: "In bytes; never shown publicly." },
  registered_at: { ...INSTANT, description: "When it was registered: UTC, with microseconds." },
  verification_code: { ...CODE, description: "The code the proof is found by." },
  time_source: always(FIXED.time_source),
  key_id: { ...ED25519_ID, description: "The Ed25519 key that signs it." },
  pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signs it." },
  hybrid_policy: { ...always(FIXED.hybrid_policy), description: "Both signatures must verify." },
};
