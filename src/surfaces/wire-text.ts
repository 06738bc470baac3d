import { z } from "zod";

/** Whether Postgres and every JSON reader can hold a text: it has no NUL and no lone surrogate. */
export const isWritable = (text: string) => !text.includes("\0") && text.isWellFormed();
/** The words for a text that is not. */
export const UNWRITABLE = "must be well-formed Unicode without NUL";

/** Text that is writable and has at most so many Unicode code points. */
export function wireText(mostCodePoints: number) {
  return (
    z
      .string()
      .refine(isWritable, UNWRITABLE)
      .refine((text) => codePoints(text) <= mostCodePoints, `must have at most ${mostCodePoints} characters`)
      // For schema/openapi.json; JSON Schema counts code points, too.
      .meta({ maxLength: mostCodePoints })
  );
}

/** Any text: one that is not writable, or has more characters, counts as empty. A row that is looked up by it is then not found. */
export function textOrEmpty(mostCodePoints: number) {
  const fits = (text: string) => text.length <= 2 * mostCodePoints && codePoints(text) <= mostCodePoints;
  return (
    z
      .string()
      .transform((text) => (isWritable(text) && fits(text) ? text : ""))
      // For schema/openapi.json, which reads no transformation.
      .meta({ type: "string" })
  );
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
