// Receipts and mails beside their mockups, on the page of all pictures. What they say and how they are made: test/adapters/pdf, ../web/mails.test.ts.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderReceipt } from "../../../src/adapters/pdf/receipt.ts";
import { MARK_CID } from "../../../src/services/platform/mails/layout.ts";
import { MARK_PNG } from "../../../src/services/platform/mails/mark.ts";
import { receiptContent } from "../../adapters/pdf/contents.ts";
import { composeSample, sampleMails } from "../../support/sample-mails.ts";
import type { Language } from "../signature/screens/verify-states.ts";
import { launchBrowser } from "../web/browser.ts";
import { missingPictures, section, writeSections } from "./index-page.ts";
import type { Look, Looks } from "./looks.ts";
import { mockupShot, photographMockups } from "./mockups.ts";
import { SCREENS, shoot, shotName, wear } from "./shots.ts";

type Picture = readonly [file: string, caption: string];

const RECEIPTS = { receipt: false, "receipt-of-a-test": true };
/** How the mockup of a sheet is looked at. */
const PAPER = { width: 1280, theme: "light" } as const;
/** Each kind beside its own drawing, or beside the one of all mails. */
const MAIL_MOCKUPS: Readonly<Record<string, string>> = {
  signing_code: "mail-signing-code",
  envelope_invitation: "mail-signing",
  envelope_reminder: "mail-signing",
  envelope_completed: "mail-completed-signer",
  envelope_completion: "mail-completed-sender",
};
const mockupOf = (name: string) => MAIL_MOCKUPS[sampleMails[name]?.kind ?? ""] ?? "mail-webhook-disabled";
/** As the looks of pages have them. */
export const MAILS = Object.fromEntries(Object.keys(sampleMails).map((name) => [`mail-${name}`, {}]));

/** A picture of a PDF's page; answers its size in pixels. */
function printPage(
  folder: string,
  pdf: Buffer,
  name: string,
  ...options: readonly string[]
): { width: number; height: number } {
  fs.writeFileSync(path.join(folder, "receipt.pdf"), pdf);
  const to = path.join(SCREENS, name);
  const args = ["-r", "96", "-png", "-singlefile", ...options, path.join(folder, "receipt.pdf"), to];
  const { status, stderr } = spawnSync("pdftoppm", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`pdftoppm: ${stderr}`);
  const png = fs.readFileSync(`${to}.png`);
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/** Receipts in these languages, in colour and in grey; mails in each of their looks. Afterwards a page shows all these pictures. */
export function photographPapers(
  receiptsIn: readonly (readonly [name: keyof typeof RECEIPTS, Language])[],
  looks: Looks,
): void {
  const start = new Date();
  const sections: string[] = [];
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    browser = await launchBrowser();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-papers-"));
    fs.mkdirSync(SCREENS, { recursive: true });
    const mails = Object.keys(sampleMails).flatMap((name) =>
      (looks[`mail-${name}`] ?? []).map((look) => [mockupOf(name), look] as const),
    );
    await photographMockups(browser, [["receipt", PAPER], ...mails]);
  });
  afterAll(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  });

  test.each(receiptsIn)("%s in %s, in colour and in grey", async (name, language) => {
    const pdf = await renderReceipt(receiptContent({ language, isTest: RECEIPTS[name] }));
    const pictures: Picture[] = [];
    for (const [ink, options] of [
      ["colour", []],
      ["grey", ["-gray"]],
    ] as const) {
      // A sheet of A4 at 96 dots per inch.
      expect(printPage(folder, pdf, `${name}-${ink}-${language}`, ...options)).toEqual({ width: 794, height: 1123 });
      pictures.push([`${name}-${ink}-${language}.png`, `${ink}, ${language}`]);
    }
    sections.push(section(`${name}-${language}`, [...pictures, ...drawn("receipt", PAPER)]));
  });

  test.each(Object.entries(sampleMails))("mail %s", async (name, sample) => {
    const pictures: Picture[] = [];
    const page = await browser.newPage();
    for (const look of looks[`mail-${name}`] ?? []) {
      const { width, theme, language } = look;
      // Programs that show mails put the attached mark where its Content-ID stands.
      const mark = `data:image/png;base64,${MARK_PNG.toString("base64")}`;
      await page.setContent(composeSample(sample, { language }).html.replaceAll(`cid:${MARK_CID}`, mark));
      await wear(page, look);
      const file = shotName(`mail-${name}`, look);
      await shoot(page, file);
      pictures.push([file, `${width} px, ${theme}, ${language}`], ...drawn(mockupOf(name), look));
    }
    await page.close();
    sections.push(section(`mail-${name}`, pictures));
  });

  test("the page of the pictures shows all of them", () => {
    writeSections("papers", sections);
    expect(sections).toHaveLength(receiptsIn.length + Object.keys(sampleMails).length);
    expect(missingPictures("papers", start)).toEqual([]);
  });
}

/** The picture of a mockup, where it is drawn. */
function drawn(mockup: string, look: Pick<Look, "width" | "theme">): Picture[] {
  const file = mockupShot(mockup, look);
  return file === null ? [] : [[file, "mockup"]];
}
