import { unauthenticated } from "../../app-error.ts";
import { idempotencyOf } from "../../auth/idempotency.ts";
import { parseShape } from "../../http/shape.ts";
import { type ProofInput, proofInput, registerProof as register } from "../../operations/signature/register-proof.ts";
import type { RouteHandler } from "../handler.ts";
import { hashUploadedFile } from "../multipart.ts";

/** POST /proofs: JSON with the digest, or the file itself, which is hashed as it arrives and never stored. */
export const registerProof: RouteHandler = async (services, request) => {
  const { credentialHash, raw } = request;
  if (credentialHash === null) throw unauthenticated();
  let input: ProofInput;
  if (request.isMultipart) {
    // Nobody's gigabytes are read before they may be registered.
    await services.database.actor(credentialHash, "prepare_proofs");
    const upload = await hashUploadedFile(raw, services.proofMaxFileBytes, ["label"]);
    input = parseShape(proofInput, {
      sha256: upload.sha256.toString("hex"),
      label: upload.fields["label"] ?? null,
      file_name: upload.fileName,
      file_size: upload.bytes,
    });
  } else {
    input = request.arguments as ProofInput;
  }
  const idempotency = idempotencyOf(raw.headers["idempotency-key"], raw.method, request.path, {
    multipart: request.isMultipart,
    ...input,
  });
  return register(services, credentialHash, input, idempotency);
};
