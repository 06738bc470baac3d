// Mails as people see them: each form, in both languages, in both themes, on a phone and beside a list of mails.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SmtpSender } from "../../../src/adapters/mail/smtp-sender.ts";
import { MARK_PNG } from "../../../src/services/platform/mails/mark.ts";
import { axe } from "../../support/axe.ts";
import { InboxStage } from "../../support/inbox-stage.ts";
import { byLane } from "../../support/lane.ts";
import { composeSample, LANGUAGES, sampleMails } from "../../support/sample-mails.ts";
import { launchBrowser } from "./browser.ts";
import { renderMark } from "./make-mail-mark.ts";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** A program that shows a mail has the landmarks; a mail is an article in it. */
const OF_PAGES = ["landmark-one-main", "region"];
const WIDTHS = [390, 700];
const SCHEMES = ["light", "dark"] as const;
const LOOKS = SCHEMES.flatMap((colorScheme) => WIDTHS.map((width) => ({ colorScheme, width })));
/** Each mail in one language, and judged by axe in one look, both in turn; in `npm run test:full` in all. */
const languagesOf = (place: number) => byLane({ lane: [LANGUAGES[place % 2] ?? "en"], full: [...LANGUAGES] });
const isJudged = (place: number, look: number) => byLane({ lane: look === (place >> 1) % LOOKS.length, full: true });

let stage: InboxStage;
let browser: Browser;
/** One page for all mails in a language, which keeps what Chromium has compiled of axe, and what it asked for. */
const readers = new Map<string, { readonly page: Page; readonly requests: string[] }>();
beforeAll(async () => {
  [stage, browser] = await Promise.all([InboxStage.open(), launchBrowser()]);
  for (const locale of LANGUAGES) {
    const page = await browser.newPage({ locale });
    page.setDefaultTimeout(30_000);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    readers.set(locale, { page, requests });
  }
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
beforeEach(() => stage.empty());

/** Whether the image of the mail is there, and what stands out of the window at its side. */
const SEEN = `({
  images: [...document.images].map(({ complete, naturalWidth, width }) => [complete, naturalWidth, width]),
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  background: getComputedStyle(document.querySelector(".card")).backgroundColor,
  buttons: [...document.querySelectorAll(".button")].map((button) => button.getBoundingClientRect().height),
})`;

interface Seen {
  readonly images: readonly [boolean, number, number][];
  readonly overflow: number;
  readonly background: string;
  readonly buttons: readonly number[];
}

describe.each(Object.keys(sampleMails).map((name, place) => [name, place] as const))("%s", (name, place) => {
  test.each(languagesOf(place))(
    "in %s",
    async (language) => {
      const sample = sampleMails[name];
      if (sample === undefined) throw new Error(`there is no sample ${name}`);
      // Over the wire, as an e-mail program gets it.
      const from = { name: "Selo", address: "no-reply@selo.example" };
      await new SmtpSender({ url: stage.smtpUrl, from, dkim: null }).send(composeSample(sample, { language }));
      const [mail] = stage.inbox.list();
      // Shown in its own page: the sandbox of the inbox would also stop axe.
      const html = await (await stage.get(`/dev/inbox/${mail?.id}/html`)).text();
      const backgrounds = new Set<string>();
      const { page, requests } = readers.get(language) as { page: Page; requests: string[] };
      await page.setContent(html);
      for (const [look, { colorScheme, width }] of LOOKS.entries()) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const seen = (await page.evaluate(SEEN)) as Seen;
        expect(seen.images).toEqual([[true, 56, 28]]);
        expect(seen.overflow).toBe(0);
        // WCAG 2.2 asks for 24 pixels; a finger needs 44.
        for (const height of seen.buttons) expect(height).toBeGreaterThanOrEqual(44);
        backgrounds.add(seen.background);
        if (!isJudged(place, look)) continue;
        expect(await faults(page)).toEqual([]);
      }
      expect(requests.splice(0).filter((url) => !url.startsWith("data:"))).toEqual([]);
      // Light and dark.
      expect(backgrounds.size).toBe(2);
    },
    60_000,
  );
});

async function faults(page: Page): Promise<string[]> {
  const { violations } = await axe(page).withTags(WCAG).disableRules(OF_PAGES).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

test("the mark of mails is what src/web/design/mark.svg shows", async () => {
  const page = await browser.newPage();
  const [kept, rendered] = await Promise.all([pixelsOf(page, MARK_PNG), pixelsOf(page, await renderMark(browser))]);
  await page.close();
  expect(kept).toHaveLength(56 * 56 * 4);
  // Another version of the browser may blend the edges differently: by a twelfth of the range at most, and on average by nearly nothing.
  const differences = kept.map((value, place) => Math.abs(value - (rendered[place] ?? 0)));
  expect(Math.max(...differences)).toBeLessThan(20);
  expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(0.5);
});

/** Red, green, blue, alpha of each pixel. */
function pixelsOf(page: Page, png: Buffer): Promise<number[]> {
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return [...canvas.getImageData(0, 0, image.naturalWidth, image.naturalHeight).data];
  })()`);
}
