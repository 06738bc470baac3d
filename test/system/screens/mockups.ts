import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { byLane } from "../../support/lane.ts";
import type { Look, Looks } from "./looks.ts";
import { SCREENS, shoot, wear } from "./shots.ts";
import type { Pictured, States } from "./state.ts";

/** Mockups lie beside the repository where designers work, and nowhere else. The lane photographs them only when they are named. */
const FOLDER =
  process.env.MOCKUPS ??
  byLane({ lane: null, full: path.resolve(import.meta.dirname, "../../../../shared/design/mockups/public") });

/** A drawing, and how it is looked at: it is in one language. */
type Drawn = readonly [mockup: string, look: Omit<Look, "language">];

/** The picture of a mockup, relative to the folder of pictures; null where it is not drawn. */
export function mockupShot(mockup: string, { width, theme }: Drawn[1]): string | null {
  const file = fileOf(mockup, { width, theme });
  return fs.existsSync(path.join(SCREENS, file)) ? file : null;
}

const fileOf = (mockup: string, { width, theme }: Drawn[1]) => `mockups/${mockup}-${width}-${theme}.jpg`;

/** The mockup beside a look of a state; that in Portuguese where none is drawn in its language. */
export function mockupOf({ mockup }: Pictured, { language }: Look): string | null {
  return mockup?.[language] ?? mockup?.["pt-BR"] ?? null;
}

/** Every mockup beside these looks. */
export function mockupsOf(states: States<Pictured>, looks: Looks): Drawn[] {
  return Object.entries(states).flatMap(([name, state]) =>
    (looks[name] ?? []).flatMap((look): Drawn[] => {
      const mockup = mockupOf(state, look);
      return mockup === null ? [] : [[mockup, look]];
    }),
  );
}

/** Takes a picture of each mockup that there is, once in each look. */
export async function photographMockups(browser: Browser, drawn: readonly Drawn[]): Promise<void> {
  if (FOLDER === null) return;
  const page = await browser.newPage();
  for (const [shot, [mockup, look]] of new Map(drawn.map((each) => [fileOf(...each), each]))) {
    // Those of applications lie beside those of public pages.
    const files = [FOLDER, path.join(FOLDER, "../app")].map((folder) => path.join(folder, `${mockup}.html`));
    const file = files.find((each) => fs.existsSync(each));
    if (file === undefined) continue;
    const address = pathToFileURL(file).href;
    if (page.url() !== address) await page.goto(address);
    await wear(page, look);
    await shoot(page, shot);
  }
  await page.close();
}
