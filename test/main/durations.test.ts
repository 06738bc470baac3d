// test/durations.json orders the files of each run, and shows which of them grew.
import { expect, test } from "vitest";
import { durations } from "../support/durations.ts";
import { LONG_FILES } from "../support/long-files.ts";

/** Seconds of CPU. */
const LONG = 10;
/** A file that takes less has no reason any more; between the two it may have one, as figures differ from run to run. */
const SHORT = 7;

/** The files that were measured, and what each takes. */
const FILES = Object.entries(durations()).map(([file, { own, postgres }]) => [file, own + postgres] as const);

test("a file that takes more than ten seconds of CPU has a reason in support/long-files.ts", () => {
  expect(FILES.filter(([file, seconds]) => seconds > LONG && !(file in LONG_FILES))).toEqual([]);
});

test("a file with a reason takes long", () => {
  expect(FILES.filter(([file, seconds]) => seconds < SHORT && file in LONG_FILES)).toEqual([]);
});
