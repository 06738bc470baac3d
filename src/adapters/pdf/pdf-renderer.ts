import type { FieldText } from "./field-text.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import { RenderThread } from "./render-thread.ts";
import type { ReportContent } from "./report-content.ts";

/** Renders receipts or evidence reports in their own thread. A receipt takes some 20 ms. */
export class PdfRenderer extends RenderThread<ReceiptContent | ReportContent | readonly FieldText[]> {
  constructor() {
    // The thread's file stands beside this file, in source and in the build.
    super(new URL(import.meta.url.replace(/pdf-renderer(\.\w+)$/, "pdf-thread$1")));
  }

  /**
   * How many characters of each text can be read in its field; null where all can.
   * @throws RendererBusyError if too many orders wait
   */
  async readableCharacters(texts: readonly FieldText[]): Promise<readonly (number | null)[]> {
    return JSON.parse((await this.render(texts)).toString("utf8"));
  }
}
