import { z } from "zod";
import { type AppError, invalidRequest } from "../../app-error.ts";
import type { Database } from "../../postgres/database.ts";
import { namingTheFile, OF_FILE, withMembersOf } from "../file-members.ts";
import { parseShape } from "../http/shape.ts";
import type { ReceivedFile } from "../operation.ts";
import { hashUploadedFile } from "./multipart.ts";
import type { RestRequest } from "./request.ts";
import type { Route } from "./route.ts";

/** The input that a request gives an operation. */
interface Given {
  readonly input: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile | null;
}

/**
 * Reads the form of a request whose path takes a file. The body is read only after its sender's right was checked.
 * @throws AppError 401, 403; 400 malformed_request, 413 too_large, 422 invalid_request
 */
export async function readForm<Parts extends { readonly database: Database }>(
  parts: Parts,
  route: Route<Parts>,
  request: RestRequest,
): Promise<Given> {
  const { multipart, of } = route;
  const { credentialHash, raw } = request;
  if (multipart === undefined || of.file === undefined) throw new Error(`${route.operation} takes no file`);
  if (credentialHash !== null) await parts.database.authorize(credentialHash, route.command);
  const { kept, most } = of.file;
  const isEither = multipart.with === "the file or the fields";
  const chunks: Uint8Array[] = [];
  const { file: received, fields } = await hashUploadedFile(
    raw,
    most(parts),
    Object.keys(multipart.fields.shape),
    kept === "bytes" ? (chunk) => chunks.push(chunk) : undefined,
  );
  if (received === null) {
    if (!isEither) throw fileRequired();
    return { input: { ...request.arguments, ...parseShape(multipart.fields, fields) }, file: null };
  }
  const file: ReceivedFile = { ...received, content: kept === "bytes" ? Buffer.concat(chunks) : null };
  const [both] = isEither ? Object.keys(fields) : [];
  if (both !== undefined) throw invalidRequest([{ field: both, message: "must not be given together with file" }]);
  if (multipart.asJson === null)
    return { input: { ...request.arguments, ...parseShape(multipart.fields, fields) }, file };
  const { shape } = multipart.asJson;
  // The values of the form's texts; members that the file provides are not among them.
  const given = isEither ? {} : parseShape(multipart.fields, fields);
  const ofFile = z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => OF_FILE.has(name))));
  const members = withMembersOf(file, given, shape);
  namingTheFile(() =>
    parseShape(ofFile, Object.fromEntries(Object.keys(ofFile.shape).map((name) => [name, members[name]]))),
  );
  return { input: { ...request.arguments, ...members }, file };
}

/** 422 for a request without the file. */
export const fileRequired = (): AppError => invalidRequest([{ field: "file", message: "is required" }]);
