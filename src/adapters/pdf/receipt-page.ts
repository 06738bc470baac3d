/** The page of a receipt: parts stand below each other, with equal gaps that take up the height that is left. */
import { PAGE, space, sumOf } from "./page-measures.ts";
import type { ReceiptContent } from "./receipt-content.ts";
import {
  claim,
  type Density,
  explanations,
  facts,
  footer,
  header,
  type Part,
  signedContent,
  stub,
  type Tools,
  testBands,
} from "./receipt-parts.ts";
import { receiptTexts } from "./receipt-texts.ts";
import { Structure } from "./structure.ts";
import type { TextSetter } from "./text-setter.ts";

const GAP = { least: space("s-8"), most: space("s-32") } as const;
/** How much room parts take: the first with which the signed content can be read is used, and the last if none is. */
const DENSITIES: readonly Density[] = [
  { value: "type-14", valueLines: 4, rowPadding: space("s-8"), stubPadding: space("s-24") },
  { value: "type-14", valueLines: 4, rowPadding: space("s-4"), stubPadding: space("s-12") },
  { value: "type-12", valueLines: 4, rowPadding: space("s-4"), stubPadding: space("s-12") },
  { value: "type-12", valueLines: 3, rowPadding: space("s-4"), stubPadding: space("s-12") },
  { value: "type-12", valueLines: 2, rowPadding: space("s-4"), stubPadding: space("s-8") },
];
/** Smallest size at which the signed content can be read, in points. */
const READABLE = 5;

export function drawReceipt(document: PDFKit.PDFDocument, setter: TextSetter, content: ReceiptContent): void {
  const structure = new Structure(document);
  const tools: Tools = { document, setter, structure, content, texts: receiptTexts[content.language] };
  const band = content.isTest ? testBands(tools) : 0;
  const top = Math.max(PAGE.top, band + space("s-24"));
  const below = footer(tools, Math.max(PAGE.bottom, band + space("s-16")));
  const bottom = PAGE.height - below.height;

  const height = bottom - top;
  const { parts, gap } = arrange(tools, height);
  let y = top;
  for (const part of parts) {
    part.draw(y);
    y += part.height + gap;
  }
  const last = signedContent(tools, bottom - gap - y);
  last.draw(bottom - gap - last.height);
  below.draw(bottom);
  structure.end();
}

/** The parts above the signed content, and the gap that stands after each part. */
function arrange(tools: Tools, height: number): { readonly parts: readonly Part[]; readonly gap: number } {
  const fixed = [header(tools), claim(tools)];
  const [natural, readable] = [signedContent(tools), signedContent(tools, 0, READABLE)];
  let arranged = { parts: [] as readonly Part[], gap: 0 };
  for (const density of DENSITIES) {
    const parts = [...fixed, stub(tools, density), facts(tools, density), explanations(tools)];
    const left = height - sumOf(parts);
    const gap = Math.max((left - natural.height) / (parts.length + 1), GAP.least);
    arranged = { parts, gap: Math.min(gap, GAP.most) };
    if (left - gap * (parts.length + 1) >= readable.height) break;
  }
  return arranged;
}
