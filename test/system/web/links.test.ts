// Whatever a page links to is there, in both languages.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
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

const LANGUAGES = ["en", "pt-BR"];

describe.each(LANGUAGES)("%s", (locale) => {
  const FRAME = ["/", "/docs", "/guides", "/status", "/trust", "/verify"];
  const PUBLIC_KEYS = "/api/v1/public/platform-key";
  const SAMPLE = ["/sample/contract.txt", "/sample/evidence.json", "/sample/keys.json", "/selo-verify.mjs"];
  const GUIDES = ["analysts", "graphql", "proofs", "security-model#the-audit-trail", "webhooks", "dns", "signatures"];
  const FURTHER = ["proof-format", "security-model", "verifying"];
  const guides = (names: readonly string[]) => names.map((name) => `/guides/${name}`);
  const links: readonly (readonly [path: string, links: readonly string[]])[] = [
    ["/", [...FRAME, ...SAMPLE, ...guides(GUIDES)]],
    ["/trust", [...FRAME, PUBLIC_KEYS, ...guides(FURTHER)]],
    ["/status", [...FRAME, "/guides/verifying#offline", "/readyz"]],
    ["/nowhere", FRAME],
    ["/verify", FRAME],
  ];
  // Each page in one language, in turn; in `npm run test:full` in both.
  const ours = links.filter((_, place) => byLane({ lane: LANGUAGES[place % 2] === locale, full: true }));
  test.each(ours)("%s", async (path, expected) => {
    const { page, close } = await openPage(browser, selo.baseUrl, { locale });
    await page.goto(path);
    await page.locator("main h1").waitFor();
    const found = await page
      .locator("a[href]:not([href^='#']):not([data-language]):not([href^='https://www.planalto.gov.br/'])")
      .evaluateAll((all) => all.map((link) => String((link as unknown as { href: string }).href)));
    await close();
    const paths = [...new Set(found)].map((link) => link.replace(selo.baseUrl, "")).sort();
    expect(paths).toEqual([...expected].sort());
    for (const each of paths) {
      const response = await fetch(selo.baseUrl + each, { headers: { accept: "text/html,*/*;q=0.8" } });
      expect([each, response.status]).toEqual([each, 200]);
      await response.body?.cancel();
    }
  });
});
