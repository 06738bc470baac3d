// test/durations.json orders the files of each run, and shows which of them grew.
import { expect, test } from "vitest";
import { durations } from "../support/durations.ts";
import { LONG_FILES } from "../support/long-files.ts";

/** Seconds of CPU. */
const LONG = 10;

test("a file that takes more than ten seconds of CPU has a reason in support/long-files.ts, and others have none", () => {
  const long = Object.entries(durations()).filter(([, { own, postgres }]) => own + postgres > LONG);
  expect(Object.keys(LONG_FILES).sort()).toEqual(long.map(([file]) => file).sort());
});
