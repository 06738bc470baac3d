import type { z } from "zod";
import { invalidRequest, MOST_FIELD_ERRORS } from "../../errors/app-error.ts";
import { shapeWords, wordsOfAbsence } from "./shape-words.ts";

/** Most characters of a member's name in an answer. */
const MOST_NAME_LENGTH = 100;

/**
 * Parses a value by a schema.
 * @throws AppError 422 invalid_request that names every member that is missing, unknown, of a wrong type or over a limit
 */
export function parseShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: shapeWords, reportInput: true });
  if (parsed.success) return parsed.data;
  const wrong = new Map<string, string>();
  const add = (path: readonly PropertyKey[], message: string) => {
    const field = path.join(".").slice(0, MOST_NAME_LENGTH);
    // One reason for each member, the first. A request could otherwise cause a hundred thousand reasons.
    if (wrong.size < MOST_FIELD_ERRORS && !wrong.has(field)) wrong.set(field, message);
  };
  for (const issue of parsed.error.issues) {
    // A request as a whole is never absent; a value in its place is not an object.
    const absence = issue.path.length === 0 ? null : wordsOfAbsence(issue);
    if (issue.code !== "unrecognized_keys") add(issue.path, absence ?? issue.message);
    else for (const key of issue.keys) add([...issue.path, key], "is not a member of this request");
  }
  throw invalidRequest([...wrong].map(([field, message]) => ({ field, message })));
}
