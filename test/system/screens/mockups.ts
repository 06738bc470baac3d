import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { SCREENS, shoot, THEMES, WIDTHS } from "./shots.ts";

/** Mockups lie beside the repository where designers work, and nowhere else. */
const FOLDER = process.env.MOCKUPS ?? path.resolve(import.meta.dirname, "../../../../shared/design/mockups/public");

/** The picture of a mockup, relative to the folder of pictures; null where it is not drawn. */
export function mockupShot(mockup: string, width: number, theme: string): string | null {
  const file = `mockups/${mockup}-${width}-${theme}.png`;
  return fs.existsSync(path.join(SCREENS, file)) ? file : null;
}

/** Takes pictures of the mockups where there are any, in both widths and both themes. */
export async function photographMockups(browser: Browser, mockups: readonly string[]): Promise<void> {
  const page = await browser.newPage();
  for (const mockup of mockups) {
    // Those of applications lie beside those of public pages.
    const files = [FOLDER, path.join(FOLDER, "../app")].map((folder) => path.join(folder, `${mockup}.html`));
    const file = files.find((each) => fs.existsSync(each));
    if (file === undefined) continue;
    await page.goto(pathToFileURL(file).href);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        await shoot(page, `mockups/${mockup}-${width}-${colorScheme}.png`);
      }
    }
  }
  await page.close();
}
