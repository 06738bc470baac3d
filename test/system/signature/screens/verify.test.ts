// The verify page in each state, once: on screens, on paper, in forced colours; and without scripts. In every look: verify.full.test.ts.
import { describe, expect, test } from "vitest";
import { looksInTurn } from "../../screens/looks.ts";
import { Camera, shoot } from "../../screens/shots.ts";
import { photographVerifying } from "./verify-group.ts";
import { LANGUAGES, type State, VERIFY_STATES } from "./verify-states.ts";

const stage = photographVerifying(looksInTurn(VERIFY_STATES));

describe.each(LANGUAGES)("%s, without scripts", (language) => {
  const paths: Readonly<Record<string, State["path"]>> = {
    empty: () => "/verify",
    "code-alone": ({ proof }) => `/verify/${proof.verification_code}`,
  };
  test.each(Object.entries(paths))("%s says what is missing", async (name, address) => {
    const camera = await Camera.open(stage().browser, stage(), language, false);
    await camera.show({ path: address, shown: "main" }, async (page) => {
      expect((await page.locator("main").innerText()).length).toBeGreaterThan(80);
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot(page, `${name}-no-script-${language}.png`);
    });
    await camera.close();
  });
});
