import type { FastifyReply, FastifyRequest } from "fastify";
import type { FileUpload } from "graphql-upload/processRequest.mjs";
import processRequest from "graphql-upload/processRequest.mjs";
import { PayloadTooLargeError } from "../../adapters/crypto/sha256-stream.ts";
import { AppError, malformedRequest } from "../../errors/app-error.ts";
import { fileNameOf } from "../file-name.ts";
import type { ReceivedFile } from "../operation.ts";
import { storageRefusal } from "../storage-refusal.ts";
import { FileNotStoredError, type TakeFile } from "../take-file.ts";

/**
 * Largest size of each of the members `operations` and `map`. Small on purpose: for a path in `map` the library uses
 * memory that grows with the square of its length, and 400 kB of it would end the process.
 */
const MOST_FIELD_BYTES = 8 * 1024;

/** The library repeats the unreadable text in its message, so the message is cut. */
const MOST_REASON_CHARACTERS = 300;

/**
 * Reads the operation of a GraphQL multipart request (the specification of graphql-upload) with one file. The file is stored
 * in the system's temporary folder, up to the largest file that its sender may upload, until the response is sent.
 * Deployments that accept large files give TMPDIR enough room, or send them to a path of REST, which stores nothing.
 *
 * No header is required that would make browsers send a preflight request: the token of a request is in a header, and a
 * form on another site cannot send one.
 * @throws AppError 400 malformed_request, 413 too_large
 */
export async function readMultipart(request: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<unknown> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes + 16 * MOST_FIELD_BYTES) throw fileTooLarge(maxBytes);
  try {
    return await processRequest(request.raw, reply.raw, {
      maxFieldSize: MOST_FIELD_BYTES,
      // The stream's own limit is exact; this limit bounds the stored bytes.
      maxFileSize: maxBytes + 1,
      maxFiles: 1,
    });
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * An uploaded file, taken as a stream.
 * @throws AppError 400 malformed_request, 413 too_large, 503 unavailable
 */
export async function takeUpload(upload: Promise<FileUpload>, maxBytes: number, take: TakeFile): Promise<ReceivedFile> {
  try {
    const file = await upload;
    // The parser replaces bytes that are not UTF-8 by U+FFFD, and a changed name must not be signed.
    if (file.filename.includes("\uFFFD")) throw malformedRequest("The name of the file is not UTF-8.");
    return { ...(await take(file.createReadStream())), fileName: fileNameOf(file.filename) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof FileNotStoredError) throw storageRefusal(error.cause);
    if (error instanceof PayloadTooLargeError || statusOf(error) === 413) throw fileTooLarge(maxBytes);
    throw unreadable(error);
  }
}

/** Messages of graphql-upload are meant for the sender; errors of the parser below it are not. */
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

/** Errors of graphql-upload have an HTTP status; errors of the parser below it have none. */
function statusOf(error: unknown): number | null {
  return error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : null;
}
