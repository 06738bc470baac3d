import {
  PDF,
  type PDFPage,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
} from "@libpdf/core";
import type { Document } from "../../pdf-check/child/document.ts";
import { Ref, Unreadable } from "../../pdf-check/child/values.ts";
import type { Box, Overlay } from "../plan.ts";
import { type Marks, marksOf, NO_MARKS } from "./open-marks.ts";
import { type PagePlace, placeOf, type Rectangle, rectangle } from "./page-place.ts";
import { addStampField, buttonMembers } from "./stamp-field.ts";

/** Printed, and neither moved nor changed by readers: Print, ReadOnly, Locked, LockedContents (ISO 32000-2, 12.5.3). */
const FLAGS = 4 | 64 | 128 | 512;

/**
 * Draws an overlay on the pages of a PDF, as the pages are displayed: each of its boxes as a stamp annotation, the last one of its page. Readers
 * draw annotations above the content, so no clip or state that the content leaves open hides a stamp. Poppler and ghostscript draw them in their
 * order, so no form field does either. Pdfium and the viewer of pdf.js show form fields above all others: so where a stamp lies on one, a button
 * shows it once more, as the last field.
 */
export async function drawOverlay(pdf: PDF, document: Document, { pages, boxes, pdf: bytes }: Overlay): Promise<void> {
  const drawings = await embedded(pdf, await PDF.load(Buffer.from(bytes, "base64")));
  const buttons: (readonly [PdfRef, PdfDict])[] = [];
  for (const [index, drawing] of drawings.entries()) {
    const page = pdf.getPage((pages[index] ?? 0) - 1);
    if (page === null) throw new Error("a stamp's page does not exist");
    closeMarks(pdf, document, page);
    const place = placeOf(pdf, page);
    const before = annotationsOf(pdf, page);
    const fields = before.flatMap((each) => rectangleOfField(pdf, each) ?? []);
    const shown: PdfRef[] = [];
    for (const box of boxes[index] ?? []) {
      const lies = rectangleOf(drawing, { place, box });
      const add = (members: Readonly<Record<string, PdfObject>>) => {
        const made = PdfDict.of({
          Type: PdfName.of("Annot"),
          Rect: numbers([lies.left, lies.bottom, lies.right, lies.top]),
          F: PdfNumber.of(FLAGS),
          P: page.ref,
          ...members,
        });
        const ref = pdf.register(made);
        shown.push(ref);
        return [ref, made] as const;
      };
      const appearance = pdf.register(pictureOf(drawing, box, place.turned));
      add({ Subtype: PdfName.of("Stamp"), AP: PdfDict.of({ N: appearance }) });
      if (!fields.some((field) => meet(field, lies))) continue;
      const icon = pdf.register(pictureOf(drawing, box, 0));
      buttons.push(add(buttonMembers({ appearance, icon, turned: place.turned })));
    }
    // A new list: pages may share the one before.
    page.dict.set("Annots", new PdfArray([...before, ...shown]));
  }
  if (buttons.length > 0) addStampField(pdf, buttons);
}

/**
 * Reads of a page what drawing on it reads.
 * @throws what drawing on it would
 */
export function readForDrawing(pdf: PDF, document: Document, page: PDFPage): void {
  openMarksOf(pdf, document, page);
  for (const annotation of annotationsOf(pdf, page)) rectangleOfField(pdf, annotation);
  placeOf(pdf, page);
}

/** Ends the marked contents that the page's content leaves open. Poppler keeps a hidden layer that was left open hidden for annotations, too. */
function closeMarks(pdf: PDF, document: Document, page: PDFPage): void {
  const open = openMarksOf(pdf, document, page);
  if (open === 0) return;
  const contents = page.dict.get("Contents", pdf.context.resolve.bind(pdf.context));
  const before =
    contents instanceof PdfArray ? [...contents] : [page.dict.get("Contents")].filter((each) => each != null);
  const ending = pdf.register(PdfStream.fromDict({}, Buffer.from("EMC\n".repeat(open))));
  page.dict.set("Contents", new PdfArray([...before, ending]));
}

/** By content or stream: pages may share them. */
const known = new WeakMap<PdfObject, Marks>();

function openMarksOf(pdf: PDF, document: Document, page: PDFPage): number {
  const resolve = pdf.context.resolve.bind(pdf.context);
  const given = page.dict.get("Contents");
  const contents = page.dict.get("Contents", resolve);
  if (given == null || contents == null) return 0;
  return kept(contents, () => {
    let { closed, open } = NO_MARKS;
    for (const each of contents instanceof PdfArray ? contents : [given]) {
      const stream = each instanceof PdfRef ? resolve(each) : null;
      if (!(each instanceof PdfRef && stream instanceof PdfStream)) continue;
      const marks = kept(stream, () => marksOfStream(document, each, stream));
      closed += Math.max(0, marks.closed - open);
      open = Math.max(0, open - marks.closed) + marks.open;
    }
    return { closed, open };
  }).open;
}

function kept(of: PdfObject, make: () => Marks): Marks {
  const marks = known.get(of) ?? make();
  known.set(of, marks);
  return marks;
}

/** The strict reader inflates four times as fast as the library, which reads damaged data as far as they go. */
function marksOfStream(document: Document, { objectNumber, generation }: PdfRef, stream: PdfStream): Marks {
  try {
    const content = document.contentOf(new Ref(objectNumber, generation));
    if (content !== null) return marksOf(content);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
  }
  try {
    const { buffer, byteOffset, byteLength } = stream.getDecodedData();
    return marksOf(Buffer.from(buffer, byteOffset, byteLength));
  } catch {
    // A filter that is none of a content's: readers pass such a stream over.
    return NO_MARKS;
  }
}

/** A page of the overlay, as a form XObject of the PDF. */
interface Drawing {
  readonly form: PdfRef;
  readonly width: number;
  readonly height: number;
}

/** A part of a drawing, its corner in the point 0, 0, turned against the clock. */
function pictureOf({ form, height }: Drawing, box: Box, turned: PagePlace["turned"]): PdfStream {
  const [a, b] = TURNS[turned];
  return PdfStream.fromDict(
    {
      Type: PdfName.of("XObject"),
      Subtype: PdfName.of("Form"),
      FormType: PdfNumber.of(1),
      BBox: numbers([0, 0, box.width, box.height]),
      // Readers move and scale what it turns into the rectangle of the annotation.
      Matrix: numbers([a, b, -b, a, 0, 0]),
      Resources: PdfDict.of({ XObject: PdfDict.of({ Page: form }) }),
    },
    Buffer.from(`1 0 0 1 ${(-box.x).toFixed(4)} ${(box.y + box.height - height).toFixed(4)} cm /Page Do`),
  );
}

/** Where a box lies on a page. The page may count in another unit than points. */
function rectangleOf(
  { width, height }: Drawing,
  { place, box }: { readonly place: PagePlace; readonly box: Box },
): Rectangle {
  const [a, b] = TURNS[place.turned];
  const onPage = (x: number, y: number) => {
    const [across, up] = [(x * place.width) / width, ((height - y) * place.height) / height];
    return [place.x + across * a - up * b, place.y + across * b + up * a] as const;
  };
  const [x1, y1] = onPage(box.x, box.y + box.height);
  const [x2, y2] = onPage(box.x + box.width, box.y);
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

/** Where an annotation of a page lies, if it is of a form field. */
function rectangleOfField(pdf: PDF, annotation: PdfObject): Rectangle | undefined {
  const resolve = pdf.context.resolve.bind(pdf.context);
  const members = annotation.type === "ref" ? resolve(annotation) : annotation;
  if (!(members instanceof PdfDict) || members.getName("Subtype", resolve)?.value !== "Widget") return undefined;
  return rectangle(pdf, members.get("Rect", resolve));
}

const meet = (one: Rectangle, other: Rectangle) =>
  one.left < other.right && other.left < one.right && one.bottom < other.top && other.bottom < one.top;

/** Cosine and sine. */
const TURNS = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] } as const;

const numbers = (values: readonly number[]) => new PdfArray(values.map((value) => PdfNumber.of(value)));

/** Annotations of a page. A page of a form has some hundreds. */
const MOST_ANNOTATIONS = 5_000;

function annotationsOf(pdf: PDF, page: PDFPage): PdfObject[] {
  const annotations = page.dict.get("Annots", pdf.context.resolve.bind(pdf.context));
  if (!(annotations instanceof PdfArray)) return [];
  if (annotations.length > MOST_ANNOTATIONS) throw new Error("a page has too many annotations");
  return [...annotations];
}

/** The pages of an overlay. The library copies all that a page names, each time: so one page names the fonts of all, and is copied. */
async function embedded(pdf: PDF, overlay: PDF): Promise<Drawing[]> {
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
    { form: copied.ref, width: first.width, height: first.height },
    ...others.map((page) => {
      const { width, height } = page;
      const next = PdfStream.fromDict(
        {
          Type: PdfName.of("XObject"),
          Subtype: PdfName.of("Form"),
          FormType: PdfNumber.of(1),
          BBox: numbers([0, 0, width, height]),
          Resources: form.get("Resources") ?? new PdfDict(),
        },
        contentOf(overlay, page),
      );
      return { form: pdf.register(next), width, height };
    }),
  ];
}

/** The content of a page that we made: one stream. */
function contentOf(overlay: PDF, page: PDFPage): Uint8Array {
  const content = page.dict.get("Contents", overlay.context.resolve.bind(overlay.context));
  if (!(content instanceof PdfStream)) throw new Error("a page of the overlay has no content");
  return content.getDecodedData();
}
