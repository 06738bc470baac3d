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
  const FRAME = ["/", "/docs", "/guides", "/status", "/trust", "/verify"];
  const PUBLIC_KEYS = "/api/v1/public/platform-key";
  const SAMPLE = ["/sample/contract.txt", "/sample/evidence.json", "/sample/keys.json", "/selo-verify.mjs"];
  const GUIDES = ["analysts", "graphql", "proofs", "security-model#the-audit-trail", "webhooks", "dns", "signatures"];
  const FURTHER = ["proof-format", "security-model", "verifying"];
  const guides = (names: readonly string[]) => names.map((name) => `/guides/${name}`);
  test.each([
    ["/", [...FRAME, ...SAMPLE, ...guides(GUIDES)]],
    ["/trust", [...FRAME, PUBLIC_KEYS, ...guides(FURTHER)]],
    ["/status", [...FRAME, "/guides/verifying#offline", "/readyz"]],
    ["/nowhere", FRAME],
    ["/verify", FRAME],
  ])("%s", async (path, expected) => {
    const { page, close } = await openPage(browser, selo.baseUrl, { locale });
    await page.goto(path);
    await page.locator("main h1").waitFor();
    const links = await page
      .locator("a[href]:not([href^='#']):not([data-language]):not([href^='https://www.planalto.gov.br/'])")
      .evaluateAll((found) => found.map((link) => String((link as unknown as { href: string }).href)));
    await close();
    const paths = [...new Set(links)].map((link) => link.replace(selo.baseUrl, "")).sort();
    expect(paths).toEqual([...expected].sort());
    for (const each of paths) {
      const response = await fetch(selo.baseUrl + each, { headers: { accept: "text/html,*/*;q=0.8" } });
      expect([each, response.status]).toEqual([each, 200]);
      await response.body?.cancel();
    }
  });
});
