import type { FastifyRequest } from "fastify";
import { PayloadTooLargeError, sha256OfStream } from "../../adapters/crypto/sha256-stream.ts";
import { AppError, type FieldError, invalidRequest, malformedRequest } from "../../errors/app-error.ts";
import { fileNameOf } from "../file-name.ts";
import type { ReceivedFile } from "../operation.ts";
import { storageRefusal } from "../storage-refusal.ts";
import { discard, FileNotStoredError, type TakeFile } from "../take-file.ts";

/** A form whose file was taken as it arrived. */
interface FileForm {
  /** Its name is without folders. Null for a form without a file. */
  readonly file: ReceivedFile | null;
  readonly fields: Readonly<Record<string, string>>;
}

const MOST_FIELD_BYTES = 64 * 1024;

/** Faults that the parser counts or hides: the members are wrong, the message is not broken. */
const WRONG_PARTS: Readonly<Record<string, FieldError>> = {
  FST_FILES_LIMIT: { field: "file", message: "must be a single file" },
  FST_FIELDS_LIMIT: { field: "", message: "the form has more parts than this request takes" },
  FST_PARTS_LIMIT: { field: "", message: "the form has more parts than this request takes" },
  // A part with the name of a member of every object, such as __proto__ or constructor.
  FST_PROTO_VIOLATION: { field: "", message: "a part is not a member of this request" },
};

/** A file name is optional (RFC 7578 §4.2): the part `file` is the file, with or without a name. */
const isPartAFile = (field: string | undefined, contentType: string | undefined, fileName: string | undefined) =>
  field === "file" || contentType === "application/octet-stream" || fileName !== undefined;

/** 413 too_large for a file over the limit. */
function fileTooLarge(maxBytes: number): AppError {
  return new AppError(413, "too_large", `The file is larger than ${maxBytes} bytes.`);
}

/**
 * Reads a multipart/form-data body (RFC 7578) with at most one file, under `file`, and text fields of these names.
 * When this throws, no file stays stored.
 * @param take takes the file. Any other file is read to its end and thrown away.
 * @throws AppError 400 malformed_request, 413 too_large, 422 invalid_request, 503 unavailable
 */
export async function readFileForm(
  request: FastifyRequest,
  maxBytes: number,
  fieldNames: readonly string[],
  take: TakeFile,
): Promise<FileForm> {
  // A Content-Length larger than a file at the limit plus fields is refused before the body is read.
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + 2 * MOST_FIELD_BYTES) throw fileTooLarge(maxBytes);
  const wrong: FieldError[] = [];
  let isEmpty = true;
  const fields: Record<string, string> = {};
  let file: ReceivedFile | null = null;
  try {
    const limits = {
      fieldNameSize: 100,
      fieldSize: MOST_FIELD_BYTES,
      fields: 10,
      files: 2,
      parts: 12,
      fileSize: Number.MAX_SAFE_INTEGER,
    };
    // The parser would take a backslash for the end of a folder.
    const options = { limits, isPartAFile, preservePath: true };
    for await (const part of request.parts(options)) {
      isEmpty = false;
      if (part.fieldname === undefined) throw malformedRequest("A part of the multipart message has no name.");
      if (part.type === "file") {
        requireUtf8(part.filename);
        if (part.fieldname === "file" && file === null) {
          file = { ...(await take(part.file)), fileName: fileNameOf(part.filename) };
          continue;
        }
        await sha256OfStream(part.file, maxBytes);
        if (part.fieldname !== "file")
          wrong.push({ field: part.fieldname, message: "is not a file this request takes" });
        else wrong.push({ field: "file", message: "must be a single file" });
      } else if (!fieldNames.includes(part.fieldname)) {
        wrong.push({ field: part.fieldname, message: "is not a member of this request" });
      } else if (Object.hasOwn(fields, part.fieldname)) {
        wrong.push({ field: part.fieldname, message: "is given twice" });
      } else if (part.fieldnameTruncated || part.valueTruncated) {
        wrong.push({ field: part.fieldname, message: "is too long" });
      } else if (typeof part.value !== "string") {
        wrong.push({ field: part.fieldname, message: "must be text" }); // the part's type is application/json
      } else {
        requireUtf8(part.value);
        fields[part.fieldname] = part.value;
      }
    }
    if (isEmpty) throw malformedRequest("The multipart message has no parts.");
    if (wrong.length > 0) throw invalidRequest(wrong);
    return { file, fields };
  } catch (error) {
    await discard(file);
    if (error instanceof PayloadTooLargeError) throw fileTooLarge(maxBytes);
    if (error instanceof AppError) throw error;
    if (error instanceof FileNotStoredError) throw storageRefusal(error.cause);
    const wrongPart = WRONG_PARTS[(error as NodeJS.ErrnoException).code ?? ""];
    if (wrongPart !== undefined) throw invalidRequest([wrongPart]);
    throw malformedRequest("The multipart message is broken or truncated.");
  }
}

/**
 * The parser replaces bytes that are not UTF-8 by U+FFFD, and a changed text must not be signed. (A text that really contains
 * U+FFFD was damaged in the same way before.)
 */
function requireUtf8(text: string | undefined): void {
  if (text?.includes("\uFFFD")) throw malformedRequest("A text of the multipart message is not UTF-8.");
}
