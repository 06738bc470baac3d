import { z } from "zod";
import { type AppError, invalidRequest } from "../../errors/app-error.ts";
import type { Database } from "../../postgres/database.ts";
import { namingTheFile, OF_FILE, withMembersOf } from "../file-members.ts";
import { brokenOff } from "../http/broken-off.ts";
import { parseShape } from "../http/shape.ts";
import type { ReceivedFile } from "../operation.ts";
import { takerOf, unlessRefused } from "../take-file.ts";
import { readFileForm } from "./multipart.ts";
import type { RestRequest } from "./request.ts";
import type { Form, Route } from "./route.ts";

/** The input that a request gives an operation. */
interface Given {
  readonly input: Readonly<Record<string, unknown>>;
  readonly file: ReceivedFile | null;
}

/**
 * Reads the form of a request whose path takes a file. The body is read only after its sender's right was checked.
 * When this throws, no file stays stored.
 * @throws AppError 401, 403; 400 malformed_request, 413 too_large, 422 invalid_request, 503 unavailable
 */
export async function readForm<Parts extends { readonly database: Database }>(
  parts: Parts,
  route: Route<Parts>,
  request: RestRequest,
): Promise<Given> {
  const { multipart, of } = route;
  const { credentialHash, origin, raw } = request;
  if (multipart === undefined || of.file === undefined) throw new Error(`${route.operation} takes no file`);
  if (credentialHash !== null) await parts.database.authorize(credentialHash, route.command, origin.organization);
  const take = await takerOf(of.file, parts, { credentialHash, origin }, brokenOff(raw));
  const { file, fields } = await readFileForm(raw, of.file.most(parts), Object.keys(multipart.fields.shape), take);
  const input = await unlessRefused(file, () => inputOfForm(multipart, file, fields));
  return { input: { ...request.arguments, ...input }, file };
}

/** @throws AppError 422 invalid_request */
function inputOfForm(
  multipart: Form,
  file: ReceivedFile | null,
  fields: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const isEither = multipart.with === "the file or the fields";
  if (file === null) {
    if (!isEither) throw fileRequired();
    return parseShape(multipart.fields, fields);
  }
  const [both] = isEither ? Object.keys(fields) : [];
  if (both !== undefined) throw invalidRequest([{ field: both, message: "must not be given together with file" }]);
  if (multipart.asJson === null) return parseShape(multipart.fields, fields);
  const { shape } = multipart.asJson;
  // The values of the form's texts; members that the file provides are not among them.
  const given = isEither ? {} : parseShape(multipart.fields, fields);
  const ofFile = z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => OF_FILE.has(name))));
  const members = withMembersOf(file, given, shape);
  namingTheFile(() =>
    parseShape(ofFile, Object.fromEntries(Object.keys(ofFile.shape).map((name) => [name, members[name]]))),
  );
  return members;
}

/** 422 for a request without the file. */
export const fileRequired = (): AppError => invalidRequest([{ field: "file", message: "is required" }]);
