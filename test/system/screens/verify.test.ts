// The verify page in each state: on screens, on paper, in forced colours, without scripts.
import { describe, expect, test } from "vitest";
import { photographGroup } from "./group.ts";
import { Camera, photographOtherMedia, shoot } from "./shots.ts";
import { LANGUAGES, type State, VERIFY_STATES } from "./states.ts";

const stage = photographGroup("verify", VERIFY_STATES, photographOtherMedia);

describe.each(LANGUAGES)("%s, without scripts", (language) => {
  const paths: Readonly<Record<string, State["path"]>> = {
    empty: () => "/verify",
    "code-alone": ({ proof }) => `/verify/${proof.verification_code}`,
  };
  test.each(Object.entries(paths))("%s says what is missing", async (name, path) => {
    const camera = await Camera.open(stage().browser, stage(), language, false);
    await camera.show({ path, shown: "main" }, async (page) => {
      expect((await page.locator("main").innerText()).length).toBeGreaterThan(80);
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot(page, `${name}-no-script-${language}.png`);
    });
    await camera.close();
  });
});
