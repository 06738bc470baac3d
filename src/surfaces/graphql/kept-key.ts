import { z } from "zod";
import { invalidRequest } from "../../errors/app-error.ts";
import { isKey } from "../http/idempotency.ts";
import type { Operation } from "../operation.ts";

/** The member, as in JSON. */
const KEY = "idempotency_key";

/**
 * The Idempotency-Key as a member of the input, for an operation that keeps it: each field of a document can then have its own, and variables
 * have all that is sent.
 */
export function keptKeyMember({ keepsKey: most }: Pick<Operation, "keepsKey">): Record<string, z.ZodType> {
  if (most === undefined) return {};
  const description =
    "The Idempotency-Key, in visible ASCII characters, if the request has no such header. It is kept with what the mutation makes, forever: any later mutation with the same key gets the same.";
  const key = z
    .string()
    .refine((given) => isKey(given, most), `must be 1 to ${most} visible ASCII characters`)
    .meta({ minLength: 1, maxLength: most })
    .optional()
    .meta({ description });
  return { [KEY]: key };
}

/**
 * The key of a field, and the other members of its input.
 * @param ofHeader the key of the header; null without one
 * @throws AppError 422 invalid_request for a member and a header that differ
 */
export function withoutKeptKey(
  given: Readonly<Record<string, unknown>>,
  ofHeader: string | null,
): { readonly key: string | null; readonly input: Readonly<Record<string, unknown>> } {
  const { [KEY]: member, ...input } = given;
  if (typeof member !== "string") return { key: ofHeader, input };
  if (ofHeader !== null && ofHeader !== member)
    throw invalidRequest([{ field: KEY, message: "must be the same as the header Idempotency-Key" }]);
  return { key: member, input };
}
