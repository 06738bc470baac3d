import { z } from "zod";
import { jsonOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { checkSeal, type SealedProof } from "../proofs/check-seal.ts";

const VERDICT =
  "`invalid`: a proof or signed record that asserts the digest does not verify. `valid`: at least one asserts it, and each of them verifies. `unknown`: otherwise.";

const known = z
  .object({
    as: z.enum(["original", "final", "attachment", "proof"]).meta({
      description:
        "original: an uploaded document. final: the sealed PDF of a completed envelope. attachment: what a participant delivered. proof: a proof of existence.",
    }),
    id: z.uuid().meta({
      description: "Id of the document (original, final), of the field (attachment), or of the proof.",
    }),
    envelope_id: z
      .uuid()
      .nullable()
      .meta({ description: "The envelope. Null for a proof, and for a document in no envelope." }),
    at: z.string().meta({
      format: "date-time",
      description:
        "When the document was uploaded, the envelope completed, the file delivered, or the proof registered (UTC).",
    }),
  })
  .meta({ description: "What a digest is known as." });

const text = (description: string) => z.string().nullable().meta({ description });
const signed = z
  .object({
    signer: z
      .object({
        name: text("Name in the certificate. Null if it has none."),
        cpf: text("CPF in the certificate, masked: ***.982.247-**. Null if it has none."),
        issuer: text("Issuer of the certificate."),
        serial: text("Serial number of the certificate, hexadecimal."),
      })
      .meta({ title: "PdfSigner", description: "Whose certificate it is." }),
    signed_at: z.string().nullable().meta({
      format: "date-time",
      description:
        "When it was signed (UTC): by its time stamp if that is valid, otherwise as the signer claims. Null if nothing says it.",
    }),
    format: z.string().max(64).meta({
      description: "Format of the signature (SubFilter), such as ETSI.CAdES.detached. unknown: it names none.",
    }),
    integrity: z.enum(["valid", "invalid", "not_checked"]).meta({
      description:
        "Whether the bytes that the signature covers are those that were signed, by one signer, and nothing else is left out of them. not_checked: nobody should rely on it (SHA-1, RSA below 2,048 bits), or its form or algorithm is not read.",
    }),
    covers_whole_file: z.boolean().meta({
      description:
        "Whether the signature covers the whole file, but for itself. An earlier signature covers its own revision: nobody compares what came later.",
    }),
    chain: z.enum(["platform", "icp_brasil", "unknown"]).meta({
      description:
        "platform: a certificate that seals or sealed here. icp_brasil: a chain to a root of ICP-Brasil, sound when it was signed. unknown: otherwise, and where `integrity` is not valid.",
    }),
    revocation: z.enum(["good", "revoked", "not_checked"]).meta({
      description:
        "What the issuer says of the certificate now. not_checked: nobody was asked or answered, or the certificate has ended.",
    }),
    timestamp: z.enum(["none", "valid", "invalid", "not_checked"]).meta({
      description: "The time stamp of the signature. not_checked: there is one, and its authority is not known here.",
    }),
  })
  .meta({ title: "PdfSignature", description: "A signature of a PDF." });

/** What holds of a digest. Also the schema of the answer in REST. */
export const validation = z
  .object({
    sha256: z.string().meta({ pattern: "^[0-9a-f]{64}$", description: "The digest." }),
    verdict: z.enum(["valid", "invalid", "unknown"]).meta({ description: VERDICT }),
    known: z.array(known).max(100).meta({
      description:
        "What your organization knows of the digest in this environment: its proof, final documents, attachments and originals in this order, the earliest first. At most 100.",
    }),
    signatures: z.array(signed).max(100).meta({
      description: "Signatures of a PDF, in the order of their revisions. Empty for a digest, which shows none.",
    }),
  })
  .meta({ description: "What holds of a digest." });

/** What SQL knows of a digest: gateway.validate_digest. */
export interface KnownDigest {
  readonly sha256: string;
  readonly known: readonly z.output<typeof known>[];
  /** What asserts an entry of `known`; an uploaded document that nobody has signed has none. */
  readonly seals: readonly Omit<SealedProof, "platform_keys">[];
  readonly platform_keys: SealedProof["platform_keys"];
}

export type Verdict = "valid" | "invalid" | "unknown";

/** What holds of a digest by what is known of it. Of a digest that nothing signed asserts, nothing is said. */
export async function verdictOf({ seals, platform_keys }: KnownDigest): Promise<Verdict> {
  for (const seal of seals) {
    // A record that is gone has a fault and no signatures.
    if (seal.fault !== null || !(await checkSeal({ ...seal, platform_keys })).valid) return "invalid";
  }
  return seals.length > 0 ? "valid" : "unknown";
}

/** Says what an organization knows of a digest, and whether what is known was signed and still verifies. */
export const validateDigest = operation({
  name: "validateDigest",
  command: "validate_digest",
  answers: { schema: "Validation" },
  rest: {
    method: "POST",
    path: "/signatures/validate",
    status: 200,
    tag: "Signatures",
    summary: "Validate a digest",
    description:
      "Says what your organization knows of a digest in the environment of the token, and verifies both signatures of what asserts it: the proof; of an attachment, the record of its participant; of a document of a completed envelope, the record of the completion; before the completion, the record of who signed first. " +
      `${VERDICT} So a document that nobody has signed yet is known, and \`unknown\`. A digest in more than 100 places is judged by the 100 that the answer names. An evidence report has no stored digest: its seal says what it is. Nothing is written.`,
  },
  graphql: {
    field: "digestValidation",
    description: "What the organization knows of a digest in this environment, and whether it verifies.",
    payload: {
      name: "DigestValidation",
      description: "What holds of a digest.",
      // An entry has no identity: a document has one for each of its envelopes. Clients keep what has an id by that id.
      members: validation.extend({
        known: jsonOf("What the organization knows of the digest, with the members of REST."),
      }),
    },
  },
  run: async ({ call }, { sha256 }) => {
    const answer = await call("validate_digest", { sha256 });
    const found = JSON.parse(answer.body ?? "") as KnownDigest;
    const { known } = found;
    return { ...answer, body: JSON.stringify({ sha256, verdict: await verdictOf(found), known, signatures: [] }) };
  },
});
