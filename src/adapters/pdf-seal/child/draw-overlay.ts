import {
  ops,
  PDF,
  PDFEmbeddedPage,
  type PDFPage,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  PdfStream,
} from "@libpdf/core";
import type { Overlay } from "../plan.ts";
import { inherited, type PagePlace, placeOf } from "./page-place.ts";
import { unevenStates } from "./uneven-states.ts";

/** Draws an overlay on the pages of a PDF, as the pages are displayed. */
export async function drawOverlay(pdf: PDF, { pages, pdf: bytes }: Overlay): Promise<void> {
  const drawings = await embedded(pdf, await PDF.load(Buffer.from(bytes, "base64")));
  for (const [index, drawing] of drawings.entries()) {
    const page = pdf.getPage((pages[index] ?? 0) - 1);
    if (page === null) throw new Error("a stamp's page does not exist");
    const { x, y, width, height, turned } = readyToDraw(pdf, page);
    // A page may have a unit of its own.
    page.drawPage(drawing, { x, y, width, height, rotate: { angle: turned, origin: { x, y } } });
  }
}

/** Makes what is drawn on a page stand upright above its content, whatever state the content leaves. */
function readyToDraw(pdf: PDF, page: PDFPage): PagePlace {
  ownResources(pdf, page);
  const { open, closed } = unevenStates(contentOf(pdf, page));
  if (closed > 0) openBefore(pdf, page, closed);
  if (open > 0) page.drawOperators(Array.from({ length: open }, () => ops.popGraphicsState()));
  return placeOf(pdf, page);
}

/**
 * Reads of a page what drawing on it reads.
 * @throws what drawing on it would
 */
export function readForDrawing(pdf: PDF, page: PDFPage): void {
  ownResources(pdf, page);
  placeOf(pdf, page);
  // The check has inflated all of these.
  for (const stream of contentsOf(pdf, page)) if (!isPlainOrFlate(stream)) stream.getDecodedData();
}

function isPlainOrFlate(stream: PdfStream): boolean {
  const filter = stream.get("Filter");
  const parameters = stream.get("DecodeParms") ?? stream.get("DP");
  return (
    filter === undefined || (filter instanceof PdfName && filter.value === "FlateDecode" && parameters === undefined)
  );
}

/** The pages of an overlay, to be drawn. The library copies all that a page names, each time: so one page names the fonts of all, and is copied. */
async function embedded(pdf: PDF, overlay: PDF): Promise<PDFEmbeddedPage[]> {
  const resolve = overlay.context.resolve.bind(overlay.context);
  const [first, ...others] = overlay.getPages();
  if (first === undefined) return [];
  const fonts = new PdfDict();
  for (const page of [first, ...others])
    for (const [name, font] of page.getResources().getDict("Font", resolve) ?? []) fonts.set(name, font);
  first.dict.set("Resources", PdfDict.of({ Font: fonts }));
  const copied = await pdf.embedPage(overlay, 0);
  const form = pdf.context.resolve(copied.ref);
  if (!(form instanceof PdfStream)) throw new Error("the overlay was not copied");
  return [
    copied,
    ...others.map((page) => {
      const { width, height } = page;
      const next = PdfStream.fromDict(
        {
          Type: PdfName.of("XObject"),
          Subtype: PdfName.of("Form"),
          FormType: PdfNumber.of(1),
          BBox: new PdfArray([0, 0, width, height].map((number) => PdfNumber.of(number))),
          Resources: form.get("Resources") ?? new PdfDict(),
        },
        contentOf(overlay, page),
      );
      return new PDFEmbeddedPage(pdf.register(next), { x: 0, y: 0, width, height }, width, height);
    }),
  ];
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

/** Opens graphics states before the content of a page, which closes more than it opens. */
function openBefore(pdf: PDF, page: PDFPage, states: number): void {
  const contents = page.dict.get("Contents", pdf.context.resolve.bind(pdf.context));
  const before = pdf.register(PdfStream.fromDict({}, Buffer.from("q\n".repeat(states))));
  const own = contents instanceof PdfArray ? [...contents] : [page.dict.get("Contents")];
  page.dict.set("Contents", new PdfArray([before, ...own.filter((each) => each !== undefined)]));
}

function contentOf(pdf: PDF, page: PDFPage): Buffer {
  return Buffer.concat(contentsOf(pdf, page).flatMap((stream) => [stream.getDecodedData(), Buffer.from("\n")]));
}

function contentsOf(pdf: PDF, page: PDFPage): PdfStream[] {
  const resolve = pdf.context.resolve.bind(pdf.context);
  const contents = page.dict.get("Contents", resolve);
  const streams = contents instanceof PdfArray ? [...contents] : [contents];
  return streams.flatMap((each) => {
    const stream = each?.type === "ref" ? resolve(each) : each;
    return stream instanceof PdfStream ? [stream] : [];
  });
}
