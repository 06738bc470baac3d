// Waits of the signing page in words. Public reports of other products: who is told "1440 minutes", or nothing, asks for codes again and again.
import { expect, test } from "vitest";
import { waitText } from "../../src/web/sign/wait-text.ts";

test.each([
  [1, "1 s"],
  [89, "89 s"],
  [90, "2 min"],
  [3_599, "60 min"],
  [5_399, "90 min"],
  [5_400, "2 h"],
  [86_400, "24 h"],
])("%i seconds are %s", (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
