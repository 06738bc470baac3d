// The verify page in each state: on screens, on paper, in forced colours, without scripts.
import { describe, expect, test } from "vitest";
import { photographGroup } from "./group.ts";
import { Camera, photographOtherMedia, shoot } from "./shots.ts";
import { LANGUAGES, type State, VERIFY_STATES } from "./states.ts";

const group = photographGroup("verify", VERIFY_STATES);

describe.each(LANGUAGES)("%s, on paper and in forced colours", (language) => {
  const results = Object.entries(VERIFY_STATES).filter(([, { shown }]) => shown.includes("h1"));
  test.each(results)("%s", async (name, state) => {
    await group.camera(language).show(state, async (page) => {
      await photographOtherMedia(page, name, language);
      // The sentence is what somebody prints the page for.
      expect(await page.locator("main h1").first().isVisible()).toBe(true);
    });
  });
});

describe.each(LANGUAGES)("%s, without scripts", (language) => {
  const paths: Readonly<Record<string, State["path"]>> = {
    empty: () => "/verify",
    "code-alone": ({ proof }) => `/verify/${proof.verification_code}`,
  };
  test.each(Object.entries(paths))("%s says what is missing", async (name, path) => {
    const { browser } = group.stage();
    const camera = await Camera.open(browser, group.stage(), language, false);
    await camera.show({ path, shown: "main" }, async (page) => {
      expect((await page.locator("main").innerText()).length).toBeGreaterThan(80);
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot(page, `${name}-no-script-${language}.png`);
    });
    await camera.close();
  });
});
