import { invalidRequest } from "../../../../src/app-error.ts";
import type { AddedCommand } from "../../../../src/postgres/command.ts";
import { idempotencyOf } from "../../../../src/surfaces/http/idempotency.ts";
import type { RestRequest, RouteHandler } from "../../../../src/surfaces/rest/handler.ts";
import { hashUploadedFile } from "../../../../src/surfaces/rest/multipart.ts";
import { commands } from "../generated.ts";
import type { NoteParts } from "../parts.ts";
import { sealWords } from "../words.ts";

/** POST /notes/{id}/file: the file is hashed as it arrives and never stored. */
export const attachFile: RouteHandler<NoteParts> = async (parts, request) => {
  // Nobody's gigabytes are read before they may be attached.
  if (request.credentialHash !== null) await parts.database.authorize(request.credentialHash, commands.attach_file);
  const { file } = request.isMultipart
    ? await hashUploadedFile(request.raw, parts.noteMaxFileBytes, [])
    : { file: null };
  if (file === null) throw invalidRequest([{ field: "file", message: "is required" }]);
  const answer = await change(parts, request, commands.attach_file, { sha256: file.sha256.toString("hex") });
  if (!answer.replayed) parts.noteMetrics.fileAttached();
  return answer;
};

/** PUT /notes/{id}/words */
export const putWords: RouteHandler<NoteParts> = (parts, request) => {
  const { id, words } = request.arguments as { readonly id: string; readonly words: string };
  return change(
    parts,
    request,
    commands.seal_words,
    { sealed_words: sealWords(parts.masterKeys, id, words) },
    { words },
  );
};

/** @param given what makes a repeated request the same, where it is not what the command is given */
function change(
  { database }: NoteParts,
  { credentialHash, origin, path, raw, arguments: { id } }: RestRequest,
  command: AddedCommand,
  made: Readonly<Record<string, string>>,
  given: object = made,
) {
  const idempotency = idempotencyOf(raw.headers["idempotency-key"], raw.method, path, given);
  return database.call({ credentialHash, command, arguments: { id, ...made }, idempotency, origin });
}
