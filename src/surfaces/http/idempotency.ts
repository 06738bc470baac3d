import { createHash } from "node:crypto";
import { invalidRequest } from "../../app-error.ts";
import type { Idempotency } from "../../postgres/call.ts";

/** What an Idempotency-Key may be; the column that keeps it asks the same. */
export const KEY_FORM = { least: 1, most: 255, pattern: "^[!-~]+$" } as const;
const VISIBLE = new RegExp(KEY_FORM.pattern);

/**
 * The Idempotency-Key of a write with the hash of what it is for; null without the header.
 * @param payload the parsed payload: members in the order of their schema, a file by its digest
 * @throws AppError 422 invalid_request when the key is not what {@link KEY_FORM} says
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
  if (typeof header !== "string" || header.length > KEY_FORM.most || !VISIBLE.test(header)) {
    const message = `must be ${KEY_FORM.least} to ${KEY_FORM.most} visible ASCII characters`;
    throw invalidRequest([{ field: "Idempotency-Key", message }]);
  }
  return header;
}
