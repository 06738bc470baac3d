import { WorkThread } from "../threads/work-thread.ts";
import type { DanfseContent } from "./danfse-content.ts";
import type { FieldText } from "./field-text.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import type { ReportContent } from "./report-content.ts";

/**
 * Renders receipts, evidence reports and DANFSe in their own thread. A receipt takes some 20 ms; the first with rare characters takes up to a
 * second, because its fonts are read.
 */
export class PdfRenderer extends WorkThread<ReceiptContent | ReportContent | DanfseContent | readonly FieldText[]> {
  constructor() {
    // The thread's file stands beside this file, in source and in the build.
    super(new URL(import.meta.url.replace(/pdf-renderer(\.\w+)$/, "pdf-thread$1")));
  }

  /** @throws WorkThreadBusyError if too many orders wait */
  render(content: ReceiptContent | ReportContent | DanfseContent): Promise<Buffer> {
    return this.run(content);
  }

  /**
   * How many characters of each text can be read in its field; null where all can.
   * @throws WorkThreadBusyError if too many orders wait
   */
  async readableCharacters(texts: readonly FieldText[]): Promise<readonly (number | null)[]> {
    return JSON.parse((await this.run(texts)).toString("utf8"));
  }
}
