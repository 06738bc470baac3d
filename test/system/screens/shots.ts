import fs from "node:fs";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { axe } from "../../support/axe.ts";
import type { Look, Width } from "./looks.ts";
import type { Language, Pictured, Stage, State } from "./state.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
/** Pictures are for people to look at, never compared. */
export const SCREENS = path.join(ROOT, "test-output/screens");

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All that another theme can change. */
const RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"];
const HEIGHTS: Readonly<Record<Width, number>> = { 390: 844, 1280: 900 };
/** Where most readers of the language live. */
const TIME_ZONES: Readonly<Record<Language, string>> = { en: "Europe/London", "pt-BR": "America/Sao_Paulo" };
/** The width of a sheet of A4 at 96 dots per inch. */
const PAPER = { width: 794, height: 1123 };

/** The name of a picture without its folder: state, width, theme, language. Chromium writes a JPEG in two thirds of the time of a PNG. */
export function shotName(state: string, { width, theme, language }: Look): string {
  return `${state}-${width}-${theme}-${language}.jpg`;
}

/** One browser profile for all states in one language: what one state loaded is there for the next. */
export class Camera<Own extends Stage> {
  readonly #context: BrowserContext;
  readonly #stage: Own;
  readonly language: Language;

  private constructor(context: BrowserContext, stage: Own, language: Language) {
    this.#context = context;
    this.#stage = stage;
    this.language = language;
  }

  static async open<Own extends Stage>(stage: Own, language: Language, hasScript = true): Promise<Camera<Own>> {
    const context = await stage.browser.newContext({
      baseURL: stage.selo.baseUrl,
      locale: language,
      timezoneId: TIME_ZONES[language],
      // A colour halfway between two others has no contrast worth measuring.
      reducedMotion: "reduce",
      javaScriptEnabled: hasScript,
    });
    // While a page is open, Chromium's renderer lives on: the next page finds axe and our scripts compiled.
    await (await context.newPage()).goto("/healthz");
    return new Camera(context, stage, language);
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** Opens a page in this state, hands it over, and makes sure that nothing was loaded from elsewhere and nothing complained. */
  async show(state: State<Own>, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(30_000);
    const complaints = watch(page, this.#stage.selo.baseUrl);
    try {
      await state.before?.(page, this.#stage);
      const response = await page.goto(state.path(this.#stage));
      expect(response?.status()).toBe(state.status ?? 200);
      if (state.files)
        await page
          .locator('input[type="file"]')
          .first()
          .setInputFiles([...state.files(this.#stage)]);
      await state.act?.(page, this.#stage);
      await page.locator(state.shown).first().waitFor();
      await use(page);
      expect(complaints).toEqual([]);
    } finally {
      await page.close();
    }
  }
}

/** Collects what the console complains about, and requests that leave the origin. */
function watch(page: Page, origin: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A request that fails is logged by the browser itself.
    if (
      ["error", "warning"].includes(message.type()) &&
      !/status of (401|403|404|409|422|429|503)|ERR_FAILED/.test(message.text())
    )
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["blob:", "data:"].includes(url.protocol) && url.origin !== origin) complaints.push(request.url());
  });
  return complaints;
}

/** A picture of each look, on which axe finds nothing and nothing stands beyond the edge. */
export async function photograph(page: Page, name: string, looks: readonly Look[], state: Pictured): Promise<void> {
  const found: Record<string, unknown> = {};
  // The first theme of a width is judged by every rule, the other one by those that it can change.
  const judged = new Set<Width>();
  for (const look of looks) {
    const { width, theme } = look;
    await wear(page, look);
    const faults = [
      ...(await axeFaults(page, state, judged.has(width) ? RULES_OF_COLOURS : null)),
      ...(await overflowing(page)),
    ];
    judged.add(width);
    if (faults.length > 0) found[`${width} ${theme}`] = faults;
    await shoot(page, shotName(name, look));
  }
  expect(found).toEqual({});
}

/** Gives the page the width and the theme of a look. */
export async function wear(page: Page, { width, theme }: Omit<Look, "language">): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHTS[width] });
  await page.emulateMedia({ colorScheme: theme });
}

/** In colours that the visitor forces. */
export async function photographForcedColours(page: Page, name: string, language: Language): Promise<void> {
  await page.setViewportSize({ width: 1280, height: HEIGHTS[1280] });
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  await shoot(page, `${name}-forced-colours-${language}.jpg`);
  await page.emulateMedia({ forcedColors: "none" });
}

/** On paper. */
export async function photographPaper(page: Page, name: string, language: Language): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", media: "print" });
  await page.setViewportSize(PAPER);
  expect(await overflowing(page)).toEqual([]);
  // The sentence is what somebody prints the page for.
  expect(await page.locator("main h1").first().isVisible()).toBe(true);
  await shoot(page, `${name}-print-${language}.jpg`);
  await page.emulateMedia({ media: "screen" });
}

export async function shoot(page: Page, file: string): Promise<void> {
  fs.mkdirSync(SCREENS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENS, file), fullPage: true });
}

/** @param rules all that we keep to by default */
async function axeFaults(page: Page, { foreign = [] }: Pictured, rules: readonly string[] | null): Promise<string[]> {
  let judge = rules === null ? axe(page).withTags(RULES) : axe(page).withRules([...rules]);
  for (const selector of foreign) judge = judge.exclude(selector);
  const { violations } = await judge.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

/** What stands beyond the right edge of the page, without a box that scrolls it. */
async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const edge = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= edge) return [];
    const isWide = (each) => each.getBoundingClientRect().right > edge + 1;
    const wide = [...document.body.querySelectorAll("*")].filter((each) => isWide(each) && ![...each.children].some(isWide));
    return ["overflow: " + wide.slice(0, 5).map((each) => each.outerHTML.slice(0, 80)).join(" | ")];
  })()`);
}
