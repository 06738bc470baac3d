import { z } from "zod";

/** Text that Postgres and every JSON reader can hold: no NUL, no lone surrogate, at most so many Unicode code points. */
export function wireText(mostCodePoints: number) {
  return (
    z
      .string()
      .refine((text) => !text.includes("\0") && text.isWellFormed(), "must be well-formed Unicode without NUL")
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
