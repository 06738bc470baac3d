// Every byte of a sealed PDF, and every kind of PDF twice.
import { expect, test } from "vitest";
import { ONE_PAGE, pdf } from "../pdf-check/pdf-file.ts";
import { placesOf, some, unnoticed, unnoticedByReaders } from "./flips.ts";
import { kinds } from "./kinds.ts";
import { aKey, seal } from "./seal-stage.ts";

test("a sealed PDF shows each flipped byte", { timeout: 300_000 }, async () => {
  const key = await aKey();
  const sealed = await seal(key, pdf(ONE_PAGE));
  const { outside, inside } = placesOf(sealed);
  expect(unnoticed(sealed, key.certificate, outside)).toEqual([]);
  expect(unnoticedByReaders(sealed, key.certificate, [...some(outside, 10), ...some(inside, 40)])).toEqual([]);
});

test.each(kinds)("a PDF %s has the same bytes each time", async (_, file) => {
  const key = await aKey();
  expect((await seal(key, file)).equals(await seal(key, file))).toBe(true);
});
