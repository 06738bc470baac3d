// Every page and result in both languages, light and dark: axe finds nothing (WCAG 2.2 AA), and screenshots for people.
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guidePages } from "../../../src/surfaces/web/build-guides.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { DESKTOP, heading, launchBrowser, openPage, PHONE, screenshot } from "./browser.ts";
import { evidenceJson, type OwnProof, type PageFile, pageFile, platformKeys, receipt, register } from "./proofs.ts";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let selo: TestGateway;
let browser: Browser;
let proof: OwnProof;
let testProof: OwnProof;
let ownReceipt: PageFile;
let changedEvidence: PageFile;
const file = pageFile("Contrato de locação 2026.pdf", "The contract, version 3.");

beforeAll(async () => {
  [selo, browser] = await Promise.all([startTestGateway({ PUBLIC_REQUESTS_PER_MINUTE: "100000" }), launchBrowser()]);
  const organization = await selo.newOrganization({ name: "Imobiliária São João Ltda" });
  proof = await register(selo, organization.live, file);
  testProof = await register(selo, organization.test, file);
  ownReceipt = await receipt(selo, organization.live, proof);
  const changes = { organization: "Imobiliária São José Ltda" };
  changedEvidence = pageFile("evidence.json", evidenceJson(proof, await platformKeys(selo), changes));
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

/** A page in some state: where it is, and what to do there until it is in that state. */
const STATES: Readonly<Record<string, { path(): string; files?(): PageFile[]; shown: string; openKeys?: true }>> = {
  home: { path: () => "/", shown: ".slip" },
  trust: { path: () => "/trust", shown: "#key-list dd" },
  status: { path: () => "/status", shown: ".verdict.ok" },
  "not-found": { path: () => "/nowhere", shown: ".ask h1" },
  empty: { path: () => "/verify", shown: ".code-form" },
  "unknown-code": { path: () => "/verify/0000-0000-0000", shown: ".banner.caution" },
  "code-alone": { path: () => `/verify/${proof.verification_code}`, shown: ".banner.neutral" },
  verified: {
    path: () => `/verify/${proof.verification_code}`,
    files: () => [file],
    shown: ".banner.good",
    openKeys: true,
  },
  receipt: { path: () => "/verify", files: () => [ownReceipt, file], shown: ".banner.good" },
  "other-name": {
    path: () => `/verify/${proof.verification_code}`,
    files: () => [{ ...file, name: "scan.pdf" }],
    shown: "#file-name",
  },
  failed: { path: () => "/verify", files: () => [changedEvidence, file], shown: ".banner.bad" },
  test: { path: () => `/verify/${testProof.verification_code}`, files: () => [file], shown: ".banner.caution" },
};

describe.each(["en", "pt-BR"])("%s", (locale) => {
  test.each(Object.keys(STATES))("%s", async (name) => {
    const state = STATES[name];
    if (state === undefined) throw new Error(name);
    const { page, close } = await openPage(browser, selo.baseUrl, {
      locale,
      colorScheme: "light",
      // A colour halfway between two others has no contrast worth measuring.
      reducedMotion: "reduce",
      viewport: PHONE,
    });
    await page.goto(state.path());
    if (state.files) await page.locator('input[type="file"]').setInputFiles(state.files());
    await page.locator(state.shown).first().waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe(locale);
    if (state.openKeys) await page.locator("details.keys summary").click();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await expectButtonsFit(page);
    await screenshot(page, `${name}-phone-${locale}`);
    await page.setViewportSize(DESKTOP);
    await screenshot(page, `${name}-desktop-${locale}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
    await screenshot(page, `${name}-desktop-dark-${locale}`);
    if (name === "verified") {
      await page.setViewportSize(PHONE);
      await expectAccessible(page);
      await screenshot(page, `${name}-phone-dark-${locale}`);
    }
    await close();
  });
});

describe("guides", () => {
  test.each([...guidePages(path.resolve(import.meta.dirname, "../../..")).keys()])("%s", async (url) => {
    const { page, close } = await openPage(browser, selo.baseUrl, { colorScheme: "light", viewport: PHONE });
    await page.goto(url);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const name = url.slice(1).replace("/", "-");
    await screenshot(page, `${name}-phone`);
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
    await screenshot(page, `${name}-desktop-dark`);
    await close();
  });

  test("are read, and lead on, without JavaScript", async () => {
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
    await heading(page, "With Docker");
    expect(await page.getByRole("button").count()).toBe(0);
    await close();
  });
});

test("400 % zoom, or a very narrow screen, needs no sideways scrolling (WCAG 1.4.10)", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl, { viewport: { width: 320, height: 256 } });
  await page.goto(`/verify/${proof.verification_code}`);
  await page.locator('input[type="file"]').setInputFiles([file]);
  await page.locator(".banner.good").waitFor();
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
  await page.locator(".banner").waitFor();
  // From the result on: every stop is visible, and the section about keys opens.
  await page.evaluate("document.body.focus()");
  for (let stop = 0; stop < 20; stop++) {
    await page.keyboard.press("Tab");
    const outlined = await page.evaluate(`(() => {
      const focused = document.activeElement;
      if (focused === document.body) return null;
      const shown = focused.matches("input[type=file]") ? focused.parentElement : focused;
      return getComputedStyle(shown).outlineStyle !== "none";
    })()`);
    if (outlined === null) break;
    expect(outlined).toBe(true);
    if ((await page.evaluate("document.activeElement.tagName")) === "SUMMARY") await page.keyboard.press("Enter");
  }
  expect(await page.locator("details.keys").getAttribute("open")).not.toBeNull();
  await close();
});

test("what came of it is announced: the result is a live region", async () => {
  const { page, close } = await openPage(browser, selo.baseUrl);
  await page.goto(`/verify/${proof.verification_code}`);
  await page.locator('input[type="file"]').setInputFiles([file]);
  await page.getByRole("status").getByText("This exact file was registered").waitFor();
  await close();
});

describe("the language", () => {
  test("is that of the address, else the one chosen here before, else the browser's", async () => {
    const { page, close } = await openPage(browser, selo.baseUrl, { locale: "pt-PT" });
    const lang = () => page.evaluate("document.documentElement.lang");
    await page.goto("/verify");
    expect(await lang()).toBe("pt-BR");
    await page.goto("/verify?lang=en");
    expect([await lang(), await page.title()]).toEqual(["en", "Selo: verify a proof"]);
    await page.getByRole("button", { name: "Português" }).click();
    expect([await lang(), await page.title()]).toEqual(["pt-BR", "Selo: verificar uma prova"]);
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("button", { name: "English" }).click();
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
    await page.getByRole("heading", { name: "Verified", exact: true }).waitFor();
    await page.getByRole("button", { name: "Português" }).click();
    await page.getByRole("heading", { name: "Verificado", exact: true }).waitFor();
    await close();
  });
});

async function expectAccessible(page: Page): Promise<void> {
  // Its other mode opens a page for itself, for the sake of frames that there are none of.
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
}

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
