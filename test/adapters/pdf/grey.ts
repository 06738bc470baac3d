// A receipt printed in grey.
import { expect } from "vitest";
import { renderReceipt } from "../../../src/adapters/pdf/receipt.ts";
import { readGrey } from "../../support/receipt-reader.ts";
import { receiptContent } from "./contents.ts";

/** Fails unless programs read code, sentence and QR code from a picture of the page. */
export async function expectReadable(verificationCode: string, isTest: boolean): Promise<void> {
  const verifyUrl = `https://selo.example/verify/${verificationCode}`;
  const content = receiptContent({ language: "en", verificationCode, verifyUrl, isTest });
  const grey = readGrey(await renderReceipt(content));
  expect(grey.qrCode).toBe(verifyUrl);
  const text = grey.text.replaceAll(/\s+/g, " ");
  // Large, and in the address or at the foot of the page.
  expect(text.split(verificationCode).length).toBeGreaterThanOrEqual(3);
  expect(text).toContain("was registered by Acme Ltda on 21 November 2026 at 19:23");
  expect(text).toContain("2026-11-21 22:23:34.346924 UTC");
  // The grey page alone tells a test receipt, by the words at its top and bottom.
  expect(text.split("Made in the test environment: it proves nothing.")).toHaveLength(isTest ? 3 : 1);
}
