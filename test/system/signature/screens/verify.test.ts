// The verify page in each state: on screens, on paper, in forced colours; and without scripts.
import path from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { byLane } from "../../../support/lane.ts";
import { photographGroup } from "../../screens/group.ts";
import { Camera, photographForcedColours, photographPaper, shoot } from "../../screens/shots.ts";
import { LANGUAGES, type Language } from "../../screens/state.ts";
import { openVerifyStage } from "./verify-stage.ts";
import { VERIFY_STATES, type VerifyState } from "./verify-states.ts";

type Verdicts = Readonly<Record<string, { readonly state: string; readonly title?: string }>>;
/** Imported while the tests run, because the words have the DOM's types, which are not known here. */
const verdicts = {} as Record<Language, Verdicts>;
beforeAll(async () => {
  const folder = path.resolve(import.meta.dirname, "../../../../src/web/verify");
  verdicts.en = (await import(`${folder}/words-en.ts`)).en.verdicts;
  verdicts["pt-BR"] = (await import(`${folder}/words-pt-br.ts`)).ptBr.verdicts;
});

/** The verdict is the one that the state is named for, and the title of the tab has it, with the code of the address. */
async function expectVerdict(page: Page, name: string, language: Language): Promise<void> {
  const kind = VERIFY_STATES[name]?.verdict;
  if (kind === undefined) return;
  const words = verdicts[language][kind];
  expect(await page.locator(".verdict .state").textContent()).toBe(words?.state);
  const [result = ""] = (words?.title ?? words?.state ?? "").split("{");
  const title = await page.title();
  expect([title, title.startsWith(result) && title.endsWith(" · Selo")]).toEqual([title, true]);
  const [, code] = /^\/verify\/([0-9A-Z-]{14})$/.exec(new URL(page.url()).pathname) ?? [];
  if (code !== undefined) expect(title).toContain(code);
}

// With the verdict that the state is named for; the lane prints every second state, and takes forced colours of half of the others.
const stage = photographGroup({
  name: "verify",
  open: openVerifyStage,
  states: VERIFY_STATES,
  more: async (page, name, language) => {
    await expectVerdict(page, name, language);
    const place = Object.keys(VERIFY_STATES).indexOf(name);
    if (byLane({ lane: place % 4 === 0, full: true })) await photographForcedColours(page, name, language);
    if (byLane({ lane: place % 2 === 1, full: true })) await photographPaper(page, name, language);
  },
});

test("every verdict has a picture", () => {
  const shown = new Set(Object.values(VERIFY_STATES).map(({ verdict }) => verdict));
  expect(Object.keys(verdicts.en).filter((kind) => !shown.has(kind))).toEqual([]);
});

describe.each(LANGUAGES)("%s, without scripts", (language) => {
  const paths: Readonly<Record<string, VerifyState["path"]>> = {
    empty: () => "/verify",
    "code-alone": ({ proof }) => `/verify/${proof.verification_code}`,
  };
  test.each(Object.entries(paths))("%s says what is missing", async (name, address) => {
    const camera = await Camera.open(stage(), language, false);
    await camera.show({ path: address, shown: "main" }, async (page) => {
      expect((await page.locator("main").innerText()).length).toBeGreaterThan(80);
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot(page, `${name}-no-script-${language}.jpg`);
    });
    await camera.close();
  });
});
