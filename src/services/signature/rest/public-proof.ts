import { invalidRequest } from "../../app-error.ts";
import type { Answer } from "../../db/call.ts";
import { parseShape } from "../../http/shape.ts";
import { type PublicProof, publicProof } from "../../operations/signature/public-proof.ts";
import { proofInput } from "../../operations/signature/register-proof.ts";
import type { RouteHandler } from "../handler.ts";
import { hashUploadedFile } from "../multipart.ts";

const digestInput = proofInput.pick({ sha256: true });

/** GET /public/proofs/{code} */
export const getPublicProof: RouteHandler = async ({ database }, request) =>
  answerOf(await publicProof(database, request.origin, { code: request.arguments["code"] as string }));

/** POST /public/proofs/verify: the digest, or the file itself, which is hashed as it arrives and thrown away. */
export const verifyPublicProof: RouteHandler = async ({ database, proofMaxFileBytes }, request) => {
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
