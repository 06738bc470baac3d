import { archivalDocument } from "./archival-document.ts";
import { fontsFor } from "./fonts.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import { drawReceipt } from "./receipt-page.ts";
import { receiptTexts } from "./receipt-texts.ts";
import { TextSetter } from "./text-setter.ts";

/** Renders a receipt: one page, PDF/A-3b, with evidence.json attached. The same content gives the same bytes. */
export async function renderReceipt(content: ReceiptContent): Promise<Buffer> {
  const { language, verificationCode, isTest, registeredAt, evidence } = content;
  const texts = receiptTexts[language];
  const { name, details } = content.operator;
  const fonts = await fontsFor(
    [content.organization, content.label, content.fileName, content.payload, name, details].map((text) => text ?? ""),
  );
  const about = {
    language,
    title: `${texts.title} ${verificationCode}${isTest ? ` (${texts.test})` : ""}`,
    date: new Date(registeredAt),
    evidence,
    attachment: texts.attachment,
  };
  return archivalDocument(about, (document) => drawReceipt(document, new TextSetter(document, fonts), content));
}
