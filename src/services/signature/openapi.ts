import { commands } from "../../postgres/generated/commands.ts";
import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { always, CODE, ED25519_ID, INSTANT, ML_DSA_ID, SHA256, UUID } from "../../surfaces/openapi/members.ts";
import { pageOf } from "../../surfaces/openapi/resources.ts";
import { objectOf, ref, type Schema, schemaOf } from "../../surfaces/openapi/schema.ts";
import { type EvidenceMember, FIXED } from "../../verifier/evidence-form.ts";
import { sealVerdict } from "./operations/check-seal.ts";

// What is signed is what was taken.
const { label, file_name, file_size } = commands.prepare_proofs.items;

/** Members of the evidence: signature-service §2, src/verifier/README.md. */
const EVIDENCE: Readonly<Record<EvidenceMember, Schema>> = {
  kind: always(FIXED.kind),
  schema_version: always(FIXED.schema_version),
  proof_id: { ...UUID, description: "The proof." },
  tenant_id: { ...UUID, description: "The organization." },
  organization: { type: "string", description: "Its name at registration." },
  hash_algorithm: always(FIXED.hash_algorithm),
  sha256: { ...SHA256, description: "Digest of the file, hexadecimal." },
  label: { type: ["string", "null"], maxLength: label.maxLength, description: "What the organization called it." },
  file_name: { type: ["string", "null"], maxLength: file_name.maxLength, description: "Never shown publicly." },
  file_size: {
    type: ["integer", "null"],
    format: "int64",
    minimum: file_size.minimum,
    description: "In bytes; never shown publicly.",
  },
  registered_at: { ...INSTANT, description: "When it was registered: UTC, with microseconds." },
  verification_code: { ...CODE, description: "The code the proof is found by." },
  time_source: always(FIXED.time_source),
  key_id: { ...ED25519_ID, description: "The Ed25519 key that signs it." },
  pq_key_id: { ...ML_DSA_ID, description: "The ML-DSA-87 key that signs it." },
  hybrid_policy: { ...always(FIXED.hybrid_policy), description: "Both signatures must verify." },
};

export const proofDescription: ApiDescription = {
  tags: {
    "Proofs of existence":
      "That a file with a given SHA-256 digest existed at an instant, measured by the server's clock and sealed with two " +
      "signatures, Ed25519 and ML-DSA-87 (post-quantum), both required. A proof does not say who made the file or what is in " +
      "it, and the instant is not from an accredited time authority.",
  },
  formats: { verification_code: CODE, evidence: ref("Evidence"), public_evidence: ref("PublicEvidence") },
  schemas: ({ row }) => ({
    Proof: row("proofs"),
    ProofPage: pageOf("Proof", "A page of proofs."),
    Verification: schemaOf(sealVerdict),
    Evidence: {
      description:
        "What was signed. Written as canonical JSON (keys sorted, separators `,` and `:` without whitespace, non-ASCII " +
        "characters as they are), its UTF-8 bytes are what both signatures are over.",
      ...objectOf(EVIDENCE),
    },
    PublicEvidence: {
      description:
        "What was signed, without the members that `redacted` names. Whoever has the file puts its name and size in again " +
        "and checks the signatures.",
      ...objectOf(EVIDENCE, ["file_name", "file_size"]),
    },
  }),
};
