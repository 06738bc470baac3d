import { malformedRequest } from "../../errors/app-error.ts";

/** Largest JSON body, of REST and of GraphQL: 1 MiB. */
export const MOST_JSON_BYTES = 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body (RFC 8259: UTF-8).
 * @throws AppError 400 malformed_request if the body is empty, not UTF-8 or not JSON
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw malformedRequest("The body is empty.");
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw malformedRequest("The body is not JSON in UTF-8.");
  }
}
