import { renderReceipt } from "../../../src/adapters/pdf/receipt.ts";
import { receiptContent } from "../../adapters/pdf/contents.ts";
import type { Paper } from "../../support/service-facts.ts";

const receipt = (isTest: boolean): Paper => ({
  print: (language) => renderReceipt(receiptContent({ language, isTest })),
  mockup: "receipt",
});

export const papers: Readonly<Record<string, Paper>> = { receipt: receipt(false), "receipt-of-a-test": receipt(true) };
