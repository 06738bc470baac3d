/** The thread of receipt-renderer.ts: takes the content of receipts and reports, returns PDFs. */
import { parentPort } from "node:worker_threads";
import { renderReceipt } from "./receipt.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import { renderReport } from "./report.ts";
import type { ReportContent } from "./report-content.ts";

export interface Order {
  readonly number: number;
  readonly content: ReceiptContent | ReportContent;
}

export type Delivery =
  | { readonly number: number; readonly pdf: Uint8Array }
  | { readonly number: number; readonly error: unknown };

parentPort?.on("message", async ({ number, content }: Order) => {
  const rendered = "kind" in content ? renderReport(content) : renderReceipt(content);
  const delivery: Delivery = await rendered.then(
    (pdf) => ({ number, pdf }),
    (error: unknown) => ({ number, error }),
  );
  parentPort?.postMessage(delivery);
});
