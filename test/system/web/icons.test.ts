// The kept icons are what the mark, the tokens and the font draw now.
import fs from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { DRAWINGS, draw, ICONS, imagesOfIco } from "./icons.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const read = (file: string) => fs.readFileSync(path.join(ICONS, file));

function keptIcon(name: string): Buffer {
  const [, size] = /^favicon-(\d+)$/.exec(name) ?? [];
  if (size === undefined) return read(`${name}.png`);
  const image = imagesOfIco(read("favicon.ico")).find((each) => each.size === Number(size));
  return image?.png ?? Buffer.alloc(0);
}

/** The mean difference of the channels of two pictures, 0 to 255; infinite if their sizes differ. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const page = await browser.newPage();
  const addresses = JSON.stringify([one, other].map((png) => `data:image/png;base64,${png.toString("base64")}`));
  const mean = await page.evaluate(`(async () => {
    const [a, b] = await Promise.all(${addresses}.map(async (address) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, bitmap.width, bitmap.height);
    }));
    if (a.width !== b.width || a.height !== b.height) return Infinity;
    return a.data.reduce((sum, value, at) => sum + Math.abs(value - b.data[at]), 0) / a.data.length;
  })()`);
  await page.close();
  return Number(mean);
}

test.each(Object.keys(DRAWINGS))("%s", async (name) => {
  const drawing = DRAWINGS[name];
  if (drawing === undefined) throw new Error(name);
  // Another Chromium may smooth edges otherwise. A changed lobe or colour differs by more.
  expect(await difference(keptIcon(name), await draw(browser, drawing))).toBeLessThan(0.5);
  const other = { ...drawing, colour: "#8a1c5b" };
  expect(await difference(keptIcon(name), await draw(browser, other))).toBeGreaterThan(0.5);
});
