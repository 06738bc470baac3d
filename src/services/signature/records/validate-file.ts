import type { Refusal } from "../../../adapters/pdf-signatures/answer.ts";
import {
  type PdfSignatures,
  readSignatures,
  SignaturesUnread,
} from "../../../adapters/pdf-signatures/read-signatures.ts";
import { AppError, unavailable } from "../../../errors/app-error.ts";
import { storageRefusal } from "../../../surfaces/storage-refusal.ts";
import { operation } from "../parts.ts";
import { inTurn } from "../signing/certificate-turns.ts";
import { judgeSignatures } from "./judge-signatures.ts";
import { spoolsFile } from "./spool-file.ts";
import { type KnownDigest, verdictOf } from "./validate-digest.ts";
import { shownSignature, verdictOfFile } from "./verdict-of-file.ts";

/** In bytes, as documents. */
const MOST_BYTES = 50 * 1024 ** 2;

/** What validate_file answers. */
interface Prepared {
  readonly tenant_id: string;
  readonly environment: "live" | "test";
  /** SHA-256, hexadecimal. */
  readonly seal_certificates: readonly string[];
  readonly signer_certificates: readonly string[];
  readonly found: KnownDigest;
}

/** Why a PDF is not judged, in words for the sender. */
const REFUSED: Readonly<Record<Refusal, string>> = {
  damaged: "The PDF is damaged or incomplete, and is not repaired.",
  encrypted: "The PDF is encrypted.",
  too_many_signatures: "The PDF has more than 100 signatures.",
  too_large: "Reading the PDF takes too much time or memory.",
};

/**
 * Says what an organization knows of a file, and what holds of each signature of a PDF. The file waits for its turn in the storage, and is removed before
 * the answer.
 */
export const validateFile = operation({
  name: "validateFile",
  command: "validate_file",
  made: ["sha256"],
  file: { most: () => MOST_BYTES, kept: "stored", isTemporary: true, store: spoolsFile },
  answers: { schema: "Validation" },
  errors: ["unprocessable_pdf"],
  rest: {
    method: "POST",
    path: "/signatures/validate-file",
    takes: "file",
    status: 200,
    tag: "Signatures",
    summary: "Validate a file and its signatures",
    description:
      "Says of the file's digest what `POST /signatures/validate` says, and of each signature of a PDF: whether it holds, what it covers, who signed. Takes at most 50 MiB; the file is removed before the answer. A file that is not a PDF has no signatures.\n\n" +
      "`valid`: each signature holds, its certificate is of this platform or of ICP-Brasil and not revoked, its time stamp, if any, is valid; and each covers the whole file, or a record of the final document in your organization names it. An update that came between two signatures is not compared. " +
      "Without signatures, the verdict is that of the digest. `invalid`: a signature or a time stamp is not valid, a certificate was revoked and nothing proves that the signature is older, or what asserts the digest does not verify. `unknown`: otherwise.\n\n" +
      "A PDF that is damaged or encrypted, has more than 100 signatures, or takes more than 20 seconds returns 422 `unprocessable_pdf`. Nothing is written.",
  },
  run: async ({ call, file, parts }) => {
    const stored = file?.stored;
    if (stored?.read === undefined) throw new Error("the form has a file");
    const { read: content } = stored;
    try {
      const sha256 = stored.sha256.toString("hex");
      const answer = await call("validate_file", { sha256 });
      const { tenant_id, environment, seal_certificates, signer_certificates, found } = JSON.parse(
        answer.body ?? "",
      ) as Prepared;
      const { certificateJudge, validationSlots, stampRoots } = parts;
      const now = new Date();
      const trusted = { authorities: certificateJudge.authoritiesOf(environment), stampRoots };
      const read = await inTurn(validationSlots, tenant_id, () =>
        readSignatures(content(), trusted, { bytes: stored.bytes, now }),
      ).catch((error: unknown) => {
        throw error instanceof SignaturesUnread ? unavailable(error) : storageRefusal(error);
      });
      const place = { tenantId: tenant_id, environment, now };
      const judged = await judgeSignatures(signaturesOf(read), new Set(seal_certificates), place, certificateJudge);
      const verdict = verdictOfFile(judged, found.known, await verdictOf(found), new Set(signer_certificates));
      const { known } = found;
      return { ...answer, body: JSON.stringify({ sha256, verdict, known, signatures: judged.map(shownSignature) }) };
    } finally {
      // What cannot be removed now is swept up later: nothing names it.
      await stored.discard().catch(() => {});
    }
  },
});

/** @throws AppError 422 unprocessable_pdf */
function signaturesOf(read: PdfSignatures) {
  if (!("refused" in read)) return read.signatures;
  const message = REFUSED[read.refused];
  throw new AppError(422, "unprocessable_pdf", message, [{ field: "file", message }], {
    facts: { reason: read.refused },
  });
}
