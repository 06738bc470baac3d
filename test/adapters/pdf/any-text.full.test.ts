// No text of an organization keeps a receipt from being made.
import { test } from "vitest";
import { makeReceipts } from "./any-text.ts";

test("letters, accents and signs of any script, mixed", { timeout: 120_000 }, () => makeReceipts(120));
