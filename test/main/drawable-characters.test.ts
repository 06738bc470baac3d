// SQL refuses what the fonts of PDFs lack, by ranges that are generated from the fonts.
import { expect, test } from "vitest";
import { drawableOf } from "../../src/main/drawable-characters.ts";
import { generatedRanges } from "./drawable-characters.ts";

test("each generated range begins and ends where the fonts do", async () => {
  const ranges = generatedRanges();
  expect(ranges.length).toBeGreaterThan(500);
  const edges = ranges.flat();
  const beyond = ranges
    .flatMap(([first, last]) => [first - 1, last + 1])
    .filter((each) => each < 0xd800 || each > 0xdfff);
  expect(await drawableOf(edges)).toEqual(edges);
  expect(await drawableOf(beyond)).toEqual([]);
});
