import type { Font } from "fontkit";

/** A kind of letter; {@link Fonts} has fonts for each. */
export type Face = "sans" | "sans-bold" | "mono" | "mono-bold";

/** The fonts of each face, and of emoji, in the order in which they are tried. */
export type Fonts = Readonly<Record<Face | "emoji", readonly Font[]>>;
