import PDFDocument from "pdfkit";
import { fontsFor } from "./fonts.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import { drawReceipt } from "./receipt-page.ts";
import { receiptTexts } from "./receipt-texts.ts";
import { TextSetter } from "./text-setter.ts";

/** Renders a receipt: one page, PDF/A-3b, with evidence.json attached. The same content gives the same bytes. */
export async function renderReceipt(content: ReceiptContent): Promise<Buffer> {
  const texts = receiptTexts[content.language];
  const { name, details } = content.operator;
  const fonts = await fontsFor(
    [content.organization, content.label, content.fileName, content.payload, name, details].map((text) => text ?? ""),
  );
  const date = new Date(content.registeredAt);
  const document = new PDFDocument({
    size: "A4",
    margin: 0,
    lang: content.language,
    displayTitle: true,
    pdfVersion: "1.7",
    subset: "PDF/A-3b",
    tagged: true,
    // No font yet: Helvetica, the default, could not be embedded.
    font: null as unknown as string,
    // Nothing here may need escaping: pdfkit copies it into XML as it is.
    info: {
      Title: `${texts.title} ${content.verificationCode}${content.isTest ? ` (${texts.test})` : ""}`,
      Author: "Selo",
      Creator: "Selo",
      Producer: "Selo",
      CreationDate: date,
      ModDate: date,
    },
  });
  const bytes = collect(document);
  document.file(Buffer.from(content.evidence), {
    name: "evidence.json",
    type: "application/json",
    description: texts.attachment,
    creationDate: date,
    modifiedDate: date,
    // PDF/A-3 asks what an attachment is to the page: the page shows what is in it. (pdfkit's types do not know it.)
    relationship: "Data",
  } as PDFKit.Mixins.PDFAttachmentOptions);
  drawReceipt(document, new TextSetter(document, fonts), content);
  document.end();
  return bytes;
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
}
