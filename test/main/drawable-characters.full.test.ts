// SQL refuses what the fonts of PDFs lack, and nothing else: asks the fonts for every character.
import { expect, test } from "vitest";
import { drawableCharacters } from "../../src/main/drawable-characters.ts";
import { generatedRanges } from "./drawable-characters.ts";

test("the generated ranges are the characters of the fonts", { timeout: 120_000 }, async () => {
  expect(await drawableCharacters()).toEqual(generatedRanges());
});
