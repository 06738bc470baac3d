// Which bytes a Range header asks for (RFC 9110 §14.1).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteRange } from "../../../src/surfaces/rest/byte-range.ts";

describe("of ten bytes", () => {
  test.each([
    ["bytes=0-0", { start: 0, end: 0 }],
    ["bytes=0-9", { start: 0, end: 9 }],
    ["bytes=0-10", { start: 0, end: 9 }],
    ["bytes=3-5", { start: 3, end: 5 }],
    ["bytes=9-", { start: 9, end: 9 }],
    ["bytes=0-", { start: 0, end: 9 }],
    ["bytes=-1", { start: 9, end: 9 }],
    ["bytes=-10", { start: 0, end: 9 }],
    // Longer than the file: all of it.
    ["bytes=-11", { start: 0, end: 9 }],
    ["bytes=0-99999999999999999999999", { start: 0, end: 9 }],
    [`bytes=2-${"9".repeat(400)}`, { start: 2, end: 9 }],
    ["BYTES=1-2", { start: 1, end: 2 }],
    ["bytes=0001-0002", { start: 1, end: 2 }],
  ])("%s is a part", (header, range) => {
    expect(byteRange(header, 10)).toEqual(range);
  });

  test.each(["bytes=10-", "bytes=10-10", "bytes=11-20", "bytes=-0", "bytes=-000", `bytes=${"9".repeat(400)}-`])(
    "%s is not there",
    (header) => {
      expect(byteRange(header, 10)).toBe("unsatisfiable");
    },
  );

  test.each([
    undefined,
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=a-b",
    "bytes=0",
    "bytes=5-2",
    "bytes=12-11",
    "bytes=0-1,4-5",
    "bytes=0-1,",
    "bytes=20-30,40-50",
    "bytes=-1,-2",
    "bytes=--1",
    "bytes=1--1",
    "bytes=+1-2",
    "bytes=0x1-2",
    "bytes=1.0-2",
    "bytes=1e0-2",
    "bytes=0-1 ",
    "bytes = 0-1",
    "bytes=0-1\n",
    "pages=0-1",
    "bytes=٠-١",
  ])("%j asks for no range that is answered: the whole file", (header) => {
    expect(byteRange(header, 10)).toBe("whole");
  });
});

test("a file without bytes has no range", () => {
  expect(byteRange("bytes=0-", 0)).toBe("unsatisfiable");
  expect(byteRange("bytes=0-0", 0)).toBe("unsatisfiable");
  expect(byteRange("bytes=-5", 0)).toBe("whole");
  expect(byteRange(undefined, 0)).toBe("whole");
});

test("a range lies in the file, and is what slicing gives", () => {
  const position = fc.oneof(fc.nat(30), fc.maxSafeNat());
  fc.assert(
    fc.property(position, fc.option(position), fc.integer({ min: 1, max: 20 }), (first, last, length) => {
      const bytes = Buffer.from(Array.from({ length }, (_, at) => at));
      const range = byteRange(`bytes=${first}-${last ?? ""}`, length);
      const meant = last === null ? bytes.subarray(first) : bytes.subarray(first, last + 1);
      if (last !== null && last < first) expect(range).toBe("whole");
      else if (meant.length === 0) expect(range).toBe("unsatisfiable");
      else expect(range).toEqual({ start: meant[0], end: meant.at(-1) });
    }),
  );
});
