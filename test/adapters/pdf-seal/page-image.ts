// Pages as other programs draw them.
import { boxOf, type Stamp } from "../../../src/adapters/pdf-seal/stamp.ts";
import { run } from "./seal-stage.ts";

/** Grey levels of a page, line by line. */
export interface PageImage {
  readonly across: number;
  readonly down: number;
  readonly shades: Uint8Array;
}

/** The first page as poppler displays it, 72 points to an inch. */
export const firstPage = (file: Buffer): PageImage =>
  read(run({ "a.pdf": file }, "pdftoppm", "-gray", "-r", "72", "-cropbox", "-l", "1", "a.pdf").stdout);

/** The same by ghostscript. */
export const byGhostscript = (file: Buffer): PageImage =>
  read(
    run(
      { "a.pdf": file },
      "gs",
      ..."-q -sstdout=%stderr -dSAFER -dBATCH -dNOPAUSE -dUseCropBox -dLastPage=1 -r72 -sDEVICE=pgmraw -sOutputFile=- a.pdf".split(
        " ",
      ),
    ).stdout,
  );

function read(image: Buffer): PageImage {
  const [header, width, height] = /^P5\s(?:#[^\n]*\n)?(\d+) (\d+)\s255\s/.exec(image.toString("latin1", 0, 200)) ?? [
    "",
  ];
  return { across: Number(width), down: Number(height), shades: image.subarray(header.length) };
}

/** Whether there is ink in each stamp's box that was not there before, and how many points beside the boxes have changed. */
export function inkOf(
  stamps: readonly Stamp[],
  { before, after }: { readonly before: PageImage; readonly after: PageImage },
): { readonly inked: boolean[]; readonly beside: number } {
  const boxes = stamps.map((stamp) => boxIn(after, stamp));
  const inked = stamps.map(() => false);
  let beside = 0;
  for (const [place, shade] of after.shades.entries()) {
    if (shade === before.shades[place]) continue;
    const [x, y] = [place % after.across, Math.floor(place / after.across)];
    const at = boxes.findIndex((box) => isIn(box, x, y));
    if (at < 0) beside += 1;
    else if (shade < 128) inked[at] = true;
  }
  return { inked, beside };
}

/** Cells of a page, across and down. */
const GRID = { across: 40, down: 56 };
/** Darker than this is ink, and ink in this part of a cell is more than the edge of a letter. */
const INK = { shade: 200, part: 0.03 };
const TRACE = 240;

/** How many cells of a page have ink in one image, and neither they nor their neighbours a trace of it in the other one. */
export function inkOnlyIn(image: PageImage, other: PageImage): number {
  const inked = cellsOf(image, INK.shade, INK.part);
  const traced = cellsOf(other, TRACE, 0);
  const isNear = (cell: number) =>
    [-1, 0, 1].some((line) => [-1, 0, 1].some((step) => traced.has(cell + line * GRID.across + step)));
  return [...inked].filter((cell) => !isNear(cell)).length;
}

/** The cells of which more than this part is darker than a shade. */
function cellsOf({ across, down, shades }: PageImage, shade: number, part: number): ReadonlySet<number> {
  const dark = new Uint32Array(GRID.across * GRID.down);
  for (const [place, each] of shades.entries()) {
    if (each >= shade) continue;
    const line = Math.floor((Math.floor(place / across) * GRID.down) / down);
    const cell = line * GRID.across + Math.floor(((place % across) * GRID.across) / across);
    dark[cell] = (dark[cell] ?? 0) + 1;
  }
  const least = (across / GRID.across) * (down / GRID.down) * part;
  return new Set([...dark.entries()].flatMap(([cell, count]) => (count > least ? [cell] : [])));
}

/** Where a stamp lies in an image of any size. */
function boxIn({ across, down }: PageImage, { pageSize, ...stamp }: Stamp) {
  const { width, height } = pageSize;
  // Poppler and pdfium begin a point that the page only begins.
  const isOfPoints = Math.abs(across - width) < 1 && Math.abs(down - height) < 1;
  return boxOf({ ...stamp, pageSize: isOfPoints ? pageSize : { width: across, height: down } });
}

/** Points at an edge are in the box, too. */
const isIn = (box: ReturnType<typeof boxOf>, x: number, y: number) =>
  x >= Math.floor(box.x) - 1 &&
  x <= Math.ceil(box.x + box.width) &&
  y >= Math.floor(box.y) - 1 &&
  y <= Math.ceil(box.y + box.height);
