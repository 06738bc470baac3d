import { ops, PDF, type PDFPage, PdfArray, PdfDict, PdfStream } from "@libpdf/core";
import type { Stamp } from "../stamp.ts";
import { openStates } from "./open-states.ts";
import { overlayOf } from "./overlay.ts";
import { inherited, placeOf } from "./page-place.ts";

/** Draws stamps on the pages of a PDF, as the pages are displayed. */
export async function drawStamps(pdf: PDF, stamps: readonly Stamp[]): Promise<void> {
  const ofPages = Map.groupBy(stamps, ({ page }) => page);
  const drawn = [...ofPages].map(([number, ofPage]) => {
    const page = pdf.getPage(number - 1);
    if (page === null) throw new Error("a stamp's page does not exist");
    return { page, place: placeOf(pdf, page), stamps: ofPage };
  });
  const overlay = await PDF.load(await overlayOf(drawn.map(({ place, stamps }) => ({ size: place, stamps }))));
  for (const [index, { page, place }] of drawn.entries()) {
    ownResources(pdf, page);
    const open = openStates(contentOf(pdf, page));
    if (open > 0) page.drawOperators(Array.from({ length: open }, () => ops.popGraphicsState()));
    const { x, y, turned } = place;
    page.drawPage(await pdf.embedPage(overlay, index), { x, y, rotate: { angle: turned, origin: { x, y } } });
  }
}

/**
 * Gives a page a dictionary of resources of its own, with what it had. The library would give a page that inherits its resources an empty one,
 * and write into one that other pages share.
 */
function ownResources(pdf: PDF, page: PDFPage): void {
  const resolve = pdf.context.resolve.bind(pdf.context);
  const before = inherited(pdf, page, "Resources");
  const own = new PdfDict(before instanceof PdfDict ? before : []);
  const objects = own.get("XObject", resolve);
  if (objects instanceof PdfDict) own.set("XObject", new PdfDict(objects));
  page.dict.set("Resources", own);
}

function contentOf(pdf: PDF, page: PDFPage): Buffer {
  const resolve = pdf.context.resolve.bind(pdf.context);
  const contents = page.dict.get("Contents", resolve);
  const streams = contents instanceof PdfArray ? [...contents] : [contents];
  const decoded = streams.map((each) => {
    const stream = each?.type === "ref" ? resolve(each) : each;
    return stream instanceof PdfStream ? [stream.getDecodedData(), Buffer.from("\n")] : [];
  });
  return Buffer.concat(decoded.flat());
}
