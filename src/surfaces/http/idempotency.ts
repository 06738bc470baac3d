import { createHash } from "node:crypto";
import { invalidRequest } from "../../errors/app-error.ts";
import type { Idempotency } from "../../postgres/call.ts";

/** The form of an Idempotency-Key; a check of its column demands the same form. */
export const KEY_FORM = { least: 1, most: 255, pattern: "^[!-~]+$" } as const;
const VISIBLE = new RegExp(KEY_FORM.pattern);

/**
 * The Idempotency-Key of a write, with the hash of its request; null without the header.
 * @param payload the parsed payload: members in the order of their schema, a file by its digest
 * @param owner name of the path that has its own keys; null for the keys of the organization. With an owner, the database keeps a digest of owner and key
 * @throws AppError 422 invalid_request for a key that does not have the form {@link KEY_FORM}
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

/** Whether a text has the form of a key. */
export const isKey = (text: string, most: number = KEY_FORM.most): boolean => text.length <= most && VISIBLE.test(text);

/** Only the key, for requests that are refused before their payload is read. */
export function checkedKey(header: string | string[]): string {
  if (typeof header !== "string" || !isKey(header)) {
    const message = `must be ${KEY_FORM.least} to ${KEY_FORM.most} visible ASCII characters`;
    throw invalidRequest([{ field: "Idempotency-Key", message }]);
  }
  return header;
}
