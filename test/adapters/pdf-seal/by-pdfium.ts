// Pages as pdfium draws them, the library of Chrome's viewer.
import fs from "node:fs";
import { createRequire } from "node:module";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import type { PageImage } from "./page-image.ts";

let library: Promise<WrappedPdfiumModule> | undefined;

async function start(): Promise<WrappedPdfiumModule> {
  const wasm = fs.readFileSync(createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm"));
  const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

/** What the package does not describe. */
interface Inside {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(size: number): number; free(at: number): void };
}

/** One byte for each point. */
const GRAY = 1;
const WHITE = 0xffffffff;
/** FPDF_ANNOT, and FPDF_GRAYSCALE. */
const ANNOTATIONS = 1;
const GRAYSCALE = 8;

/** The first page, as Chrome draws it: page and annotations, and then the fields of the form. */
export async function byPdfium(file: Uint8Array): Promise<PageImage> {
  library ??= start();
  const pdfium = await library;
  const inside = pdfium.pdfium as unknown as Inside;
  // Another array after each growth.
  const memory = () => inside.HEAPU8;
  const { malloc, free } = inside.wasmExports;
  const at = malloc(file.length);
  memory().set(file, at);
  const document = pdfium.FPDF_LoadMemDocument(at, file.length, "");
  if (document === 0) throw new Error("pdfium cannot read the file");
  const callbacks = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, callbacks);
  const page = pdfium.FPDF_LoadPage(document, 0);
  pdfium.FORM_OnAfterLoadPage(page, form);
  const across = Math.ceil(pdfium.FPDF_GetPageWidthF(page));
  const down = Math.ceil(pdfium.FPDF_GetPageHeightF(page));
  const bitmap = pdfium.FPDFBitmap_CreateEx(across, down, GRAY, 0, 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, across, down, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, across, down, 0, ANNOTATIONS | GRAYSCALE);
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, across, down, 0, GRAYSCALE);
  const first = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const shades = new Uint8Array(across * down);
  for (let line = 0; line < down; line++)
    shades.set(memory().subarray(first + line * stride, first + line * stride + across), line * across);
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FORM_OnBeforeClosePage(page, form);
  pdfium.FPDF_ClosePage(page);
  pdfium.PDFiumExt_ExitFormFillEnvironment(form);
  pdfium.PDFiumExt_CloseFormFillInfo(callbacks);
  pdfium.FPDF_CloseDocument(document);
  free(at);
  return { across, down, shades };
}
