/** The thread of receipt-renderer.ts: takes the content of receipts, returns PDFs. */
import { parentPort } from "node:worker_threads";
import { renderReceipt } from "./receipt.ts";
import type { ReceiptContent } from "./receipt-content.ts";

export interface Order {
  readonly number: number;
  readonly content: ReceiptContent;
}

export type Delivery =
  | { readonly number: number; readonly pdf: Uint8Array }
  | { readonly number: number; readonly error: unknown };

parentPort?.on("message", async ({ number, content }: Order) => {
  const delivery: Delivery = await renderReceipt(content).then(
    (pdf) => ({ number, pdf }),
    (error: unknown) => ({ number, error }),
  );
  parentPort?.postMessage(delivery);
});
