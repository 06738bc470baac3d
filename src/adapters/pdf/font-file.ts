/** Reads fonts from files of packages, in the containers in which packages have them. */
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import { LRUCache } from "lru-cache";
import subsetFont from "subset-font";
import { shapedFont } from "./harfbuzz.ts";
import { sharedFont } from "./shared-font.ts";
import { unpackWoff } from "./woff.ts";

/** A font of a package. */
export interface FontFile {
  /** As `import` takes it. */
  readonly file: string;
  /** The weight to take of a font that has several. */
  readonly weight?: number;
  /** Whether HarfBuzz lays out its texts. */
  readonly isShaped?: boolean;
}

/** A font of Chinese characters takes some 200 kB, and a text in any of them may need 225 such fonts. UnifontEX takes 12 MB. */
const MOST_KEPT = 300;

const require = createRequire(import.meta.url);
const kept = new LRUCache<string, Promise<Font>>({ max: MOST_KEPT });

/** The font of a file. Fonts stay in memory once read, those that were last used. */
export function fontOf(wanted: FontFile): Promise<Font> {
  const key = `${wanted.file} ${wanted.weight}`;
  let font = kept.get(key);
  if (font === undefined) {
    font = readFont(wanted);
    kept.set(key, font);
  }
  return font;
}

/** The path of a file of a package. */
export const pathOf = (file: string) => require.resolve(file);

async function readFont({ file, weight, isShaped }: FontFile): Promise<Font> {
  const bytes = await unpacked(file, await fs.readFile(pathOf(file)), weight);
  const font = create(bytes);
  if (!("layout" in font)) throw new Error(`${file} is no single font`);
  return sharedFont(isShaped ? await shapedFont(font, bytes) : font);
}

/** HarfBuzz unpacks WOFF 2.0, and makes a font of one weight of a font of many: fontkit puts the parts of composed letters of such a font in wrong places. */
async function unpacked(file: string, bytes: Buffer, weight: number | undefined): Promise<Buffer> {
  if (file.endsWith(".woff")) return unpackWoff(bytes);
  if (!file.endsWith(".woff2")) return bytes;
  return subsetFont(bytes, null, {
    targetFormat: "truetype",
    keepAllGlyphs: true,
    ...(weight === undefined ? {} : { variationAxes: { wght: weight } }),
  });
}
