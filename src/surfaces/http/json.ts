import { malformedRequest } from "../../app-error.ts";

/** A JSON body is at most 1 MiB, of REST and of GraphQL. */
export const MOST_JSON_BYTES = 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * A JSON body (RFC 8259: UTF-8).
 * @throws AppError 400 malformed_request when it is empty, not UTF-8 or not JSON
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw malformedRequest("The body is empty.");
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw malformedRequest("The body is not JSON in UTF-8.");
  }
}
