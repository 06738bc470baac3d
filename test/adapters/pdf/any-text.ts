// Receipts with any text of an organization.
import fc from "fast-check";
import { renderReceipt } from "../../../src/adapters/pdf/receipt.ts";
import { receiptContent } from "./contents.ts";

/** Blocks of Unicode whose letters, accents and signs fonts lay out by their own rules. */
const BLOCKS = [
  [0x20, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x5ff],
  [0x600, 0x7ff],
  [0x900, 0xdff],
  [0xe00, 0x11ff],
  [0x1e00, 0x2bff],
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0xfe00, 0xfe0f],
  [0x1d400, 0x1d7ff],
  [0x1f300, 0x1faff],
  [0x20000, 0x2ffff],
] as const;
const character = fc.oneof(
  ...BLOCKS.map(([min, max]) => fc.integer({ min, max }).map((codePoint) => String.fromCodePoint(codePoint))),
);
const text = fc.array(character, { minLength: 1, maxLength: 30 }).map((characters) => characters.join(""));

export const isPdf = async (organization: string, label: string, fileName: string): Promise<boolean> =>
  (await renderReceipt(receiptContent({ organization, label, fileName }))).subarray(0, 5).toString() === "%PDF-";

/** Fails unless so many random receipts are made. */
export const makeReceipts = (numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(text, text, text, async (...texts) => isPdf(...texts)),
    { numRuns },
  );
