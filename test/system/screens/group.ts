import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { missingPictures, writeGroupPage } from "./index-page.ts";
import { walk } from "./keyboard-walk.ts";
import { type Look, looksAt, WIDTHS, type Width } from "./looks.ts";
import { mockupsOf, photographMockups } from "./mockups.ts";
import { Camera, photograph, wear } from "./shots.ts";
import { LANGUAGES, type Language, type Stage, type State, type States } from "./state.ts";

/** States that one page of pictures shows. */
export interface Group<Own extends Stage> {
  /** The name of that page. */
  readonly name: string;
  readonly open: () => Promise<Own>;
  readonly states: States<State<Own>>;
  /** Further pictures of a state that is shown, and what else is expected of it. */
  readonly more?: (page: Page, name: string, language: Language) => Promise<void>;
}

/**
 * Each state in one of its looks, in full in all of them: a picture, nothing beyond the edge, and axe finds nothing (WCAG 2.2 AA and best
 * practice). Afterwards a page shows all these pictures. Some states are also walked through by keyboard.
 * @returns what is on stage while tests run
 */
export function photographGroup<Own extends Stage>({ name: group, open, states: all, more }: Group<Own>): () => Own {
  const start = new Date();
  const states = Object.fromEntries(
    Object.entries(all).filter(([, { onlyInFull = false }]) => byLane({ lane: !onlyInFull, full: true })),
  );
  const looks = looksAt(states);
  let stage: Own;
  const cameras = new Map<Language, Camera<Own>>();
  const camera = (language: Language) => cameras.get(language) as Camera<Own>;
  beforeAll(async () => {
    stage = await open();
    for (const language of LANGUAGES) cameras.set(language, await Camera.open(stage, language));
    await photographMockups(stage.browser, mockupsOf(states, looks));
  });
  afterAll(async () => {
    writeGroupPage(group, states, looks, start);
    await stage.close();
  });

  describe.each(LANGUAGES)("%s", (language) => {
    const shown = Object.entries(states).flatMap(([name, state]): [string, State<Own>, readonly Look[]][] => {
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

  const walks = Object.entries(states)
    .filter(([, { walked }]) => walked)
    .flatMap(([name, state], index): [string, Width, State<Own>][] =>
      byLane<readonly Width[]>({ lane: [WIDTHS[index % WIDTHS.length] as Width], full: WIDTHS }).map((width) => [
        name,
        width,
        state,
      ]),
    );
  describe.runIf(walks.length > 0)("by keyboard alone", () => {
    test.each(walks)("%s at %d px", async (_, width, state) => {
      await camera("en").show(state, async (page) => {
        await wear(page, { width, theme: "light" });
        await walk(page);
      });
    });
  });

  test("the page of the pictures shows every state, in each of its looks", () => {
    writeGroupPage(group, states, looks, start);
    expect(missingPictures(group, start)).toEqual([]);
  });
  return () => stage;
}
