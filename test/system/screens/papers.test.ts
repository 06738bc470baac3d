// What services print, and mails, beside their mockups, on the page of all pictures. What they say and how they are made: test/adapters/pdf, ../web/mails.test.ts.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MARK_CID } from "../../../src/services/platform/mails/layout.ts";
import { MARK_PNG } from "../../../src/services/platform/mails/mark.ts";
import { byLane } from "../../support/lane.ts";
import { composeSample, sampleMails } from "../../support/sample-mails.ts";
import { type Paper, productFacts } from "../../support/service-facts.ts";
import { launchBrowser } from "../web/browser.ts";
import { missingPictures, section, writeSections } from "./index-page.ts";
import { type Look, looksAt } from "./looks.ts";
import { mockupShot, photographMockups } from "./mockups.ts";
import { SCREENS, shoot, shotName, wear } from "./shots.ts";
import { LANGUAGES, type Language } from "./state.ts";

type Picture = readonly [file: string, caption: string];

/** What services print, by name. */
const papers: Readonly<Record<string, Paper>> = Object.assign(
  {},
  ...(await Promise.all(productFacts.map(({ papers }) => papers?.()))),
);
/** Each paper in one language, in turn; in full in each. */
const sheets = Object.entries(papers).flatMap(([name, paper], index) =>
  byLane<readonly Language[]>({ lane: [LANGUAGES[(index + 1) % LANGUAGES.length] as Language], full: LANGUAGES }).map(
    (language) => [name, language, paper] as const,
  ),
);
/** How the mockup of a sheet is looked at. */
const PAPER = { width: 1280, theme: "light" } as const;
/** The drawing beside mails that have none of their own. */
const ANY_MAIL = "mail-webhook-disabled";
const mails = Object.entries(sampleMails).map(([form, sample]) => ({ form, name: `mail-${form}`, sample }));
/** As the looks of pages have them. */
const looks = looksAt(Object.fromEntries(mails.map(({ name }) => [name, {}])));

/** A picture of a PDF's page; answers its size in pixels. */
function printPage(
  folder: string,
  pdf: Buffer,
  name: string,
  ...options: readonly string[]
): { width: number; height: number } {
  fs.writeFileSync(path.join(folder, "paper.pdf"), pdf);
  const to = path.join(SCREENS, name);
  const args = ["-r", "96", "-png", "-singlefile", ...options, path.join(folder, "paper.pdf"), to];
  const { status, stderr } = spawnSync("pdftoppm", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`pdftoppm: ${stderr}`);
  const png = fs.readFileSync(`${to}.png`);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

const start = new Date();
const sections: string[] = [];
let browser: Browser;
let folder: string;
beforeAll(async () => {
  browser = await launchBrowser();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-papers-"));
  fs.mkdirSync(SCREENS, { recursive: true });
  await photographMockups(browser, [
    ...Object.values(papers).map(({ mockup }) => [mockup, PAPER] as const),
    ...mails.flatMap(({ name, sample }) =>
      (looks[name] ?? []).map((look) => [sample.mockup ?? ANY_MAIL, look] as const),
    ),
  ]);
});
afterAll(async () => {
  await browser.close();
  fs.rmSync(folder, { recursive: true });
});

test.each(sheets)("%s in %s, in colour and in grey", async (name, language, { print, mockup }) => {
  const pdf = await print(language);
  const pictures: Picture[] = [];
  for (const [ink, options] of [
    ["colour", []],
    ["grey", ["-gray"]],
  ] as const) {
    // A sheet of A4 at 96 dots per inch.
    expect(printPage(folder, pdf, `${name}-${ink}-${language}`, ...options)).toEqual({ width: 794, height: 1123 });
    pictures.push([`${name}-${ink}-${language}.png`, `${ink}, ${language}`]);
  }
  sections.push(section(`${name}-${language}`, [...pictures, ...drawn(mockup, PAPER)]));
});

test.each(mails)("mail $form", async ({ name, sample }) => {
  const pictures: Picture[] = [];
  const page = await browser.newPage();
  for (const look of looks[name] ?? []) {
    const { width, theme, language } = look;
    // Programs that show mails put the attached mark where its Content-ID stands.
    const mark = `data:image/png;base64,${MARK_PNG.toString("base64")}`;
    await page.setContent(composeSample(sample, { language }).html.replaceAll(`cid:${MARK_CID}`, mark));
    await wear(page, look);
    const file = shotName(name, look);
    await shoot(page, file);
    pictures.push([file, `${width} px, ${theme}, ${language}`], ...drawn(sample.mockup ?? ANY_MAIL, look));
  }
  await page.close();
  sections.push(section(name, pictures));
});

test("the page of the pictures shows all of them", () => {
  writeSections("papers", sections);
  expect(sections).toHaveLength(sheets.length + mails.length);
  expect(missingPictures("papers", start)).toEqual([]);
});

/** The picture of a mockup, where it is drawn. */
function drawn(mockup: string, look: Pick<Look, "width" | "theme">): Picture[] {
  const file = mockupShot(mockup, look);
  return file === null ? [] : [[file, "mockup"]];
}
