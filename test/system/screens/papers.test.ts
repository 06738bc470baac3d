// Receipts and mails beside their mockups, on the page of all pictures. What they say and how they are made: test/adapters/pdf, ../web/mails.test.ts.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderReceipt } from "../../../src/adapters/pdf/receipt.ts";
import { MARK_CID } from "../../../src/services/platform/mails/layout.ts";
import { MARK_PNG } from "../../../src/services/platform/mails/mark.ts";
import { receiptContent } from "../../adapters/pdf/contents.ts";
import { composeSample, sampleMails } from "../../support/sample-mails.ts";
import { launchBrowser } from "../web/browser.ts";
import { missingPictures, section, writeSections } from "./index-page.ts";
import { mockupShot, photographMockups } from "./mockups.ts";
import { SCREENS, shoot, shotName, THEMES, WIDTHS } from "./shots.ts";
import { LANGUAGES } from "./states.ts";

type Picture = readonly [file: string, caption: string];

const start = new Date();
const sections: string[] = [];
let browser: Browser;
let folder: string;
beforeAll(async () => {
  browser = await launchBrowser();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-papers-"));
  fs.mkdirSync(SCREENS, { recursive: true });
  await photographMockups(browser, ["receipt", "mail-webhook-disabled"]);
});
afterAll(async () => {
  await browser.close();
  fs.rmSync(folder, { recursive: true });
});

/** The picture of a mockup, where it is drawn. */
function drawn(mockup: string, width: 390 | 1280, theme: string): Picture[] {
  const file = mockupShot(mockup, width, theme);
  return file === null ? [] : [[file, "mockup"]];
}

/** A picture of a PDF's page; answers its size in pixels. */
function printPage(pdf: Buffer, name: string, ...options: readonly string[]): { width: number; height: number } {
  fs.writeFileSync(path.join(folder, "receipt.pdf"), pdf);
  const to = path.join(SCREENS, name);
  const args = ["-r", "96", "-png", "-singlefile", ...options, path.join(folder, "receipt.pdf"), to];
  const { status, stderr } = spawnSync("pdftoppm", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`pdftoppm: ${stderr}`);
  const png = fs.readFileSync(`${to}.png`);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

describe.each([
  ["receipt", false],
  ["receipt-of-a-test", true],
])("%s", (name, isTest) => {
  test.each(LANGUAGES)("in %s, in colour and in grey", async (language) => {
    const pdf = await renderReceipt(receiptContent({ language, isTest }));
    const pictures: Picture[] = [];
    for (const [ink, options] of [
      ["colour", []],
      ["grey", ["-gray"]],
    ] as const) {
      // A sheet of A4 at 96 dots per inch.
      expect(printPage(pdf, `${name}-${ink}-${language}`, ...options)).toEqual({ width: 794, height: 1123 });
      pictures.push([`${name}-${ink}-${language}.png`, `${ink}, ${language}`]);
    }
    sections.push(section(`${name}-${language}`, [...pictures, ...drawn("receipt", 1280, "light")]));
  });
});

describe.each(Object.entries(sampleMails))("mail %s", (name, sample) => {
  test.each(LANGUAGES)("in %s", async (language) => {
    // Programs that show mails put the attached mark where its Content-ID stands.
    const mark = `data:image/png;base64,${MARK_PNG.toString("base64")}`;
    const html = composeSample(sample, { language }).html.replaceAll(`cid:${MARK_CID}`, mark);
    const page = await browser.newPage({ locale: language });
    await page.setContent(html);
    const pictures: Picture[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        const file = shotName(`mail-${name}`, width, theme, language);
        await shoot(page, file);
        pictures.push([file, `${width} px, ${theme}, ${language}`], ...drawn("mail-webhook-disabled", width, theme));
      }
    }
    await page.close();
    sections.push(section(`mail-${name}-${language}`, pictures));
  });
});

test("the page of the pictures shows all of them", () => {
  writeSections("papers", sections);
  expect(sections).toHaveLength(2 * LANGUAGES.length + Object.keys(sampleMails).length * LANGUAGES.length);
  expect(missingPictures("papers", start)).toEqual([]);
});
