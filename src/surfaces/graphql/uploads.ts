import type { FastifyReply, FastifyRequest } from "fastify";
import type { FileUpload } from "graphql-upload/processRequest.mjs";
import processRequest from "graphql-upload/processRequest.mjs";
import { PayloadTooLargeError, sha256OfStream } from "../../adapters/crypto/sha256-stream.ts";
import { AppError, malformedRequest } from "../../app-error.ts";

/**
 * The most that each of the members `operations` and `map` may hold. Small on purpose: the library walks a path of
 * `map` in memory that grows with the square of its length, and 400 kB of it would end the process.
 */
const MOST_FIELD_BYTES = 8 * 1024;

/** The library repeats what it could not read. */
const MOST_REASON_CHARACTERS = 300;

/** A file that was hashed. */
export interface UploadDigest {
  readonly sha256: Buffer;
  readonly bytes: number;
  /** As the part names it; null when it has none. */
  readonly fileName: string | null;
}

/**
 * The operation of a GraphQL multipart request (the specification of graphql-upload) with one file. The file is spooled
 * to the system's temporary folder, up to the largest file that its sender may upload, until the response is sent:
 * deployments that take large files give TMPDIR the room, or send them to a path of REST, which keeps nothing.
 *
 * No header is asked for that makes browsers send a preflight request: the token of a request is in a header, and no
 * form of another site can send one.
 * @throws AppError 400 malformed_request, 413 too_large
 */
export async function readMultipart(request: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + 16 * MOST_FIELD_BYTES) throw fileTooLarge(maxBytes);
  try {
    return await processRequest(request.raw, reply.raw, {
      maxFieldSize: MOST_FIELD_BYTES,
      // The stream's own limit is exact; this one bounds what is spooled.
      maxFileSize: maxBytes + 1,
      maxFiles: 1,
    });
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * SHA-256 of an uploaded file, read as a stream.
 * @param keep is given each chunk, for callers that store the file
 * @throws AppError 400 malformed_request, 413 too_large
 */
export async function digestOfUpload(
  upload: Promise<FileUpload>,
  maxBytes: number,
  keep?: (chunk: Uint8Array) => void,
): Promise<UploadDigest> {
  try {
    const file = await upload;
    // The parser puts U+FFFD where bytes are not UTF-8, and a changed name must not be signed.
    if (file.filename.includes("\uFFFD")) throw malformedRequest("The name of the file is not UTF-8.");
    const digest = await sha256OfStream(file.createReadStream(), maxBytes, keep);
    return { ...digest, fileName: file.filename || null };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof PayloadTooLargeError || statusOf(error) === 413) throw fileTooLarge(maxBytes);
    throw unreadable(error);
  }
}

/** What graphql-upload says is wrong is meant for the sender; whatever the parser below it throws is not. */
function unreadable(error: unknown): AppError {
  const status = statusOf(error);
  if (status === null) return malformedRequest("The multipart message is broken or truncated.");
  const reason = (error as Error).message.slice(0, MOST_REASON_CHARACTERS);
  if (status === 413) return new AppError(413, "too_large", `The multipart message is too large: ${reason}`);
  return malformedRequest(`The multipart message cannot be read: ${reason}`);
}

function fileTooLarge(maxBytes: number): AppError {
  return new AppError(413, "too_large", `The file is larger than ${maxBytes} bytes.`);
}

/** Errors of graphql-upload carry an HTTP status; those of the parser below it do not. */
function statusOf(error: unknown): number | null {
  return error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : null;
}
