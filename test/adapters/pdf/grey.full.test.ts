// A receipt printed in grey loses nothing: programs read code, sentence and QR code from a picture of the page.
import { test } from "vitest";
import { expectReadable } from "./grey.ts";

test("of a live proof, which has no word of a test", { timeout: 120_000 }, () =>
  expectReadable("GNS2-HPXT-CF41", false),
);
