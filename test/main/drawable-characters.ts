import fs from "node:fs";
import type { CharacterRange } from "../../src/main/drawable-characters.ts";

const FILE = new URL("../../sql/platform/functions/texts/drawable_characters.sql", import.meta.url);

/** The generated ranges, as SQL has them. */
export const generatedRanges = (): CharacterRange[] =>
  [...fs.readFileSync(FILE, "utf8").matchAll(/\[(\d+),(\d+)\]/g)].map(([, first, last]) => [
    Number(first),
    Number(last),
  ]);
