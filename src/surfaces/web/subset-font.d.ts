/** What the build uses of the package, which has no types of its own. */
declare module "subset-font" {
  interface Options {
    readonly targetFormat: "woff2";
    /** OpenType features to keep; all others go, with the letters that only they show. */
    readonly keepFeatures: readonly string[];
    readonly variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>;
  }
  /** @param text the characters to keep */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
