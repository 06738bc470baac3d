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

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
