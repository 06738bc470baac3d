import { invalidRequest } from "../../../../src/app-error.ts";
import { idempotencyOf } from "../../../../src/surfaces/http/idempotency.ts";
import type { RouteHandler } from "../../../../src/surfaces/rest/handler.ts";
import { hashUploadedFile } from "../../../../src/surfaces/rest/multipart.ts";
import { commands } from "../generated.ts";
import { attachFile } from "../operations/attach-file.ts";
import type { NoteParts } from "../parts.ts";
import { sealWords } from "../words.ts";

/** POST /notes/{id}/file */
export const postFile: RouteHandler<NoteParts> = async (parts, request) => {
  const { credentialHash, origin, raw } = request;
  const { id } = request.arguments as { readonly id: string };
  // Nobody's gigabytes are read before they may be attached.
  if (credentialHash !== null) await parts.database.authorize(credentialHash, commands.attach_file);
  const chunks: Uint8Array[] = [];
  const { file } = request.isMultipart
    ? await hashUploadedFile(raw, parts.noteMaxFileBytes, [], (chunk) => chunks.push(chunk))
    : { file: null };
  if (file === null) throw invalidRequest([{ field: "file", message: "is required" }]);
  // The digest makes a repeated request the same, whatever the boundaries of its form are.
  const given = { sha256: file.sha256.toString("hex") };
  const idempotency = idempotencyOf(raw.headers["idempotency-key"], raw.method, request.path, given);
  return attachFile(parts, { credentialHash, origin }, { id, file: Buffer.concat(chunks) }, idempotency);
};

/** PUT /notes/{id}/words */
export const putWords: RouteHandler<NoteParts> = ({ database, masterKeys }, request) => {
  const { credentialHash, origin, raw, path } = request;
  const { id, words } = request.arguments as { readonly id: string; readonly words: string };
  // Sealed words are others each time; the words themselves make a repeated request the same.
  const idempotency = idempotencyOf(raw.headers["idempotency-key"], raw.method, path, { words });
  const sealed_words = sealWords(masterKeys, id, words);
  return database.call({
    credentialHash,
    command: commands.seal_words,
    arguments: { id, sealed_words },
    idempotency,
    origin,
  });
};
