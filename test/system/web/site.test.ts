// What the script of the site's pages does in a browser: it copies code, lists keys, and keeps the language.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerSample } from "../../../src/main/register-sample.ts";
import { sampleFile } from "../../../src/surfaces/web/sample-file.ts";
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

test("a button beside each block of code copies it, and says so", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto("/guides/webhooks");
  const samples = page.locator("figure.sample");
  const buttons = samples.getByRole("button", { name: "Copy" });
  expect(await buttons.count()).toBe(await samples.count());
  await samples.nth(1).getByRole("button").click();
  await samples.nth(1).getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
    await samples.nth(1).locator("code").textContent(),
  );
  await close();
});

test("/trust lists every key that the API publishes", async () => {
  const { platform_keys: keys } = (await (await fetch(`${selo.baseUrl}/api/v1/public/platform-key`)).json()) as {
    readonly platform_keys: readonly { readonly key_id: string }[];
  };
  const { page, close } = await openPage(browser, selo.baseUrl);
  await page.goto("/trust");
  await page
    .locator("#key-list dd .mono", { hasText: /^ed25519-/ })
    .first()
    .waitFor();
  expect(await page.locator("#key-list dd .mono").allTextContents()).toEqual(keys.map(({ key_id }) => key_id));
  await close();
});

test.each([390, 1280])("/trust keeps the place of the list of keys, at %i px", async (width) => {
  const { page, close } = await openPage(browser, selo.baseUrl, { viewport: { width, height: 900 } });
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/v1/public/platform-key", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto("/trust");
  const below = page.getByRole("heading", { name: "Read on" });
  const before = await below.boundingBox();
  expect(await page.locator("#key-list .blank").count()).toBeGreaterThan(0);
  answer();
  await page
    .locator("#key-list dd .mono", { hasText: /^ed25519-/ })
    .first()
    .waitFor();
  expect(await page.locator("#key-list .blank").count()).toBe(0);
  expect(await below.boundingBox()).toEqual(before);
  await close();
});

test("/trust without scripts has the download, and no empty list", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl, { javaScriptEnabled: false });
  await page.goto("/trust");
  await page.getByRole("link", { name: "Download the keys (JSON)" }).waitFor();
  expect(await page.locator("#key-list").isVisible()).toBe(false);
  await close();
});

test("/trust offers the download when the list cannot be read", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl);
  await page.route("**/api/v1/public/platform-key", (route) => route.fulfill({ status: 503 }));
  await page.goto("/trust");
  await page.getByText("The list could not be read now.").waitFor();
  await page.getByRole("link", { name: "Download the keys (JSON)" }).waitFor();
  await close();
});

test("the chosen language stays on other pages", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl);
  await page.goto("/");
  await page.getByRole("link", { name: "Português" }).click();
  await page.getByRole("heading", { name: "Como se verifica" }).waitFor();
  await page.goto("/status");
  await page.getByRole("heading", { name: "O que foi testado" }).waitFor();
  await close();
});

test.each([
  ["en", 390],
  ["pt-BR", 390],
  ["pt-BR", 320],
] as const)("%s: the bar has guides and API in view at %i px, and nothing overflows", async (locale, width) => {
  const { page, close } = await openPage(browser, selo.baseUrl, { locale, viewport: { width, height: 844 } });
  for (const address of ["/", "/verify"]) {
    await page.goto(address);
    for (const path of ["/verify", "/guides", "/docs"])
      expect(await page.locator(`header.bar a[href="${path}"]`).isVisible(), path).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  }
  await close();
});

test("/graphiql leads back to Selo from above its editor, at 390 and 1280 px", async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`${selo.baseUrl}/graphiql`);
  await page.locator(".graphiql-toolbar button").first().waitFor();
  const below = () => page.evaluate("document.documentElement.scrollHeight - innerHeight");
  expect(await below()).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect.poll(below).toBeLessThanOrEqual(0);
  await page.getByRole("link", { name: "Selo GraphiQL" }).click({ trial: true }); // nothing lies above it
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("link", { name: "Selo GraphiQL" }).click();
  await page.waitForURL(`${selo.baseUrl}/`);
  await page.close();
});

test.each([
  ["en", "UTC", 390],
  ["pt-BR", "America/Sao_Paulo", 1280],
])("the card of the home page says what its link shows, in %s", async (locale, timezoneId, width) => {
  const { live } = await selo.newOrganization({ name: "Horizonte Ltda" });
  const code = await registerSample(selo.baseUrl, live, { warn: () => {} });
  await selo.gateway.showSample(code ?? "");
  const viewport = { width, height: 900 };
  const { page, close } = await openPage(browser, selo.baseUrl, { locale, timezoneId, viewport });
  await page.goto("/");
  const card = page.locator(".slip");
  const [state, sentence] = [await card.locator(".state").innerText(), await card.locator(".said").innerText()];
  expect(await card.innerText()).toContain(code);
  await card.locator("a[href^='/verify/']").click();
  await page.locator(".verdict.info").waitFor();
  expect(await page.locator(".verdict .state").innerText()).toBe(state);
  expect(await page.locator(".verdict h1").innerText()).toBe(sentence);
  // Its file matches.
  await page.locator("input[type=file]").first().setInputFiles(sampleFile());
  await page.locator(".verdict.ok").waitFor();
  expect(await page.locator(".verdict h1").innerText()).toContain("Horizonte Ltda");
  await close();
});
