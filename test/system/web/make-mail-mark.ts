// Renders src/web/design/mark.svg for mails, which know no SVG: `node test/system/web/make-mail-mark.ts` writes the module that holds the PNG.
import fs from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
/** The width in mails, in CSS pixels. */
const WIDTH = 28;

/** The mark on nothing, at twice its width in mails. */
export async function renderMark(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: WIDTH }, deviceScaleFactor: 2 });
  const svg = fs.readFileSync(path.join(ROOT, "src/web/design/mark.svg"), "utf8");
  await page.setContent(`<!doctype html><style>body{margin:0}svg{display:block;width:${WIDTH}px}</style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}

if (import.meta.main) {
  const browser = await launchBrowser();
  const png = await renderMark(browser);
  await browser.close();
  fs.writeFileSync(
    path.join(ROOT, "src/services/platform/mails/mark.ts"),
    `/** src/web/design/mark.svg as a PNG of ${2 * WIDTH} pixels, for mails. \`node test/system/web/make-mail-mark.ts\` writes it, and a test compares the two. */
export const MARK_PNG = Buffer.from(
  "${png.toString("base64")}",
  "base64",
);
`,
  );
}
