// Internationalized names become A-labels, which costs time: RFC 5890.
import { expect, test } from "vitest";
import { asciiName } from "../../../src/services/dns/zones/ascii-name.ts";

/** Different ideographs, of which A-labels cost most. */
const ideographs = (count: number, first = 0): string =>
  Array.from({ length: count }, (_, place) => String.fromCodePoint(0x4e00 + ((first + place * 7_919) % 20_000))).join(
    "",
  );

test("names that no A-labels fit are left as they are, without the time that a thousand characters take", () => {
  const names = Array.from({ length: 200 }, (_, place) => ideographs(999, place));
  const before = process.threadCpuUsage();
  for (const name of names) expect(asciiName(name) === name).toBe(true);
  const { user } = process.threadCpuUsage(before);
  // Half a second and more, if each were encoded.
  expect(user).toBeLessThan(150_000);
});

test.each([
  ["of 63 characters", "é".repeat(63), false],
  ["of the longest A-label", "é".repeat(55), true],
  ["of decomposed characters", "e\u0301".repeat(55), true],
  ["of characters beyond 16 bits", "😀".repeat(50), true],
])("a label %s has its A-label", (_, label, fits) => {
  const [first = ""] = asciiName(`${label}。test`).split(".");
  expect(first).toMatch(/^xn--/);
  expect(first.length <= 63).toBe(fits);
});

test("a label of 64 characters has none", () => {
  expect(asciiName(`${"é".repeat(64)}.test`)).toBe(`${"é".repeat(64)}.test`);
});
