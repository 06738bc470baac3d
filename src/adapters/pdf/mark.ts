/** The upper half of the mark in a square of 64, as in src/web/design/mark.svg; the lower half is the same turned by 180 degrees. */
export const MARK_HALF =
  "M55.04 12A14 14 0 0 0 53.14 10.86A14 14 0 0 0 39.74 3.12A14 14 0 0 0 24.26 3.12A14 14 0 0 0 10.86 10.86A14 14 0 0 0 3.12 24.26A14 14 0 0 0 3.12 39.74A14 14 0 0 0 3.51 44H40A4 4 0 0 0 40 36H24A12 12 0 0 1 24 12Z";
const SIDE = 64;

export function drawMark(document: PDFKit.PDFDocument, x: number, y: number, side: number, color: string): void {
  document.save();
  document.translate(x, y).scale(side / SIDE);
  document.path(MARK_HALF).fill(color);
  document.rotate(180, { origin: [SIDE / 2, SIDE / 2] });
  document.path(MARK_HALF).fill(color);
  document.restore();
}
