import { invalidRequest } from "../../../app-error.ts";
import type { Answer } from "../../../postgres/call.ts";
import { parseShape } from "../../../surfaces/http/shape.ts";
import type { RouteHandler } from "../../../surfaces/rest/handler.ts";
import { hashUploadedFile } from "../../../surfaces/rest/multipart.ts";
import { type PublicProof, publicProof } from "../operations/public-proof.ts";
import { proofInput } from "../operations/register-proof.ts";
import type { SignatureParts } from "../parts.ts";

const digestInput = proofInput.pick({ sha256: true });

/** GET /public/proofs/{code} */
export const getPublicProof: RouteHandler<SignatureParts> = async ({ database }, request) =>
  answerOf(await publicProof(database, request.origin, { code: request.arguments["code"] as string }));

/** POST /public/proofs/verify: the digest, or the file itself, which is hashed as it arrives and thrown away. */
export const verifyPublicProof: RouteHandler<SignatureParts> = async ({ database, proofMaxFileBytes }, request) => {
  if (!request.isMultipart)
    return answerOf(await publicProof(database, request.origin, request.arguments as { sha256: string }));
  const { file, fields } = await hashUploadedFile(request.raw, proofMaxFileBytes, ["sha256"]);
  if (file !== null && fields["sha256"] !== undefined)
    throw invalidRequest([{ field: "sha256", message: "must not be given together with file" }]);
  const query = file === null ? parseShape(digestInput, fields) : { sha256: file.sha256.toString("hex") };
  return answerOf(await publicProof(database, request.origin, query));
};

function answerOf({ proof, platformKeys, verification }: PublicProof): Answer {
  return {
    status: 200,
    replayed: false,
    body: JSON.stringify({ ...proof, platform_keys: platformKeys, verification }),
  };
}
