import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStage, type Stage } from "../signature/screens/verify-stage.ts";
import { LANGUAGES, type Language, type State } from "../signature/screens/verify-states.ts";
import { missingPictures, writeGroupPage } from "./index-page.ts";
import type { Look, Looks } from "./looks.ts";
import { mockupsOf, photographMockups } from "./mockups.ts";
import { Camera, photograph } from "./shots.ts";

/** Further pictures of a state that is shown. */
type More = (page: Page, name: string, language: Language) => Promise<void>;

/**
 * Each state in each of its looks: a picture, nothing beyond the edge, and axe finds nothing (WCAG 2.2 AA and best practice). Afterwards a
 * page shows all these pictures.
 * @returns what is on stage while tests run
 */
export function photographGroup(
  group: string,
  states: Readonly<Record<string, State>>,
  looks: Looks,
  more?: More,
): () => Stage {
  const start = new Date();
  let stage: Stage;
  const cameras = new Map<Language, Camera>();
  const camera = (language: Language) => cameras.get(language) as Camera;
  beforeAll(async () => {
    stage = await openStage();
    for (const language of LANGUAGES) cameras.set(language, await Camera.open(stage.browser, stage, language));
    await photographMockups(stage.browser, mockupsOf(states, looks));
  });
  afterAll(async () => {
    writeGroupPage(group, states, looks, start);
    await stage.close();
  });

  describe.each(LANGUAGES)("%s", (language) => {
    const shown = Object.entries(states).flatMap(([name, state]): [string, State, readonly Look[]][] => {
      const ours = looks[name]?.filter((look) => look.language === language) ?? [];
      return ours.length === 0 ? [] : [[name, state, ours]];
    });
    test.each(shown)("%s", async (name, state, ours) => {
      await camera(language).show(state, async (page) => {
        expect(await page.evaluate("document.documentElement.lang")).toBe(language);
        await photograph(page, name, ours, state);
        await more?.(page, name, language);
      });
    });
  });

  test("the page of the pictures shows every state, in each of its looks", () => {
    writeGroupPage(group, states, looks, start);
    expect(missingPictures(group, start)).toEqual([]);
  });
  return () => stage;
}
