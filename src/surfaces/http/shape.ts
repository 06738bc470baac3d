import type { z } from "zod";
import { invalidRequest, MOST_FIELD_ERRORS } from "../../app-error.ts";
import { shapeWords, wordsOfAbsence } from "./shape-words.ts";

/** An answer names a member with at most so many characters of its name. */
const MOST_NAME_LENGTH = 100;

/**
 * What a schema makes of a value.
 * @throws AppError 422 invalid_request naming every member that is missing, unknown, of the wrong type or over a limit
 */
export function parseShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: shapeWords, reportInput: true });
  if (parsed.success) return parsed.data;
  const wrong = new Map<string, string>();
  const add = (path: readonly PropertyKey[], message: string) => {
    const field = path.join(".").slice(0, MOST_NAME_LENGTH);
    // One reason a member, the first, and not a reason for each of a hundred thousand members.
    if (wrong.size < MOST_FIELD_ERRORS && !wrong.has(field)) wrong.set(field, message);
  };
  for (const issue of parsed.error.issues) {
    // The whole of a request is never absent: what stands in its place is no object.
    const absence = issue.path.length === 0 ? null : wordsOfAbsence(issue);
    if (issue.code !== "unrecognized_keys") add(issue.path, absence ?? issue.message);
    else for (const key of issue.keys) add([...issue.path, key], "is not a member of this request");
  }
  throw invalidRequest([...wrong].map(([field, message]) => ({ field, message })));
}
