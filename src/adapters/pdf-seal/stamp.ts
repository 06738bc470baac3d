import type { Box } from "./plan.ts";

/** In points. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is drawn on a page. */
export interface Stamp {
  /** From 1. */
  readonly page: number;
  /** The page as displayed. */
  readonly pageSize: Size;
  /** The box on the page as displayed: parts of its width and height, from the left and the top. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly drawn: Drawn;
}

/** Where a stamp lies on its page. */
export const boxOf = ({ x, y, width, height, pageSize }: Stamp): Box => ({
  x: x * pageSize.width,
  y: y * pageSize.height,
  width: width * pageSize.width,
  height: height * pageSize.height,
});

/** The numbers of the pages that stamps are drawn on, each once. */
export const pagesOf = (stamps: readonly Stamp[]): number[] => [...new Set(stamps.map(({ page }) => page))];

/** The lines below a signature. */
export interface Caption {
  readonly name: string;
  readonly time: string;
  readonly code: string;
  /** The code, and where it can be verified: in place of the code where it fits. */
  readonly codeAndAddress: string;
}

/**
 * `text`: in the letters of receipts, as large as fits. `mark`: a check mark. `paths`: a drawn signature, its points in millionths of its
 * width and height.
 */
export type Drawn =
  | { readonly kind: "text"; readonly text: string; readonly isSignature?: boolean; readonly caption?: Caption }
  | { readonly kind: "mark" }
  | {
      readonly kind: "paths";
      readonly ratio: number;
      readonly paths: readonly (readonly (readonly [number, number])[])[];
      readonly caption?: Caption;
    };
