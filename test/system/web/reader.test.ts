// The reader of PDFs in a browser, under the policy of the pages: /dev/reader.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { PDFName, PDFString } from "@cantoo/pdf-lib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { firstPage } from "../../adapters/pdf-seal/page-image.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { launchBrowser, PHONE, type WatchedPage } from "./browser.ts";
import { formWithoutAppearances, LEFT_OUT, places } from "./form-values.ts";
import {
  A4,
  arabicPdf,
  drawn,
  events,
  field,
  oneDocument,
  openReader,
  pdfOf,
  pdfWithBox,
  pdfWithForm,
  type ReaderStage,
} from "./reader-stage.ts";

let selo: TestGateway;
let browser: Browser;
beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

const opened: WatchedPage[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function show(stage: ReaderStage, file: Uint8Array, options: BrowserContextOptions = {}): Promise<Page> {
  const watched = await openReader(browser, selo, stage, { doc: file }, options);
  opened.push(watched);
  return watched.page;
}

/** Of all pictures of pages. */
const pictures = (page: Page) =>
  page.evaluate<{ count: number; pixels: number; widest: number }>(`(() => {
    const all = [...document.querySelectorAll(".sheet canvas")];
    return {
      count: all.length,
      pixels: all.reduce((sum, { width, height }) => sum + width * height, 0),
      widest: Math.max(0, ...all.map(({ width }) => width)),
    };
  })()`);

/** Where the picture of the first page is green, in parts of the page from its top left corner. */
const greenBox = (page: Page) =>
  page.evaluate<{ x: number; y: number; width: number; height: number }>(`(() => {
    const canvas = document.querySelector(".sheet canvas");
    const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let [left, top, right, bottom] = [width, height, -1, -1];
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        const at = 4 * (y * width + x);
        if (data[at] > 60 || data[at + 1] < 200 || data[at + 2] > 60) continue;
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      }
    return { x: left / width, y: top / height, width: (right - left + 1) / width, height: (bottom - top + 1) / height };
  })()`);

/** The place of an element in the first page, in parts of the page. */
const placeIn = (page: Page, selector: string) =>
  page.evaluate<{ x: number; y: number; width: number; height: number }>(`(() => {
    const sheet = document.querySelector(".sheet").getBoundingClientRect();
    const { left, top, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return { x: (left - sheet.left) / sheet.width, y: (top - sheet.top) / sheet.height, width: width / sheet.width, height: height / sheet.height };
  })()`);

describe("100 pages", () => {
  const pages = Array.from({ length: 100 }, () => A4);

  test("only those near what is seen have pictures and text, and nothing moves when they come", async () => {
    const page = await show(oneDocument(pages), await pdfOf(100), { viewport: PHONE, deviceScaleFactor: 2 });
    await page.locator(".sheet").first().waitFor();
    const height = await page.evaluate("document.documentElement.scrollHeight");
    await drawn(page);
    for (const number of [2, 30, 31, 60, 100, 1]) {
      await page.evaluate(`document.querySelector('[data-page="doc/${number}"]').scrollIntoView({ block: "center" })`);
      await drawn(page, number);
      await page.locator(`[data-page="doc/${number}"]`).getByText(`This is page ${number}.`).waitFor();
      // A sheet of the screen, one screen above and one below.
      await expect.poll(async () => (await pictures(page)).count).toBeLessThanOrEqual(7);
      expect((await pictures(page)).pixels).toBeLessThan(7 * 1_000_000);
      expect(await page.locator(".pdf-text > span").count()).toBeLessThanOrEqual(7);
    }
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(height);
  });

  test("the bar goes on and back, and says where one is; the end was read when it was seen", async () => {
    const page = await show(oneDocument(pages), await pdfOf(100), { reducedMotion: "reduce" });
    await drawn(page);
    const back = page.getByRole("button", { name: "Previous page" });
    await page.locator(".reader-bar").scrollIntoViewIfNeeded();
    expect(await back.getAttribute("aria-disabled")).toBe("true");
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("page 2 of 100", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText("page 3 of 100", { exact: true }).waitFor();
    await back.click();
    await page.getByText("page 2 of 100", { exact: true }).waitFor();
    expect(await events(page)).toBe("");
    await page.locator('[data-page="doc/100"]').scrollIntoViewIfNeeded();
    await page.evaluate("document.querySelector('.reader-end').scrollIntoView()");
    await expect.poll(() => events(page)).toBe("read");
  });
});

describe("a field lies where the page shows its place", () => {
  const box = { x: 0.2, y: 0.1, width: 0.3, height: 0.05 };
  // Each turn with one of both, in turn; in `npm run test:full` with both.
  const kinds = ([0, 90, 180, 270] as const).flatMap((rotate, place) =>
    byLane({ lane: [place % 2 === 0], full: [false, true] }).map((isCropped) => ({ rotate, isCropped })),
  );

  test.each(kinds)("turned by $rotate, cropped: $isCropped", async ({ rotate, isCropped }) => {
    const { file, page: size } = await pdfWithBox(box, { rotate, isCropped });
    const page = await show(oneDocument([size], [field("here", box)]), file);
    await drawn(page);
    const [green, mark] = [await greenBox(page), await placeIn(page, '[data-field="here"] .box')];
    for (const member of ["x", "y", "width", "height"] as const) {
      expect(green[member]).toBeCloseTo(box[member], 2);
      expect(mark[member]).toBeCloseTo(box[member], 2);
    }
  });

  test("and so does its text, on a page that is turned", async () => {
    const turned = await pdfOf(1, (each) => {
      each.node.set(PDFName.of("Rotate"), each.doc.context.obj(90));
    });
    const page = await show(oneDocument([{ width: A4.height, height: A4.width }]), turned);
    await drawn(page);
    await page.getByText("This is page 1.").waitFor();
    const place = await placeIn(page, ".pdf-text > span");
    // 80 points from the top of the page before it is turned: that edge is at the right.
    expect(place.x + place.width / 2).toBeCloseTo(1 - 76 / A4.height, 1);
    expect(place.y).toBeCloseTo(60 / A4.width, 1);
    expect(place.height).toBeGreaterThan(place.width);
  });

  test("small ones can be touched", async () => {
    const small = field("small", { type: "checkbox", width: 0.01, height: 0.005 });
    const page = await show(oneDocument([A4], [small]), await pdfOf(1), { viewport: PHONE });
    const target = await page.locator('[data-field="small"]').boundingBox();
    expect(target).toMatchObject({ width: 24, height: 24 });
    const [mark, seen] = [
      await placeIn(page, '[data-field="small"]'),
      await placeIn(page, '[data-field="small"] .box'),
    ];
    expect(mark.x + mark.width / 2).toBeCloseTo(small.x + small.width / 2, 2);
    expect(seen.x).toBeCloseTo(small.x, 2);
    expect(seen.width).toBeCloseTo(small.width, 2);
  });
});

test("text can be selected where it is seen", async () => {
  const page = await show(oneDocument([A4]), await pdfOf(1));
  await drawn(page);
  await page.getByText("This is page 1.").waitFor();
  const place = await placeIn(page, ".pdf-text > span");
  expect(place.x).toBeCloseTo(60 / A4.width, 2);
  expect(place.y).toBeCloseTo(70 / A4.height, 2);
  expect(place.width).toBeCloseTo(102 / A4.width, 1);
  await page.getByText("This is page 1.").selectText();
  expect(await page.evaluate("String(getSelection())")).toBe("This is page 1.");
});

test("Arabic is read from right to left", async () => {
  const page = await show(oneDocument([A4]), await arabicPdf("عقد إيجار"));
  await drawn(page);
  await expect.poll(() => page.locator(".pdf-text").innerText()).toMatch(/[\u0600-\u06ff]{3}/);
  expect(await page.locator(".pdf-text > span").first().getAttribute("dir")).toBe("rtl");
});

test("what somebody wrote into a form of the PDF is seen", async () => {
  const page = await show(oneDocument([A4]), await pdfWithForm("Filled before"));
  await drawn(page);
  const green = await greenBox(page);
  expect(green.x).toBeCloseTo(60 / A4.width, 1);
  expect(green.width).toBeCloseTo(300 / A4.width, 1);
});

test("what readers show of form fields without an appearance is seen, too", async () => {
  const page = await show(oneDocument([{ width: 612, height: 792 }]), formWithoutAppearances);
  await drawn(page);
  const byUs = await page.evaluate<string[]>(`(() => {
    const canvas = document.querySelector(".sheet canvas");
    const scale = canvas.width / 612;
    return ${JSON.stringify(places)}.flatMap(({ name, x, y, width, height }) => {
      const { data } = canvas.getContext("2d").getImageData(x * scale + 2, y * scale + 2, width * scale - 4, height * scale - 4);
      return data.some((shade, at) => at % 4 === 1 && shade < 128) ? [name] : [];
    });
  })()`);
  const { across, shades } = firstPage(formWithoutAppearances);
  const byPoppler = places.flatMap(({ name, x, y, width, height }) => {
    const lines = Array.from({ length: height - 4 }, (_, line) => (y + 2 + line) * across + x + 2);
    return lines.some((at) => shades.subarray(at, at + width - 4).some((shade) => shade < 128)) ? [name] : [];
  });
  expect(byUs).toEqual(byPoppler.filter((name) => !LEFT_OUT.includes(name)));
  expect(byPoppler).toEqual(expect.arrayContaining(LEFT_OUT));
  expect(byPoppler.length).toBeGreaterThan(16);
});

describe("sharpness", () => {
  test("follows two fingers, up to a limit", async () => {
    const page = await show(oneDocument([A4]), await pdfOf(1), {
      viewport: PHONE,
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
    });
    await drawn(page);
    const before = (await pictures(page)).widest;
    const shown = (await page.locator(".sheet").first().boundingBox())?.width ?? 0;
    expect(before).toBe(Math.round(shown * 2));
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Emulation.setPageScaleFactor", { pageScaleFactor: 2 });
    await expect.poll(async () => (await pictures(page)).widest).toBe(Math.round(shown * 4));
    await devtools.send("Emulation.setPageScaleFactor", { pageScaleFactor: 5 });
    await expect.poll(async () => (await pictures(page)).widest).toBeGreaterThan(shown * 4);
    const { count, pixels } = await pictures(page);
    expect([count, pixels <= 8_010_000]).toEqual([1, true]);
  });

  test("follows the zoom of the bar, with the fields", async () => {
    const page = await show(oneDocument([A4], [field("here")]), await pdfOf(1));
    await drawn(page);
    const before = (await pictures(page)).widest;
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(async () => (await pictures(page)).widest).toBe(Math.floor(before * 1.25));
    expect((await placeIn(page, '[data-field="here"] .box')).x).toBeCloseTo(0.3, 2);
    expect(await page.getByText("Zoom 125 %").count()).toBe(1);
    await page.getByRole("button", { name: "Zoom out" }).click();
    await expect.poll(async () => (await pictures(page)).widest).toBe(before);
  });
});

describe("a document that cannot be shown", () => {
  const says = "This browser cannot show contrato.pdf. Download the document and read it before you go on.";

  test("is offered as a file", async () => {
    const broken = Buffer.from("%PDF-1.7\nthis is no document");
    const page = await show(oneDocument([A4]), broken);
    await page.getByRole("alert").getByText(says).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download contrato.pdf", exact: true }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("contrato.pdf");
    expect(fs.readFileSync(await file.path())).toEqual(broken);
  });

  test("for want of a connection is loaded when somebody tries again", async () => {
    const page = await show(oneDocument([A4]), await pdfOf(1));
    await page.route("**/dev/reader/doc.pdf", (route) => route.abort());
    await page.reload();
    await page.getByText("contrato.pdf could not be loaded. Check the connection.").waitFor();
    await page.getByRole("button", { name: "Download contrato.pdf before signing" }).click();
    await page.getByText("The document could not be downloaded.").waitFor();
    await page.unroute("**/dev/reader/doc.pdf");
    const file = await pdfOf(1);
    await page.route("**/dev/reader/doc.pdf", (route) =>
      route.fulfill({ contentType: "application/pdf", body: Buffer.from(file) }),
    );
    await page.getByRole("button", { name: "Try again" }).click();
    await drawn(page);
    // The browser itself says that requests failed.
    opened.at(-1)?.complaints.splice(0);
  });
});

test("the original can be downloaded before signing", async () => {
  const file = await pdfOf(3);
  const page = await show(oneDocument([A4, A4, A4]), file);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download contrato.pdf before signing" }).click();
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(fs.readFileSync(await (await download).path()))).toBe(digest(file));
});

test("the first page of a large document does not wait for the rest", async () => {
  const file = await pdfOf(100, async (each, _, document) => {
    // 50 kB of each page that no page shows.
    each.node.set(PDFName.of("PieceInfo"), document.context.register(document.context.stream(randomBytes(50_000))));
  });
  expect(file.length).toBeGreaterThan(5_000_000);
  const page = await show(oneDocument(Array.from({ length: 100 }, () => A4)), file);
  let asked = 0;
  page.on("request", (request) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers()["range"] ?? "") ?? [];
    if (first !== undefined) asked += Number(last) + 1 - Number(first);
  });
  await page.reload();
  await drawn(page);
  expect(asked).toBeLessThan(1_000_000);
});

test("several documents lie one below the other, with their names", async () => {
  const stage: ReaderStage = {
    documents: ["one", "two"].map((id) => ({
      id,
      filename: `${id}.pdf`,
      page_sizes: [A4],
      address: `/dev/reader/${id}.pdf`,
    })),
    fields: [field("second", { document_id: "two" }), field("first", { document_id: "one" })],
  };
  const file = await pdfOf(1);
  const watched = await openReader(browser, selo, stage, { one: file, two: file });
  opened.push(watched);
  const { page } = watched;
  await drawn(page, 1, "one");
  await page.getByRole("heading", { name: "two.pdf" }).scrollIntoViewIfNeeded();
  await drawn(page, 1, "two");
  await page
    .locator('[data-page="two/1"]')
    .getByRole("button", { name: "Field 2, Text on page 1, to fill in" })
    .click();
  await page.getByText("page 2 of 2", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Download two.pdf before signing" }).count()).toBe(1);
});

test("fonts that a PDF only names come from us", async () => {
  const file = await pdfOf(1, (each, _, document) => {
    const { context } = document;
    const cidFont = context.obj({
      Type: "Font",
      Subtype: "CIDFontType0",
      BaseFont: "HeiseiMin-W3",
      CIDSystemInfo: { Registry: PDFString.of("Adobe"), Ordering: PDFString.of("Japan1"), Supplement: 2 },
      DW: 1000,
    });
    const font = context.obj({
      Type: "Font",
      Subtype: "Type0",
      BaseFont: "HeiseiMin-W3",
      Encoding: "90ms-RKSJ-H",
      DescendantFonts: [context.register(cidFont)],
    });
    const name = each.node.newFontDictionary("Japan", context.register(font));
    const text = context.stream(`BT /${name.decodeText()} 20 Tf 60 600 Td <8c5f96f1> Tj ET`);
    each.node.addContentStream(context.register(text));
  });
  const page = await show(oneDocument([A4]), file);
  const watched = opened.at(-1);
  await drawn(page);
  await expect.poll(() => page.locator(".pdf-text").innerText()).toContain("契約");
  expect(watched?.requests.some((request) => /90ms-RKSJ-H-[\w-]+\.bcmap$/.test(request.url()))).toBe(true);
});
