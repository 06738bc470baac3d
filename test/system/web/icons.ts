import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Browser } from "playwright-core";
import { light } from "../../../src/adapters/generated/design-tokens.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
/** Where the icons are kept. They are drawn once, because not every build has a browser. */
export const ICONS = path.join(ROOT, "src/web/files");
/** Sizes in favicon.ico. */
export const FAVICON_SIZES = [16, 32, 48] as const;

const mark = (colour: string) =>
  fs.readFileSync(path.join(ROOT, "src/web/design/mark.svg"), "utf8").replace(/fill="#\w+"/, `fill="${colour}"`);
const inter = createRequire(import.meta.url).resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");

/** A picture of the mark as PNG. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** CSS of the page that holds the mark. */
  readonly style: string;
  readonly colour: string;
  readonly word?: string;
}

const { brand, canvas, ink, "on-brand": onBrand } = light;

export const DRAWINGS = {
  ...Object.fromEntries(
    FAVICON_SIZES.map((size) => [
      `favicon-${size}`,
      { width: size, height: size, colour: brand, style: `svg { width: ${size}px }` },
    ]),
  ),
  // Phones cut the corners themselves, and show no transparency.
  "apple-touch-icon": {
    width: 180,
    height: 180,
    colour: onBrand,
    style: `body { background: ${brand} } svg { width: 116px }`,
  },
  share: {
    width: 1200,
    height: 630,
    colour: brand,
    word: "Selo",
    style: `body { background: ${canvas}; color: ${ink}; gap: 48px; font: 650 168px Inter; letter-spacing: -0.02em } svg { width: 232px }`,
  },
} satisfies Readonly<Record<string, Drawing>> as Readonly<Record<string, Drawing>>;

/** Draws a picture from mark.svg, the tokens and the font of the pages. */
export async function draw(browser: Browser, { width, height, style, colour, word = "" }: Drawing): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  const font = fs.readFileSync(inter).toString("base64");
  await page.setContent(`<style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
    body { margin: 0; height: ${height}px; display: flex; align-items: center; justify-content: center }
    ${style}
  </style>${mark(colour)}<span>${word}</span>`);
  await page.evaluate("document.fonts.ready");
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}

/** An ICO file of PNG images. */
export function icoOf(images: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  images.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index;
    header.writeUInt8(size, at);
    header.writeUInt8(size, at + 1);
    header.writeUInt16LE(1, at + 4); // planes
    header.writeUInt16LE(32, at + 6); // bits of a pixel
    header.writeUInt32LE(png.length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}

/** The PNG images of an ICO file, with the sizes that it names. */
export function imagesOfIco(ico: Buffer): { readonly size: number; readonly png: Buffer }[] {
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = 6 + 16 * index;
    const offset = ico.readUInt32LE(at + 12);
    return { size: ico.readUInt8(at), png: ico.subarray(offset, offset + ico.readUInt32LE(at + 8)) };
  });
}
