// test/durations.json orders the files of each run, and shows which of them grew.
import { expect, test } from "vitest";
import { durations } from "../support/durations.ts";
import { LONG_FILES } from "../support/long-files.ts";

/** Seconds of CPU. */
const LONG = 10;
/** A file that takes less has no reason any more; between the two it may have one, as figures differ from run to run. */
const SHORT = 7;

const files = (least: number) =>
  Object.entries(durations())
    .filter(([, { own, postgres }]) => own + postgres > least)
    .map(([file]) => file);

test("a file that takes more than ten seconds of CPU has a reason in support/long-files.ts", () => {
  expect(files(LONG).filter((file) => !(file in LONG_FILES))).toEqual([]);
});

test("a file with a reason takes long", () => {
  const long = files(SHORT);
  expect(Object.keys(LONG_FILES).filter((file) => !long.includes(file))).toEqual([]);
});
