// /dev/reader with PDFs that a test makes.
import fs from "node:fs";
import { createRequire } from "node:module";
import { degrees, PDFDocument, type PDFPage, rgb, StandardFonts } from "@cantoo/pdf-lib";
import * as fontkit from "fontkit";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Field } from "../../../src/web/sign/reader/fields.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { openPage, type WatchedPage } from "./browser.ts";

/** What the page shows: src/web/gallery/reader.tsx. */
export interface ReaderStage {
  readonly documents: readonly {
    readonly id: string;
    readonly filename: string;
    readonly page_sizes: readonly { readonly width: number; readonly height: number }[];
    readonly address: string;
  }[];
  readonly fields: readonly Field[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly knownCpf?: string | null;
  readonly name?: string;
  readonly errors?: Readonly<Record<string, string>>;
}

export const A4 = { width: 595.28, height: 841.89 };

const PLACE = {
  document_id: "doc",
  page: 1,
  required: true,
  condition_field_id: null,
  condition_trigger: null,
  label: null,
  formula: null,
  x: 0.3,
  y: 0.3,
  width: 0.4,
  height: 0.03,
} as const;

export const field = (id: string, more: Partial<Field> = {}): Field => ({ ...PLACE, id, type: "texto", ...more });

/** A stage of one document. */
export const oneDocument = (
  pages: ReaderStage["documents"][number]["page_sizes"],
  fields: readonly Field[] = [],
  more: Partial<ReaderStage> = {},
): ReaderStage => ({
  documents: [{ id: "doc", filename: "contrato.pdf", page_sizes: pages, address: "/dev/reader/doc.pdf" }],
  fields,
  ...more,
});

/** Opens /dev/reader with a stage, whose documents at /dev/reader/{id}.pdf are these files. */
export async function openReader(
  browser: Browser,
  selo: Pick<TestGateway, "baseUrl">,
  stage: ReaderStage,
  files: Readonly<Record<string, Uint8Array>>,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, selo.baseUrl, options);
  const { page } = watched;
  await page.addInitScript(`sessionStorage.setItem("selo.reader-stage", ${JSON.stringify(JSON.stringify(stage))})`);
  for (const [id, file] of Object.entries(files)) await serve(page, id, file);
  await page.goto("/dev/reader");
  return watched;
}

/** Answers ranges of a file, as the signing API does. */
async function serve(page: Page, id: string, file: Uint8Array): Promise<void> {
  await page.route(`**/dev/reader/${id}.pdf`, (route) => {
    const [, first = "0", last = "0"] = /^bytes=(\d+)-(\d+)$/.exec(route.request().headers()["range"] ?? "") ?? [];
    const part = file.subarray(Number(first), Number(last) + 1);
    return route.fulfill({
      status: 206,
      contentType: "application/pdf",
      headers: { "content-range": `bytes ${first}-${Number(first) + part.length - 1}/${file.length}`, etag: '"1"' },
      body: Buffer.from(part),
    });
  });
}

/** Waits until a page is drawn. */
export const drawn = (page: Page, number = 1, id = "doc") =>
  page.locator(`[data-page="${id}/${number}"][data-state="drawn"]`).waitFor({ timeout: 20_000 });

/** What the page would send, and what it was told. */
export async function given(page: Page): Promise<{
  readonly signature: {
    readonly kind: string;
    readonly ratio: number;
    readonly paths: readonly (readonly number[])[][];
  };
  readonly values: Readonly<Record<string, string | boolean>>;
  readonly cpf?: string;
}> {
  return JSON.parse((await page.locator("#given").getAttribute("data-request")) ?? "null");
}
export const events = (page: Page) => page.locator("#given").getAttribute("data-events");

/** A PDF, each of whose pages says its number. */
export async function pdfOf(
  pages: number,
  draw: (page: PDFPage, number: number, document: PDFDocument) => void | Promise<void> = () => {},
  size: { readonly width: number; readonly height: number } = A4,
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number += 1) {
    const page = document.addPage([size.width, size.height]);
    page.setFont(font);
    page.drawText(`This is page ${number}.`, { x: 60, y: size.height - 80, size: 14 });
    await draw(page, number, document);
  }
  return document.save({ useObjectStreams: false });
}

const GREEN = rgb(0, 1, 0);

/** A page whose green box lies, as displayed, at this place: parts of the page from its top left corner. */
export async function pdfWithBox(
  box: Pick<Field, "x" | "y" | "width" | "height">,
  { rotate = 0, isCropped = false }: { readonly rotate?: 0 | 90 | 180 | 270; readonly isCropped?: boolean },
): Promise<{ readonly file: Uint8Array; readonly page: { readonly width: number; readonly height: number } }> {
  // The media box of a cropped page begins elsewhere, and the crop box lies within it.
  const media = isCropped ? { x: 20, y: 30, width: 700, height: 900 } : { x: 0, y: 0, ...A4 };
  const crop = isCropped ? { x: 100, y: 150, width: 500, height: 600 } : media;
  const document = await PDFDocument.create();
  const page = document.addPage([10, 10]);
  page.setMediaBox(media.x, media.y, media.width, media.height);
  if (isCropped) page.setCropBox(crop.x, crop.y, crop.width, crop.height);
  page.setRotation(degrees(rotate));
  // Where the displayed corner (u, v) lies in the page before it is turned (ISO 32000-2, 7.7.3.3: clockwise).
  const place = (u: number, v: number): readonly [number, number] => {
    const [a, b] = { 0: [u, 1 - v], 90: [v, u], 180: [1 - u, v], 270: [1 - v, 1 - u] }[rotate] as [number, number];
    return [crop.x + a * crop.width, crop.y + b * crop.height];
  };
  const [x1, y1] = place(box.x, box.y);
  const [x2, y2] = place(box.x + box.width, box.y + box.height);
  page.drawRectangle({
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
    color: GREEN,
  });
  const { width, height } = crop;
  return {
    file: await document.save(),
    page: rotate % 180 === 0 ? { width, height } : { width: height, height: width },
  };
}

/** A PDF in Arabic, with its font. */
export async function arabicPdf(text: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit as never);
  const file = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
  const font = await document.embedFont(fs.readFileSync(file), { subset: true });
  document.addPage([A4.width, A4.height]).drawText(text, { x: 60, y: 700, size: 20, font });
  return document.save();
}

/** A PDF with a form that somebody filled in. */
export async function pdfWithForm(value: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([A4.width, A4.height]);
  const text = document.getForm().createTextField("name");
  text.setText(value);
  text.addToPage(page, { x: 60, y: 600, width: 300, height: 40, backgroundColor: GREEN });
  return document.save();
}
