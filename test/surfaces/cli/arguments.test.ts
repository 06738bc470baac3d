// What options take: times and numbers.
import { InvalidArgumentError } from "commander";
import { expect, test } from "vitest";
import { instant, wholeNumber } from "../../../src/surfaces/cli/arguments.ts";

test.each([
  ["2030-01-31", "2030-01-31T00:00:00.000Z"],
  ["2030-01-31T12:00Z", "2030-01-31T12:00:00.000Z"],
  ["2030-01-31T12:00:30Z", "2030-01-31T12:00:30.000Z"],
  ["2030-01-31T12:00:30.5-03:00", "2030-01-31T15:00:30.500Z"],
  ["2028-02-29T23:59:59+14:00", "2028-02-29T09:59:59.000Z"],
])("%s is the instant %s", (text, time) => {
  expect(instant(text).toISOString()).toBe(time);
});

test.each([
  "",
  "1",
  "soon",
  "2030",
  "2030-01",
  "2030-1-1",
  "01/02/2030",
  "31 January 2030",
  "2030-01-31T12:00", // whose noon?
  "2030-01-31 12:00Z",
  "2030-01-31T25:00Z",
  "2030-02-30",
  "2030-13-01",
  "2030-02-30T12:00:00Z",
  " 2030-01-31",
])("%j is no instant", (text) => {
  expect(() => instant(text)).toThrow(InvalidArgumentError);
});

test.each(["-1", "1.5", "", "1e3", "seven"])("%j is no whole number", (text) => {
  expect(() => wholeNumber(text)).toThrow("must be a whole number, 0 or more");
});
