import { createHash } from "node:crypto";
import { invalidRequest } from "../../app-error.ts";
import type { Idempotency } from "../../postgres/call.ts";

/** What an Idempotency-Key may be; the column that keeps it asks the same. */
export const KEY_FORM = { least: 1, most: 255, pattern: "^[!-~]+$" } as const;
const VISIBLE = new RegExp(KEY_FORM.pattern);

/**
 * The Idempotency-Key of a write with the hash of what it is for; null without the header.
 * @param payload the parsed payload: members in the order of their schema, a file by its digest
 * @param owner whose key it is, where it is not one of all the organization's; it is kept as a digest of both
 * @throws AppError 422 invalid_request when the key is not what {@link KEY_FORM} says
 */
export function idempotencyOf(
  header: string | string[] | undefined,
  method: string,
  path: string,
  payload: unknown,
  owner: string | null = null,
): Idempotency | null {
  if (header === undefined) return null;
  const given = checkedKey(header);
  const key = owner === null ? given : createHash("sha256").update(`${owner}\n${given}`).digest("hex");
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
