/** Draws the icons anew after mark.svg or the tokens changed: `node test/system/web/draw-icons.ts`. icons.test.ts compares them. */
import fs from "node:fs";
import path from "node:path";
import { launchBrowser } from "./browser.ts";
import { DRAWINGS, draw, FAVICON_SIZES, ICONS, icoOf } from "./icons.ts";

const browser = await launchBrowser();
try {
  const drawn = new Map<string, Buffer>();
  for (const [name, drawing] of Object.entries(DRAWINGS)) drawn.set(name, await draw(browser, drawing));
  const png = (name: string) => drawn.get(name) ?? Buffer.alloc(0);
  const images = FAVICON_SIZES.map((size) => ({ size, png: png(`favicon-${size}`) }));
  fs.writeFileSync(path.join(ICONS, "favicon.ico"), icoOf(images));
  for (const name of ["apple-touch-icon", "share"]) fs.writeFileSync(path.join(ICONS, `${name}.png`), png(name));
} finally {
  await browser.close();
}
