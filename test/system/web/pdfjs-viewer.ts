// Pages as the viewer of pdf.js shows them, which Firefox has: a picture, and the fields of the form as elements above it.
import fs from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import type { PageImage } from "../../adapters/pdf-seal/page-image.ts";

/** Nothing is asked of the network: every answer comes from here. */
const ADDRESS = "http://viewer.test";
const PACKAGE = path.resolve(import.meta.dirname, "../../../node_modules/pdfjs-dist");
const TYPES: Readonly<Record<string, string>> = { ".mjs": "text/javascript", ".css": "text/css" };

/** A pixel for each point. The shade of every field, and the frame of that below the mouse, are left out: they are no part of the document. */
const PAGE = `<!doctype html>
<link rel="stylesheet" href="/pdfjs/web/pdf_viewer.css">
<style>
  body { margin: 0; background: white }
  #container { position: absolute; inset: 0; overflow: auto }
  .pdfViewer .page { margin: 0; border: 0 }
  .annotationLayer { --annotation-unfocused-field-background: none }
  .annotationLayer * { pointer-events: none !important }
</style>
<div id="container"><div class="pdfViewer"></div></div>
<script type="module">
  globalThis.pdfjsLib = await import("/pdfjs/build/pdf.mjs");
  const { EventBus, PDFLinkService, PDFViewer } = await import("/pdfjs/web/pdf_viewer.mjs");
  pdfjsLib.GlobalWorkerOptions.workerSrc = "/pdfjs/build/pdf.worker.mjs";
  const eventBus = new EventBus();
  const linkService = new PDFLinkService({ eventBus });
  const container = document.querySelector("#container");
  const viewer = new PDFViewer({ container, eventBus, linkService, textLayerMode: 0 });
  linkService.setViewer(viewer);
  eventBus.on("pagesinit", () => { viewer.currentScale = 72 / 96; });
  eventBus.on("annotationlayerrendered", () => { document.body.dataset.shown = ""; }, { once: true });
  const file = { url: "/document.pdf", standardFontDataUrl: "/pdfjs/standard_fonts/", wasmUrl: "/pdfjs/wasm/" };
  const pdf = await pdfjsLib.getDocument(file).promise;
  viewer.setDocument(pdf);
  linkService.setDocument(pdf);
</script>`;

/** The first page of each of these files. */
export async function byViewer(browser: Browser, files: readonly Buffer[]): Promise<PageImage[]> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 1300 } });
  const page = await context.newPage();
  const images: PageImage[] = [];
  let shown: Buffer = Buffer.alloc(0);
  await context.route("**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/") return route.fulfill({ contentType: "text/html", body: PAGE });
    if (pathname === "/document.pdf") return route.fulfill({ contentType: "application/pdf", body: shown });
    const file = path.join(PACKAGE, pathname.replace(/^\/pdfjs\//, ""));
    if (!pathname.startsWith("/pdfjs/") || !fs.existsSync(file)) return route.fulfill({ status: 404 });
    return route.fulfill({ contentType: TYPES[path.extname(file)] ?? "application/octet-stream", path: file });
  });
  for (const file of files) {
    shown = file;
    await page.goto(ADDRESS);
    await page.locator("[data-shown]").waitFor({ state: "attached", timeout: 30_000 });
    const picture = (await page.locator(".page").first().screenshot()).toString("base64");
    const { across, down, shades } = await page.evaluate<PageImage & { readonly shades: string }>(`(async () => {
      const bytes = Uint8Array.fromBase64("${picture}");
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      return { across: width, down: height, shades: (${SHADES})(context.getImageData(0, 0, width, height).data) };
    })()`);
    images.push({ across, down, shades: Buffer.from(shades, "base64") });
  }
  await context.close();
  return images;
}

/** The script that makes grey levels of colours, in base64. */
export const SHADES = `(data) => {
  const shades = new Uint8Array(data.length / 4);
  for (let at = 0; at < shades.length; at += 1)
    shades[at] = (77 * data[4 * at] + 150 * data[4 * at + 1] + 29 * data[4 * at + 2]) >> 8;
  return shades.toBase64();
}`;
