import type { ReceiptContent } from "./receipt-content.ts";
import { RenderThread } from "./render-thread.ts";
import type { ReportContent } from "./report-content.ts";

/** Renders receipts or evidence reports in a thread of their own. A receipt takes some 20 ms. */
export class PdfRenderer extends RenderThread<ReceiptContent | ReportContent> {
  constructor() {
    // The thread's file stands beside this file, in source and in the build.
    super(new URL(import.meta.url.replace(/pdf-renderer(\.\w+)$/, "pdf-thread$1")));
  }
}
