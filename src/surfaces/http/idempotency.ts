import { createHash } from "node:crypto";
import { invalidRequest } from "../../app-error.ts";
import type { Idempotency } from "../../postgres/call.ts";

const VISIBLE = /^[!-~]{1,255}$/;

/**
 * The Idempotency-Key of a write with the hash of what it is for; null without the header.
 * @param payload the parsed payload: members in the order of their schema, a file by its digest
 * @throws AppError 422 invalid_request when the key is not 1-255 visible characters
 */
export function idempotencyOf(
  header: string | string[] | undefined,
  method: string,
  path: string,
  payload: unknown,
): Idempotency | null {
  if (header === undefined) return null;
  const key = checkedKey(header);
  const requestHash = createHash("sha256")
    .update(`${method}\n${path}\n${JSON.stringify(payload)}`)
    .digest();
  return { key, requestHash };
}

/** The key alone, for requests that are refused before their payload is read. */
export function checkedKey(header: string | string[]): string {
  if (typeof header !== "string" || !VISIBLE.test(header)) {
    throw invalidRequest([{ field: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }]);
  }
  return header;
}
