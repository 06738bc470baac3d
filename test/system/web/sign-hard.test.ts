// The whole way with a hard document, by touch, and with the roles that draw no signature: issue "Signature II" §3.
import fs from "node:fs";
import { createRequire } from "node:module";
import { degrees, type PDFDocument, type PDFPage } from "@cantoo/pdf-lib";
import * as fontkit from "fontkit";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isSound, OURS, run, signaturesOf } from "../../adapters/pdf-seal/seal-stage.ts";
import { aField, ask, read as readEnvelope } from "../../services/signature/envelope-stage.ts";
import { byLane } from "../../support/lane.ts";
import { PHONE } from "./browser.ts";
import { pdfOf } from "./reader-stage.ts";
import {
  anOut,
  button,
  closeBrowsers,
  linkOf,
  openBrowser,
  openSignStage,
  type Signer,
  type SignStage,
  signIn,
  WORDS,
} from "./sign-stage.ts";

const PAGES = byLane({ lane: 12, full: 100 });
const TOUCH = { viewport: PHONE, hasTouch: true, isMobile: true, locale: "en" } as const;
const words = WORDS.en;

let stage: SignStage;
beforeAll(async () => {
  stage = await openSignStage();
});
afterAll(() => stage.close());
afterEach(closeBrowsers);

/** The second page is turned, the third cropped, the fourth in Arabic, the fifth has a form that somebody filled in. */
const hard = () =>
  pdfOf(PAGES, async (page: PDFPage, number: number, document: PDFDocument) => {
    if (number === 2) page.setRotation(degrees(90));
    if (number === 3) page.setCropBox(100, 150, 400, 500);
    if (number === 4) {
      document.registerFontkit(fontkit as never);
      const file = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
      const font = await document.embedFont(fs.readFileSync(file), { subset: true });
      page.drawText("عقد إيجار", { x: 60, y: 600, size: 20, font });
    }
    if (number === 5) {
      const text = document.getForm().createTextField("tenant");
      text.setText("Filled in before");
      text.addToPage(page, { x: 60, y: 600, width: 300, height: 40 });
    }
  });

/** Draws a line with a finger. */
async function drawByFinger(page: Page): Promise<void> {
  const canvas = page.locator(".signature-area canvas");
  await canvas.scrollIntoViewIfNeeded();
  const area = await canvas.boundingBox();
  if (area === null) throw new Error("there is no area");
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: { x: number; y: number }[]) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  const at = (part: number) => ({
    x: area.x + area.width * (0.2 + part / 2),
    y: area.y + area.height * (0.8 - part * 0.6),
  });
  await touch("touchStart", at(0));
  for (let part = 0; part <= 1; part += 0.05) await touch("touchMove", at(part));
  await touch("touchEnd");
}

async function readByTouch(page: Page): Promise<void> {
  await page.locator(".reader-end").scrollIntoViewIfNeeded();
  await expect.poll(() => button(page, words.read).getAttribute("aria-disabled")).not.toBe("true");
  await button(page, words.read).tap();
}

test(`${PAGES} pages, turned, cropped, in Arabic, with a form: signed by touch, with fields that come and go, and sealed`, {
  timeout: 180_000,
}, async () => {
  const file = await hard();
  const out = await anOut(
    stage,
    [{}],
    { language: "en", field_placement: "fields" },
    async (id, [signer], document) => {
      const place = { participant_id: signer, document_id: document, width: 0.4, height: 0.05 };
      await aField(stage, id, { ...place, type: "texto", page: 2 });
      const box = await aField(stage, id, { ...place, type: "checkbox", required: false, page: 3, width: 0.05 });
      const when = (trigger: string) => ({ condition_field_id: box.id, condition_trigger: trigger });
      await aField(stage, id, { ...place, type: "texto", page: 3, y: 0.5, ...when("checked") });
      await aField(stage, id, { ...place, type: "texto", page: 4, y: 0.5, ...when("unchecked") });
      await aField(stage, id, { ...place, type: "assinatura", page: PAGES, y: 0.5, height: 0.1 });
    },
    file,
  );
  const signer = out.signers[0] as Signer;
  const { page } = await openBrowser(stage, TOUCH);
  await page.goto(await linkOf(stage, signer));
  await signIn(stage, page, signer, "en");
  await readByTouch(page);
  await button(page, words.toNext).tap();
  await page.getByRole("textbox").fill("On the turned page");
  await button(page, words.nextField).tap();
  await page.getByRole("checkbox").tap();
  await button(page, words.nextField).tap();
  await page.getByRole("textbox").fill("On the cropped page");
  await button(page, words.toSignature).tap();
  await drawByFinger(page);
  // The browser may take the touch that ended just now for a part of the next one: a person touches again.
  const agree = page.getByLabel(words.agree);
  await expect
    .poll(async () => {
      if (!(await agree.isChecked())) await agree.tap();
      return agree.isChecked();
    })
    .toBe(true);
  await button(page, words.sign).tap();
  await page.getByRole("heading", { name: words.signed }).waitFor();
  await expect.poll(async () => (await readEnvelope(stage, out.id)).status).toBe("completed");

  const { body } = await ask(stage, "GET", `/envelopes/${out.id}/documents/${out.documentId}/download`);
  const { pathname, search } = new URL(body.url);
  const sealed = Buffer.from(await (await fetch(stage.selo.baseUrl + pathname + search)).arrayBuffer());
  expect([signaturesOf(sealed), isSound(sealed)]).toEqual([[OURS], true]);
  expect(sealed.subarray(0, file.length).equals(Buffer.from(file))).toBe(true);
  const pages = run({ "a.pdf": sealed }, "pdftotext", "a.pdf", "-").said.split("\f");
  expect(pages[1]).toContain("On the turned page");
  expect(pages[2]).toContain("On the cropped page");
  expect(pages[3]).toMatch(/[\u0600-\u06ff]{3}/);
  expect(pages[4]).toContain("Filled in before");
  // The line that was drawn: the last page is darker than it was.
  const dark = (pdf: Uint8Array) =>
    run(
      { "a.pdf": pdf },
      "pdftoppm",
      "-gray",
      "-r",
      "50",
      "-f",
      String(PAGES),
      "-l",
      String(PAGES),
      "a.pdf",
    ).stdout.filter((grey) => grey < 100).length;
  expect(dark(sealed)).toBeGreaterThan(dark(file) + 20);
});

test.each([
  ["aprovador", "Approve", /You have approved/],
  ["testemunha", "Confirm as a witness", /You have confirmed/],
])("%s: agrees and draws nothing, by touch", async (role, act, done) => {
  const out = await anOut(
    stage,
    [
      { role: "signatario", order_index: 2 },
      { role, order_index: 1 },
    ],
    { language: "en", signing_order: "sequential" },
  );
  const signer = out.signers[1] as Signer;
  const { page } = await openBrowser(stage, TOUCH);
  await page.goto(await linkOf(stage, signer));
  await signIn(stage, page, signer, "en");
  await readByTouch(page);
  expect(await page.locator(".signature-area").count()).toBe(0);
  await page.getByLabel(words.agree).tap();
  await button(page, act).tap();
  await page.getByRole("heading", { level: 1, name: done }).waitFor();
  const { participants } = await readEnvelope(stage, out.id);
  expect(participants.find(({ id }: { id: string }) => id === signer.id).status).toBe("completed");
});

test("observador: reads, and has nothing else to do", async () => {
  const out = await anOut(stage, [{}, { role: "observador" }], { language: "en" });
  const watcher = out.signers[1] as Signer;
  const { page } = await openBrowser(stage, TOUCH);
  await page.goto(await linkOf(stage, watcher));
  await signIn(stage, page, watcher, "en");
  await page.locator(".sheet canvas").first().waitFor();
  await page.getByText("need not do anything else", { exact: false }).waitFor();
  expect(await button(page, words.sign).count()).toBe(0);
  expect(await page.getByLabel(words.agree).count()).toBe(0);
});
