import { z } from "zod";
import { SignatureRefused, toSign } from "../../../adapters/pdf-seal/cms.ts";
import { MOST_CERTIFICATES, MOST_CHAIN_BYTES } from "../../../adapters/signer-certificate/refusals.ts";
import { endingOverdue } from "../envelopes/end-overdue.ts";
import { maskedCpf } from "../envelopes/personal-numbers.ts";
import { operation } from "../parts.ts";
import { refusedCertificate } from "./certificate-judge.ts";
import { countAttempt } from "./count-attempt.ts";
import { prepareDocuments, toJudge, toSignSchema } from "./documents-to-sign.ts";
import { signingSurface } from "./signing-surface.ts";

/** Characters of base64. */
const MOST_CHARACTERS = 4 * Math.ceil(MOST_CHAIN_BYTES / 3);

/**
 * Judges the certificate with which a participant is about to sign, and prepares the documents for its signatures. The database keeps the chain, the
 * instant and the digests: the documents are prepared anew when the signatures come.
 */
export const sendSigningCertificate = operation({
  name: "sendSigningCertificate",
  command: "prepare_certificate",
  records: "record_certificate",
  made: ["session_sha256"],
  input: z.object({
    chain: z
      .array(z.base64("must be base64"))
      .min(1, "must have a certificate")
      .max(MOST_CERTIFICATES, `must have at most ${MOST_CERTIFICATES} certificates`)
      .refine((given) => given.join("").length <= MOST_CHARACTERS, "must have at most 64 KiB together")
      .meta({
        description:
          "The certificate of the participant, and those of its issuers: DER in base64, the participant's first. At most 64 KiB together. The root may be left out.",
      }),
  }),
  answers: { schema: "SigningCertificate" },
  errors: [
    "session_expired",
    "not_your_turn",
    "conflict",
    "certificate_refused",
    "revocation_unknown",
    "unprocessable_pdf",
    "clock_behind",
  ],
  rest: {
    surface: signingSurface,
    method: "POST",
    path: "/{participant_id}/certificate",
    status: 200,
    tag: "Signing",
    summary: "Send the certificate to sign with",
    description:
      "For a participant of modality qualificada. Returns what the private key of the certificate must sign within ten minutes, one for each document; `POST /{participant_id}/complete` takes the signatures. Nothing is locked meanwhile: where another participant signs first, `complete` returns 409 `conflict`, and the certificate is sent again. A certificate replaces the one before. Returns 422 `certificate_refused` with the reason at the beginning of the message of the field `certificate`: `chain`, `expired`, `usage`, `key`, `cpf` or `revoked`. In the live environment, returns 503 `revocation_unknown` while the issuer does not say whether the certificate is revoked.",
  },
  run: async (work, { participant_id, chain: given }) => {
    const { call, prepared, parts, requester } = work;
    const act = () =>
      prepared("prepare_certificate", { participant_id }, async (body) => {
        const documents = toSignSchema.parse(body);
        await countAttempt(parts.database, "certificate", documents);
        const dataKey = await parts.dataKeys.ofCaller(parts.database, requester);
        const { judged, name } = await parts.certificateJudge.judge(toJudge(documents, given, dataKey));
        const kept: object[] = [];
        const to_sign: object[] = [];
        const { objects, signingSlots: slots } = parts;
        await prepareDocuments({ objects, dataKey, slots }, documents, judged.path, ({ id, base, digest }) => {
          const { signedAttributes, digest: signed, algorithm } = toSign(digest, judged.path);
          kept.push({ document_id: id, base, digest: digest.toString("hex") });
          to_sign.push({
            document_id: id,
            digest: signed.toString("base64"),
            signed_attributes: signedAttributes.toString("base64"),
            algorithm,
          });
        }).catch((error: unknown) => {
          throw error instanceof SignatureRefused ? refusedCertificate("key", "its key cannot sign here") : error;
        });
        const certificate = {
          name,
          cpf: judged.cpf === null ? null : maskedCpf(judged.cpf),
          issuer: judged.issuerName,
          not_after: judged.notAfter.toISOString().replace("Z", "000Z"),
        };
        return call("record_certificate", {
          participant_id,
          chain: given,
          at: documents.at,
          documents: kept,
          answer: { to_sign, certificate },
        });
      });
    return endingOverdue(work, { command: "end_overdue_signing", participant_id }, act);
  },
});
