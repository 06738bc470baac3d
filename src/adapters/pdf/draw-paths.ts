/** A drawn signature: its points in millionths of its width and height, and its height as millionths of its width. */
export interface Paths {
  readonly ratio: number;
  readonly paths: readonly (readonly (readonly [number, number])[])[];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Of a drawn line, as a part of the drawing's width. */
const STROKE = 0.008;
const MILLION = 1_000_000;

/** The whole drawing, in its proportions, in the middle of the box. */
export function drawPaths(document: PDFKit.PDFDocument, box: Box, { ratio, paths }: Paths, ink: string): void {
  const proportion = ratio / MILLION;
  const inset = Math.min(box.width, box.height) / 20;
  const width = Math.min(box.width - 2 * inset, (box.height - 2 * inset) / proportion);
  const height = width * proportion;
  const [left, top] = [box.x + (box.width - width) / 2, box.y + (box.height - height) / 2];
  const stroke = Math.max(width * STROKE, 0.5);
  document.lineWidth(stroke).lineCap("round").lineJoin("round").strokeColor(ink).fillColor(ink);
  for (const path of paths) {
    const points = path.map(([x, y]): [number, number] => [left + (x / MILLION) * width, top + (y / MILLION) * height]);
    const [first, ...others] = points;
    if (first === undefined) continue;
    // A tap is a dot.
    if (others.length === 0) {
      document.circle(...first, stroke).fill();
      continue;
    }
    document.moveTo(...first);
    for (const point of others) document.lineTo(...point);
    document.stroke();
  }
}
