// What pages are without a mouse, without scripts, at 400 % and in each language. What axe finds in each state: ../screens.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { heading, launchBrowser, openPage, verdict } from "./browser.ts";
import { type OwnProof, pageFile, register } from "./proofs.ts";

let selo: TestGateway;
let browser: Browser;
let proof: OwnProof;
const file = pageFile("Contrato de locação 2026.pdf", "The contract, version 3.");

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000" }), launchBrowser()]);
  const organization = await selo.newOrganization({ name: "Imobiliária São João Ltda" });
  proof = await register(selo, organization.live, file);
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

test("guides are read, and lead on, without JavaScript", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl, { javaScriptEnabled: false });
  await page.goto("/guides");
  await heading(page, "Guides");
  await page.getByRole("navigation", { name: "Guides" }).getByRole("link", { name: "Errors" }).click();
  await heading(page, "insufficient_credits");
  await page.goto("/guides/errors#unavailable");
  await page
    .getByRole("navigation", { name: "Previous and next guide" })
    .getByRole("link", { name: "Operating" })
    .click();
  await heading(page, "Start a deployment");
  expect(await page.getByRole("button").count()).toBe(0);
  await close();
});

test("400 % zoom, or a very narrow screen, needs no sideways scrolling (WCAG 1.4.10)", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl, { viewport: { width: 320, height: 256 } });
  await page.goto(`/verify/${proof.verification_code}`);
  await page.locator('input[type="file"]').setInputFiles([file]);
  await page.locator(".verdict.ok").waitFor();
  await page.locator("details.keys summary").click();
  await expectNoSidewaysScroll(page);
  await expectButtonsFit(page);
  await close();
});

test("by keyboard alone: skip link, code, files, keys, every stop with a visible focus", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl);
  await page.goto("/verify");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.id")).toBe("code");
  await page.keyboard.type(proof.verification_code);
  await page.keyboard.press("Enter");
  await page.locator(".verdict.info").waitFor();
  // From the result on: every stop is visible, and the section about keys, which is loaded later, opens.
  await page.locator("details.keys").waitFor();
  await page.evaluate("document.body.focus()");
  for (let stop = 0; stop < 20; stop++) {
    await page.keyboard.press("Tab");
    const outlined = await page.evaluate(`(() => {
      const focused = document.activeElement;
      if (focused === document.body) return null;
      const shown = focused.matches("input[type=file]") ? focused.nextElementSibling : focused;
      return getComputedStyle(shown).outlineStyle !== "none";
    })()`);
    if (outlined === null) break;
    expect(outlined).toBe(true);
    if ((await page.evaluate("document.activeElement.tagName")) === "SUMMARY") await page.keyboard.press("Enter");
  }
  expect(await page.locator("details.keys").getAttribute("open")).not.toBeNull();
  await close();
});

test("what came of it is announced: the verdict is a live region, and its sentence takes the focus", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl);
  await page.goto(`/verify/${proof.verification_code}`);
  // One element all along: screen readers announce what changes in it.
  const region = await page.getByRole("status").elementHandle();
  await page.locator(".verdict.info").waitFor();
  await page.locator('input[type="file"]').setInputFiles([file]);
  await page.getByRole("status").getByText("Matches").waitFor();
  expect(await region?.innerText()).toBe("Matches");
  const focused = () => page.evaluate("document.activeElement.textContent");
  await expect.poll(focused).toContain("was registered by Imobiliária São João Ltda");
  await close();
});

describe("the language", () => {
  test("is that of the address, else the one chosen here before, else the browser's", async () => {
    const { page, close } = await openPage(browser, selo.baseUrl, { locale: "pt-PT" });
    const lang = () => page.evaluate("document.documentElement.lang");
    await page.goto("/verify");
    expect(await lang()).toBe("pt-BR");
    await page.goto("/verify?lang=en");
    expect([await lang(), await page.title()]).toEqual(["en", "Verify a proof · Selo"]);
    await page.getByRole("link", { name: "Português" }).click();
    // Words of another language are loaded when they are chosen.
    await expect.poll(async () => [await lang(), await page.title()]).toEqual(["pt-BR", "Verificar uma prova · Selo"]);
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("link", { name: "English" }).click();
    await expect.poll(lang).toBe("en");
    await page.goto("/");
    expect(await lang()).toBe("en");
    await close();
  });

  test("that nobody translated is English", async () => {
    const { page, close } = await openPage(browser, selo.baseUrl, { locale: "ja" });
    await page.goto("/");
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    await close();
  });

  test("can be changed without losing what was dropped", async () => {
    const { page, close } = await openPage(browser, selo.baseUrl);
    await page.goto("/verify");
    await page.locator('input[type="file"]').setInputFiles([file]);
    await verdict(page, "Matches");
    await page.getByRole("link", { name: "Português" }).click();
    expect(await verdict(page, "Confere")).toContain("foi registrado por Imobiliária São João Ltda");
    await close();
  });
});

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
}

/** Their whole text, on the screen. */
async function expectButtonsFit(page: Page): Promise<void> {
  const cut = await page.evaluate(`[...document.querySelectorAll("button, .button")]
    .filter((button) => {
      const { left, right } = button.getBoundingClientRect();
      return left < 0 || right > innerWidth || button.scrollWidth > button.clientWidth;
    })
    .map((button) => button.textContent)`);
  expect(cut).toEqual([]);
}
