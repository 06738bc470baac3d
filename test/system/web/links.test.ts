// Whatever a page links to is there, in both languages.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { launchBrowser, openPage } from "./browser.ts";

let selo: TestGateway;
let browser: Browser;
beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

describe.each(["en", "pt-BR"])("%s", (locale) => {
  test.each([
    ["/", ["/", "/docs", "/graphiql", "/guides", "/readyz", "/verify"]],
    ["/verify", ["/", "/api/v1/public/platform-key", "/selo-verify.mjs"]],
    ["/nowhere", ["/", "/verify"]],
  ])("%s", async (path, expected) => {
    const { page, close } = await openPage(browser, selo.baseUrl, { locale });
    await page.goto(path);
    await page.locator("main h1").waitFor();
    const links = await page
      .locator("a[href]:not([href^='#'])")
      .evaluateAll((found) => found.map((link) => String((link as unknown as { href: string }).href)));
    await close();
    const paths = [...new Set(links)].map((link) => link.replace(selo.baseUrl, "")).sort();
    expect(paths).toEqual(expected);
    for (const each of paths) {
      const response = await fetch(selo.baseUrl + each, { headers: { accept: "text/html,*/*;q=0.8" } });
      expect([each, response.status]).toEqual([each, 200]);
      await response.body?.cancel();
    }
  });
});
