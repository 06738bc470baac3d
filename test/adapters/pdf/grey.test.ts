// A receipt printed in grey loses nothing: programs read code, sentence and QR code from a picture of the page.
import { test } from "vitest";
import { expectReadable } from "./grey.ts";

test("of a test, which says so above and below", { timeout: 120_000 }, () => expectReadable("7Q2M-K9XT-4HBC", true));
