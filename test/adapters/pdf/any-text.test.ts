// No text of an organization keeps a receipt from being made.
import { expect, test } from "vitest";
import { isPdf, makeReceipts } from "./any-text.ts";

test("an accent on an accented letter, which the font for signed text cannot place", async () => {
  expect(await isPdf("é\u0301", "tab\t, return\r\n and é\u0301", "\u0301.txt")).toBe(true);
});

test("letters, accents and signs of any script, mixed", () => makeReceipts(12));
