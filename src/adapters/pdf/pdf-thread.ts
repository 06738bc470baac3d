/** The thread of pdf-renderer.ts: takes the content of receipts and reports, returns PDFs. */
import { renderReceipt } from "./receipt.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import { renderOrders } from "./rendering.ts";
import { renderReport } from "./report.ts";
import type { ReportContent } from "./report-content.ts";

renderOrders((content: ReceiptContent | ReportContent) =>
  "kind" in content ? renderReport(content) : renderReceipt(content),
);
