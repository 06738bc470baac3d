/** The thread of pdf-renderer.ts: takes the content of receipts, reports and DANFSe, returns PDFs. Of texts of fields it returns JSON: how much of each can be read. */

import { takeOrders } from "../threads/orders.ts";
import { renderDanfse } from "./danfse.ts";
import type { DanfseContent } from "./danfse-content.ts";
import { type FieldText, readableCharacters } from "./field-text.ts";
import { renderReceipt } from "./receipt.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import { renderReport } from "./report.ts";
import type { ReportContent } from "./report-content.ts";

takeOrders(async (content: ReceiptContent | ReportContent | DanfseContent | readonly FieldText[]) => {
  if (isTexts(content)) return Buffer.from(JSON.stringify(await readableCharacters(content)));
  if (!("kind" in content)) return renderReceipt(content);
  return content.kind === "report" ? renderReport(content) : renderDanfse(content);
});

function isTexts(content: object): content is readonly FieldText[] {
  return Array.isArray(content);
}
