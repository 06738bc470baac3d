import type { Field } from "./fields.ts";

/** Where the number of a field stands. `corner`: over the upper left corner of the box; all others: beside the box. */
export type Side = "corner" | "left" | "right" | "above" | "below";

interface Size {
  readonly width: number;
  readonly height: number;
}
type Box = Pick<Field, "x" | "y" | "width" | "height">;

/** Of a number, in CSS pixels, with its distance from the box: sign/reader/reader.css. */
const BADGE = { width: 13, ofDigit: 7, height: 20 };
/** A box that is as wide does not lose its corner. */
const WIDE = 80;

/** The first side on which the number covers least of other fields, and is within the page. A small box is not covered at its corner either. */
export function badgeSide(field: Field, number: number, all: readonly Field[], page: Size): Side {
  const { x, y, width, height } = pixels(field, page);
  const badge = { width: BADGE.width + BADGE.ofDigit * String(number).length, height: BADGE.height };
  const middle = y + height / 2 - badge.height / 2;
  const places: readonly (readonly [Side, number, number])[] = [
    ["corner", x - 0.75 * badge.width, y - 0.6 * badge.height],
    ["left", x - badge.width, middle],
    ["right", x + width, middle],
    ["above", x, y - badge.height],
    ["below", x, y + height],
  ];
  const others = all.filter(({ id }) => id !== field.id).map((other) => pixels(other, page));
  let [best, least]: [Side, number] = ["left", Number.POSITIVE_INFINITY];
  for (const [side, left, top] of places) {
    const place = { ...badge, x: left, y: top };
    const isWithin = left >= 0 && top >= 0 && left + badge.width <= page.width && top + badge.height <= page.height;
    if ((side === "corner" && width < WIDE) || !isWithin) continue;
    const covered = others.reduce((sum, other) => sum + common(place, other), 0);
    if (covered < least) [best, least] = [side, covered];
  }
  return best;
}

const pixels = ({ x, y, width, height }: Box, page: Size): Box => ({
  x: x * page.width,
  y: y * page.height,
  width: width * page.width,
  height: height * page.height,
});

/** The area that two boxes have in common. */
const common = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
