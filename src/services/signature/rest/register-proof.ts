import { AppError, invalidRequest, unauthenticated } from "../../../app-error.ts";
import { idempotencyOf } from "../../../surfaces/http/idempotency.ts";
import { parseShape } from "../../../surfaces/http/shape.ts";
import type { RouteHandler } from "../../../surfaces/rest/handler.ts";
import { hashUploadedFile } from "../../../surfaces/rest/multipart.ts";
import { type ProofInput, proofInput, registerProof as register } from "../operations/register-proof.ts";
import type { SignatureParts } from "../parts.ts";

/** POST /proofs: JSON with the digest, or the file itself, which is hashed as it arrives and never stored. */
export const registerProof: RouteHandler<SignatureParts> = async (services, request) => {
  const { credentialHash, origin, raw } = request;
  if (credentialHash === null) throw unauthenticated();
  let input: ProofInput;
  if (request.isMultipart) {
    // Nobody's gigabytes are read before they may be registered.
    await services.database.authorize(credentialHash, "prepare_proofs");
    const { file, fields } = await hashUploadedFile(raw, services.proofMaxFileBytes, ["label"]);
    if (file === null) throw invalidRequest([{ field: "file", message: "is required" }]);
    input = ofForm({
      sha256: file.sha256.toString("hex"),
      label: fields["label"] ?? null,
      file_name: file.fileName,
      file_size: file.bytes,
    });
  } else {
    input = request.arguments as ProofInput;
  }
  const idempotency = idempotencyOf(raw.headers["idempotency-key"], raw.method, request.path, {
    multipart: request.isMultipart,
    ...input,
  });
  return register(services, { credentialHash, origin }, input, idempotency);
};

/** A form has no member file_name: what is wrong with it is wrong with the file. */
function ofForm(members: ProofInput): ProofInput {
  try {
    return parseShape(proofInput, members);
  } catch (error) {
    if (!(error instanceof AppError) || error.fields === undefined) throw error;
    throw invalidRequest(
      error.fields.map(({ field, message }) =>
        field === "file_name" ? { field: "file", message: `its name ${message}` } : { field, message },
      ),
    );
  }
}
