/** The measures of a receipt's page, from the design. */
import { lengths, light, type as scale } from "../generated/design-tokens.ts";

/** Points in a pixel of the design. */
export const PT = 0.75;
export const space = (name: keyof typeof lengths) => lengths[name] * PT;

/** A4, in points. */
export const PAGE = {
  width: 595.28,
  height: 841.89,
  side: space("s-64"),
  top: space("s-64"),
  bottom: space("s-32"),
} as const;
export const WIDTH = PAGE.width - 2 * PAGE.side;
export const RIGHT = PAGE.width - PAGE.side;

/** Size, leading and color of a text. */
export function style(name: keyof typeof scale, color: string = light.ink) {
  const [size, lineHeight] = scale[name];
  return { size: size * PT, leading: lineHeight / size, color };
}

export const sumOf = (parts: readonly { readonly height: number }[]) =>
  parts.reduce((sum, { height }) => sum + height, 0);
