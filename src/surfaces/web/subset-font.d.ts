/** What we use of the package, which ships no types. */
declare module "subset-font" {
  interface Options {
    readonly targetFormat: "woff2" | "truetype";
    /** OpenType features to keep; all others go, with the letters that only they show. */
    readonly keepFeatures?: readonly string[];
    readonly keepAllGlyphs?: boolean;
    /** A number makes a font of one weight. */
    readonly variationAxes?: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>;
  }
  /** @param text the characters to keep; null with `keepAllGlyphs` */
  export default function subsetFont(font: Buffer, text: string | null, options: Options): Promise<Buffer>;
}
