import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingPictures, writeGroupPage } from "./index-page.ts";
import { photographMockups } from "./mockups.ts";
import { Camera, photograph } from "./shots.ts";
import { openStage, type Stage } from "./stage.ts";
import { LANGUAGES, type Language, type State } from "./states.ts";

/** Further pictures of a state that is shown. */
type More = (page: Page, name: string, language: Language) => Promise<void>;

/**
 * Each state in each language, at both widths, in both themes: a picture, nothing beyond the edge, and axe finds nothing (WCAG 2.2 AA and
 * best practice). Afterwards a page shows all pictures.
 * @returns what is on stage while tests run
 */
export function photographGroup(group: string, states: Readonly<Record<string, State>>, more?: More): () => Stage {
  const start = new Date();
  let stage: Stage;
  const cameras = new Map<Language, Camera>();
  const camera = (language: Language) => cameras.get(language) as Camera;
  beforeAll(async () => {
    stage = await openStage();
    for (const language of LANGUAGES) cameras.set(language, await Camera.open(stage.browser, stage, language));
    const mockups = Object.values(states).flatMap(({ mockup = {} }) => Object.values(mockup));
    await photographMockups(stage.browser, [...new Set(mockups)]);
  });
  afterAll(async () => {
    writeGroupPage(group, states);
    await stage.close();
  });

  describe.each(LANGUAGES)("%s", (language) => {
    const shown = Object.entries(states).filter(([, { languages = LANGUAGES }]) => languages.includes(language));
    test.each(shown)("%s", { timeout: 60_000 }, async (name, state) => {
      await camera(language).show(state, async (page) => {
        expect(await page.evaluate("document.documentElement.lang")).toBe(language);
        await photograph(page, name, language, state);
        await more?.(page, name, language);
      });
    });
  });

  test("the page of the pictures shows every state, in both widths and themes and in each of its languages", () => {
    writeGroupPage(group, states);
    expect(missingPictures(group, start)).toEqual([]);
  });
  return () => stage;
}
