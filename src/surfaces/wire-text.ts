import { z } from "zod";

/** Whether Postgres and every JSON reader can hold a text: it has no NUL and no lone surrogate. */
export const isWritable = (text: string) => !text.includes("\0") && text.isWellFormed();
/** The error for a text that is not writable. */
export const UNWRITABLE = "must be well-formed Unicode without NUL";

/** Text that is writable and has at most this many Unicode code points. */
export function wireText(mostCodePoints: number) {
  return (
    z
      .string()
      .refine(isWritable, UNWRITABLE)
      .refine((text) => codePoints(text) <= mostCodePoints, `must have at most ${mostCodePoints} characters`)
      // For schema/openapi.json; JSON Schema also counts code points.
      .meta({ maxLength: mostCodePoints })
  );
}

/** Any text. A text that is not writable or is too long counts as empty, so a look-up by it finds no row. */
export function textOrEmpty(mostCodePoints: number) {
  const fits = (text: string) => text.length <= 2 * mostCodePoints && codePoints(text) <= mostCodePoints;
  return (
    z
      .string()
      .transform((text) => (isWritable(text) && fits(text) ? text : ""))
      // For schema/openapi.json, which cannot read a transformation.
      .meta({ type: "string" })
  );
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
