// Stamps on every kind of PDF that tests know, as poppler, ghostscript and pdfium see them. The sample is in stamps.test.ts.
import { beforeAll, expect, test } from "vitest";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import { byPdfium } from "./by-pdfium.ts";
import { covered, fields } from "./covered.ts";
import { kinds } from "./kinds.ts";
import { oddTables } from "./odd-tables.ts";
import { byGhostscript, firstPage, inkOf } from "./page-image.ts";
import { reported } from "./reported.ts";
import { aKey, isSound, seal, twoStamps } from "./seal-stage.ts";

let key: SealKey;
beforeAll(async () => {
  key = await aKey();
});

/** Ghostscript 10 finds no page in the original, but one in the sealed PDF, which has our cross-reference. */
const UNREAD_BY_GHOSTSCRIPT = ["a hybrid file with an update"];

test.each([...covered, ...fields, ...kinds, ...Object.entries(oddTables), ...reported])("%s", async (name, file) => {
  const stamps = twoStamps(firstPage(file));
  const made = await seal(key, file, stamps);
  expect(isSound(made)).toBe(true);
  for (const draw of [firstPage, byPdfium, ...(UNREAD_BY_GHOSTSCRIPT.includes(name) ? [] : [byGhostscript])])
    expect([draw.name, inkOf(stamps, { before: await draw(file), after: await draw(made) })]).toEqual([
      draw.name,
      { inked: [true, true], beside: 0 },
    ]);
});
