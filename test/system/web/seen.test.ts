// What a signer sees is what other readers show: of an original, and of the sealed PDF.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SealKey } from "../../../src/adapters/pdf-seal/cms.ts";
import { covered, fields } from "../../adapters/pdf-seal/covered.ts";
import { kinds } from "../../adapters/pdf-seal/kinds.ts";
import { oddTables } from "../../adapters/pdf-seal/odd-tables.ts";
import { firstPage, inkOf, inkOnlyIn, type PageImage } from "../../adapters/pdf-seal/page-image.ts";
import { reported } from "../../adapters/pdf-seal/reported.ts";
import { aKey, seal, twoStamps } from "../../adapters/pdf-seal/seal-stage.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { launchBrowser } from "./browser.ts";
import { formDrawnAnew } from "./form-values.ts";
import { bySigningPage } from "./page-pictures.ts";
import { byViewer } from "./pdfjs-viewer.ts";

let selo: TestGateway;
let browser: Browser;
let key: SealKey;
beforeAll(async () => {
  [selo, browser, key] = await Promise.all([startTestGateway(), launchBrowser(), aKey()]);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

/** Poppler shows more of these: pdf.js ticks in its own size, and draws no border around a note that has no appearance. */
const SHOWN_OTHERWISE = ["a checkbox that readers draw", "c06-values-without-appearance.pdf"];

const drawnAnew = ["a form that readers draw anew, with another value than its appearance", formDrawnAnew] as const;
const all = [...covered, ...fields, ...kinds, ...Object.entries(oddTables), ...reported, drawnAnew];

test.each(byLane({ lane: [...covered.slice(1, 2), drawnAnew], full: all }))("%s", async (name, file) => {
  const original = firstPage(file);
  const stamps = twoStamps(original);
  const files = [file, await seal(key, file, stamps)];
  const [onPage, inFirefox] = await Promise.all([bySigningPage(browser, selo, files), byViewer(browser, files)]);
  if (!SHOWN_OTHERWISE.includes(name)) expect(inkOnlyIn(original, onPage[0] as PageImage)).toBe(0);
  for (const [first, sealed] of [onPage, inFirefox] as [PageImage, PageImage][])
    expect(inkOf(stamps, { before: first, after: sealed })).toEqual({ inked: [true, true], beside: 0 });
});
