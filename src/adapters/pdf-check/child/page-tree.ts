import type { Document } from "./document.ts";
import { BOUNDS, Bomb, type Dict, isInteger, nameText, Ref, Unreadable, type Value } from "./values.ts";

/** The size of a page as readers display it, in points of 1/72 inch. */
export interface PageSize {
  width: number;
  height: number;
}

/** The members of a page that it inherits from the nodes above it (ISO 32000-2, 7.7.3.4). */
type Inherited = Partial<Record<"MediaBox" | "CropBox" | "Rotate", Value>>;

/** Thrown as soon as a document has more pages than allowed. */
export class TooManyPages extends Error {
  override readonly name = "TooManyPages";
}

interface Node {
  parent: Node | undefined;
  /** What `/Count` says, and how many pages were found below. */
  stated: number;
  found: number;
  kids: Value[];
  next: number;
  inherited: Inherited;
}

/**
 * The sizes of all pages, in their order.
 * The walk does not trust `/Count`: pages are counted, and a wrong `/Count` is refused, because readers differ there.
 * @throws TooManyPages where there are more than `most`
 * @throws Unreadable, Bomb
 */
export function pageSizes(document: Document, most: number): PageSize[] {
  const pages: PageSize[] = [];
  const seen = new Set<number>();
  let nodes = 0;

  const dictOf = (kid: Value | undefined): Dict => {
    if (!(kid instanceof Ref)) throw new Unreadable("a page is no indirect object");
    // A tree has each node once. Otherwise its pages may be without end, or grow exponentially with its depth.
    if (seen.has(kid.number)) throw new Bomb("the page tree is no tree");
    seen.add(kid.number);
    const dict = document.resolve(kid);
    if (!(dict instanceof Map)) throw new Unreadable("a page is no dictionary");
    return dict;
  };

  const enter = (dict: Dict, parent: Node | undefined): Node => {
    nodes += 1;
    if (nodes > BOUNDS.pageTreeNodes) throw new Bomb("the page tree has too many nodes");
    const kids = document.resolve(dict.get("Kids"));
    const stated = document.resolve(dict.get("Count"));
    if (nameText(document.resolve(dict.get("Type"))) !== "Pages" || !Array.isArray(kids) || !isInteger(stated))
      throw new Unreadable("a node of the page tree is damaged");
    return { parent, stated, found: 0, kids, next: 0, inherited: inherit(parent?.inherited ?? {}, dict, document) };
  };

  let node: Node | undefined = enter(dictOf(document.catalog().get("Pages")), undefined);
  while (node) {
    const kid: Value | undefined = node.kids[node.next];
    if (kid === undefined) {
      if (node.stated !== node.found) throw new Unreadable("/Count of the page tree is wrong");
      if (node.parent) node.parent.found += node.found;
      node = node.parent;
      continue;
    }
    node.next += 1;
    const dict = dictOf(kid);
    if (dict.has("Kids")) {
      node = enter(dict, node);
      continue;
    }
    if (nameText(document.resolve(dict.get("Type"))) !== "Page") throw new Unreadable("a page is no page");
    if (pages.length === most) throw new TooManyPages();
    pages.push(pageSize(dict, inherit(node.inherited, dict, document), document));
    node.found += 1;
  }
  return pages;
}

function inherit(above: Inherited, dict: Dict, document: Document): Inherited {
  const own: Inherited = { ...above };
  for (const key of ["MediaBox", "CropBox", "Rotate"] as const) {
    const value = document.resolve(dict.get(key));
    if (value !== null) own[key] = value;
  }
  return own;
}

/** What is shown of a page (14.11.2): the crop box inside the media box, turned by `/Rotate`, in units of `/UserUnit`. */
function pageSize(page: Dict, { MediaBox, CropBox, Rotate }: Inherited, document: Document): PageSize {
  const media = rectangle(MediaBox, document);
  if (!media) throw new Unreadable("a page has no media box");
  const crop = CropBox === undefined ? media : rectangle(CropBox, document);
  if (!crop) throw new Unreadable("a crop box is damaged");
  // Readers ignore a crop box that leaves nothing of the page.
  const shown = intersection(media, crop) ?? media;
  const rotate = Rotate ?? 0;
  if (!isInteger(rotate) || rotate % 90 !== 0) throw new Unreadable("/Rotate is no multiple of 90");
  const unit = document.resolve(page.get("UserUnit")) ?? 1;
  if (typeof unit !== "number" || unit <= 0) throw new Unreadable("/UserUnit is wrong");
  const width = rounded((shown.right - shown.left) * unit);
  const height = rounded((shown.top - shown.bottom) * unit);
  if (!(width > 0 && height > 0 && Number.isFinite(width * height))) throw new Unreadable("a page has no size");
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}

interface Rectangle {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** Four numbers: any two corners that lie opposite each other (7.9.5). Undefined where nothing lies between them. */
function rectangle(value: Value | undefined, document: Document): Rectangle | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [x1, y1, x2, y2] = value.map((member) => document.resolve(member));
  if (typeof x1 !== "number" || typeof y1 !== "number" || typeof x2 !== "number" || typeof y2 !== "number")
    return undefined;
  return {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  };
}

function intersection(a: Rectangle, b: Rectangle): Rectangle | undefined {
  const both = {
    left: Math.max(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
    top: Math.min(a.top, b.top),
  };
  return both.left < both.right && both.bottom < both.top ? both : undefined;
}

/** To 1/10,000 point: 595.28 - 0.1 is 595.18, not 595.1799999999999. */
function rounded(points: number): number {
  return Math.round(points * 10_000) / 10_000;
}
