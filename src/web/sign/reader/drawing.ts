/** A signature, as the request that completes takes it. */
export type Signature =
  | { readonly kind: "typed"; readonly text: string }
  | { readonly kind: "drawn"; readonly ratio: number; readonly paths: Paths };

/** Lines of points [x, y], in parts of the width and of the height of the area, from its top left corner. */
export type Paths = readonly (readonly Point[])[];
type Point = readonly [x: number, y: number];

/** Height of the area by its width. It is the same on every screen, so a drawing stays as it was drawn when a phone is turned. */
export const RATIO = 0.42;
/** Of the drawing's JSON; the server takes 64 KiB. */
const MOST_BYTES = 60_000;
/** Points that lie so near to the line between their neighbours are left out, in parts of the width. A thousandth is half a pixel of an area of 500. */
export const NEAR_ENOUGH = 0.001;
/** Four digits are a tenth of a pixel of an area of 1,000. */
const rounded = (part: number): number => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;

/** The signature that was drawn; null while no line has two points. Lines lose points, more the longer the drawing is, until it is small enough. */
export function drawnSignature(paths: Paths): Signature | null {
  if (!paths.some((path) => path.length >= 2)) return null;
  for (let near = NEAR_ENOUGH; ; near *= 2) {
    const simple = paths
      .filter((path) => path.length > 0)
      .map((path) => simplified(path, near).map(([x, y]) => [rounded(x), rounded(y)] as const));
    const signature = { kind: "drawn", ratio: RATIO, paths: simple } as const;
    if (JSON.stringify(signature).length <= MOST_BYTES) return signature;
    // Thousands of lines, from a hand that fills the area: the first ones stay.
    if (near > 0.1) return drawnSignature(paths.slice(0, Math.floor(paths.length / 2)));
  }
}

/** Ramer–Douglas–Peucker, without recursion: a line may have thousands of points. */
export function simplified(path: readonly Point[], near: number): Point[] {
  if (path.length <= 2) return [...path];
  const isKept = new Uint8Array(path.length);
  isKept[0] = 1;
  isKept[path.length - 1] = 1;
  const open: [number, number][] = [[0, path.length - 1]];
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [first, last] = range;
    let [farthest, distance] = [-1, near];
    for (let at = first + 1; at < last; at += 1) {
      const here = distanceTo(path[at] as Point, path[first] as Point, path[last] as Point);
      if (here > distance) [farthest, distance] = [at, here];
    }
    if (farthest === -1) continue;
    isKept[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return path.filter((_, at) => isKept[at] === 1);
}

/** Of a point from the line between two others, in parts of the width. */
function distanceTo([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const [dx, dy] = [x2 - x1, (y2 - y1) * RATIO];
  const [px, py] = [x - x1, (y - y1) * RATIO];
  const length = Math.hypot(dx, dy);
  if (length === 0) return Math.hypot(px, py);
  const along = Math.min(1, Math.max(0, (px * dx + py * dy) / (length * length)));
  return Math.hypot(px - along * dx, py - along * dy);
}
