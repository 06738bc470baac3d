import path from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";
import { expect } from "vitest";
import { CHROMIUM } from "../../support/chromium.ts";
import type { TestGateway } from "../../support/gateway.ts";
import type { PageFile } from "./proofs.ts";

/** Where screenshots land: for people to look at, never compared. */
const SCREENSHOTS = path.join(import.meta.dirname, "../../../test-output/screenshots");

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 900 };

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(CHROMIUM);
}

/** A page in its own context, of which every request and every complaint is known. */
export interface WatchedPage {
  readonly page: Page;
  readonly requests: Request[];
  /** What the console shows as an error or warning, and exceptions. */
  readonly complaints: string[];
  /** Closes it, after making sure that nothing left the origin and nothing but digests left the browser. */
  close(): Promise<void>;
}

export async function openPage(
  browser: Browser,
  baseUrl: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: baseUrl, locale: "en", viewport: DESKTOP, ...options });
  const page = await context.newPage();
  // Below the limit of a test, which would not say what was waited for.
  page.setDefaultTimeout(30_000);
  const requests: Request[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => requests.push(request));
  context.on("console", (message) => {
    // A look-up that fails is logged by the browser itself.
    if (["error", "warning"].includes(message.type()) && !/status of (404|429|503)/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return {
    page,
    requests,
    complaints,
    close: async () => {
      const cookies = await context.cookies();
      await context.close();
      expect(complaints).toEqual([]);
      expect(cookies).toEqual([]);
      for (const request of requests) expectHarmless(request, baseUrl);
    },
  };
}

const visited: WatchedPage[] = [];

/** A page of the gateway, with some files given to it; {@link endVisits} closes it. */
export async function visit(
  browser: Browser,
  { baseUrl }: Pick<TestGateway, "baseUrl">,
  path: string,
  ...files: readonly PageFile[]
): Promise<WatchedPage> {
  const watched = await openPage(browser, baseUrl);
  visited.push(watched);
  await watched.page.goto(path);
  if (files.length > 0) await watched.page.locator('input[type="file"]').setInputFiles([...files]);
  return watched;
}

/** After each test. */
export async function endVisits(): Promise<void> {
  for (const each of visited.splice(0)) await each.close();
}

/** Waits until the page shows this heading. */
export function heading(page: Page, name: string): Promise<void> {
  return page.getByRole("heading", { name, exact: true }).waitFor();
}

/** Waits until the verify page shows this verdict, and the cards of the result, which are drawn after it; says its sentence. */
export async function verdict(page: Page, state: string, tone?: "ok" | "bad" | "info" | "warn"): Promise<string> {
  await page.locator(`.verdict${tone === undefined ? "" : `.${tone}`} .state`, { hasText: state }).waitFor();
  await page.locator(".columns .bone").first().waitFor({ state: "detached" });
  return page.locator(".verdict h1").innerText();
}

/** Waits until the thread of the verify page has loaded all that it reads files with, so that the page needs no network any more. */
export async function threadLoaded(page: Page): Promise<void> {
  const loads = `performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /assets.(receipt|dossier)-/.test(name))`;
  const parts = async () => (await page.workers()[0]?.evaluate<string[]>(loads)) ?? [];
  await expect.poll(parts, { timeout: 30_000 }).toHaveLength(2);
  // A part that is loaded is loaded with what it imports.
  await page.workers()[0]?.evaluate(`Promise.all(${loads}.map((name) => import(name))).then(() => {})`);
}

/** The sentence after the verdict. */
export function lead(page: Page): Promise<string> {
  return page.locator(".verdict .lead").innerText();
}

/** Every check passed, except what the code and the file alone leave open. */
export const ALL_PASSED = {
  file: "passed",
  evidence: "passed",
  ed25519: "passed",
  ml_dsa_87: "passed",
  keys: "not_checked",
  record: "not_checked",
};

const CODE = "[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}";
/** What tests type in the place of a code. */
const NO_CODE = "%3Cscript%3Ealert\\(1\\)%3C%2Fscript%3E|paid%E2%80%AEgnp|Your%20proof%20is%20VALID%20call%20555";
/** Whatever pages of ours have a reason to get. Anything else could tell something of a file. */
const FETCHED = [
  "/",
  "/(?:nowhere|trust|status|favicon\\.ico|sample/code\\.svg)",
  "/guides(?:/[a-z-]+)?",
  `/verify(?:/(?:${CODE}|${NO_CODE}))?`,
  "/assets/[a-z0-9-]+-[\\w-]{8}\\.(?:js|css|svg|woff2)",
  "/assets/[\\w-]+-[\\w-]{8}\\.(?:bcmap|pfb|ttf|wasm)",
  "/dev/reader(?:/[a-z]+\\.pdf)?",
  `/api/v1/public/(?:platform-key|(?:proofs|envelopes)/(?:${CODE}|%3F))`,
  "/selo-verify\\.mjs",
].map((path) => new RegExp(`^${path}$`));

/** To where the page came from, to a path that says nothing of a file, and with no other body than a digest. */
function expectHarmless(request: Request, baseUrl: string): void {
  const url = new URL(request.url());
  if (url.protocol === "blob:") return;
  expect(url.origin).toBe(new URL(baseUrl).origin);
  expect(url.search).toMatch(request.isNavigationRequest() ? /^(\?lang=(en|pt-BR))?$/ : /^$/);
  const body = request.postData();
  if (request.method() === "GET") {
    expect(body).toBeNull();
    expect(FETCHED.some((path) => path.test(url.pathname)) || url.pathname).toBe(true);
  } else {
    expect(request.method()).toBe("POST");
    expect(url.pathname).toMatch(/^\/api\/v1\/public\/(proofs|envelopes)\/verify$/);
    expect(JSON.parse(body ?? "")).toEqual({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  }
}

/** Result and reason of each check, as the page shows them. */
export async function shownChecks(page: Page): Promise<Record<string, string>> {
  // In groups that are closed when all is well.
  await page.locator("[data-check]").first().waitFor({ state: "attached" });
  const checks = await page.locator("[data-check]").all();
  const entries = checks.map(async (check) => [
    await check.getAttribute("data-check"),
    await check.getAttribute("data-result"),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}

export function screenshot(page: Page, name: string): Promise<Buffer> {
  return page.screenshot({ path: path.join(SCREENSHOTS, `${name}.jpg`), fullPage: true });
}
