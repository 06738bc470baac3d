import { type PDF, type PDFPage, PdfArray, PdfDict, PdfNumber, type PdfObject } from "@libpdf/core";

/** Where a page as displayed lies in the page's own coordinates. */
export interface PagePlace {
  /** As displayed, in the page's own units. */
  readonly width: number;
  readonly height: number;
  /** Where the left bottom corner of what is displayed lies, and by how much it is turned there, in degrees against the clock. */
  readonly x: number;
  readonly y: number;
  readonly turned: 0 | 90 | 180 | 270;
}

/** What stands above each page and node of a document. */
const trees = new WeakMap<PDF, ReadonlyMap<PdfDict, PdfDict>>();

/** From the root down, as the check reads the tree: a page need not name what is above it, and may name something else. */
function treeOf(pdf: PDF): ReadonlyMap<PdfDict, PdfDict> {
  const known = trees.get(pdf);
  if (known !== undefined) return known;
  const resolve = pdf.context.resolve.bind(pdf.context);
  const above = new Map<PdfDict, PdfDict>();
  const root = pdf.context.catalog.getDict().get("Pages", resolve);
  const nodes = root instanceof PdfDict ? [root] : [];
  for (const node of nodes) {
    const kids = node.get("Kids", resolve);
    for (const kid of kids instanceof PdfArray ? kids : []) {
      const below = kid.type === "ref" ? resolve(kid) : kid;
      if (!(below instanceof PdfDict) || above.has(below) || below === root) continue;
      above.set(below, node);
      if (below.has("Kids")) nodes.push(below);
    }
  }
  trees.set(pdf, above);
  return above;
}

/** The value of a page, or of the nearest node above it that has one (ISO 32000-2, 7.7.3.4). */
function inherited(pdf: PDF, page: PDFPage, key: string): PdfObject | undefined {
  const resolve = pdf.context.resolve.bind(pdf.context);
  const above = treeOf(pdf);
  for (let node: PdfDict | undefined = page.dict; node !== undefined; node = above.get(node)) {
    const value: PdfObject | null | undefined = node.get(key, resolve);
    if (value != null && value.type !== "null") return value;
  }
  return undefined;
}

/** As `pageSize` of the check, which told the sizes: the crop box inside the media box, turned by `/Rotate`. */
export function placeOf(pdf: PDF, page: PDFPage): PagePlace {
  const media = rectangle(pdf, inherited(pdf, page, "MediaBox"));
  if (media === undefined) throw new Error("a page has no media box");
  const crop = rectangle(pdf, inherited(pdf, page, "CropBox")) ?? media;
  const [left, bottom] = [Math.max(media.left, crop.left), Math.max(media.bottom, crop.bottom)];
  const [right, top] = [Math.min(media.right, crop.right), Math.min(media.top, crop.top)];
  const shown = left < right && bottom < top ? { left, bottom, right, top } : media;
  const [width, height] = [shown.right - shown.left, shown.top - shown.bottom];
  const rotate = inherited(pdf, page, "Rotate");
  const degrees = rotate instanceof PdfNumber ? ((rotate.value % 360) + 360) % 360 : 0;
  // A page turned with the clock: what is drawn upright on the display is turned against it.
  if (degrees === 90) return { width: height, height: width, x: shown.right, y: shown.bottom, turned: 90 };
  if (degrees === 180) return { width, height, x: shown.right, y: shown.top, turned: 180 };
  if (degrees === 270) return { width: height, height: width, x: shown.left, y: shown.top, turned: 270 };
  return { width, height, x: shown.left, y: shown.bottom, turned: 0 };
}

/** The size of a page as it is displayed, in points. */
export function sizeOf(pdf: PDF, page: PDFPage): { readonly width: number; readonly height: number } {
  const { width, height } = placeOf(pdf, page);
  const given = page.dict.get("UserUnit", pdf.context.resolve.bind(pdf.context));
  const unit = given instanceof PdfNumber ? given.value : 1;
  return { width: width * unit, height: height * unit };
}

/** In the page's own coordinates. */
export interface Rectangle {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

export function rectangle(pdf: PDF, value: PdfObject | null | undefined): Rectangle | undefined {
  if (!(value instanceof PdfArray) || value.length !== 4) return undefined;
  const numbers = [0, 1, 2, 3].map((place) => {
    const member = value.at(place, pdf.context.resolve.bind(pdf.context));
    return member instanceof PdfNumber ? member.value : Number.NaN;
  });
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers;
  if (numbers.some(Number.isNaN)) return undefined;
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}
