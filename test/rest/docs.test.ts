// /openapi.json and the reference made of it at /docs, in a browser.
import fs from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../../src/rest/routes.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { launchBrowser, screenshot } from "../web/browser.ts";

let selo: TestGateway;
let browser: Browser;
beforeAll(async () => {
  selo = await startTestGateway();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await selo.stop();
});

const get = (where: string, headers: Record<string, string> = {}) => fetch(`${selo.baseUrl}${where}`, { headers });
const FILES = ["/openapi.json", "/docs", "/docs/scalar.js", "/docs/start.js"];

test("/openapi.json is schema/openapi.json, byte for byte, without a token", async () => {
  const response = await get("/openapi.json");
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const file = path.join(import.meta.dirname, "../../schema/openapi.json");
  expect(await response.text()).toBe(fs.readFileSync(file, "utf8"));
});

test.each(FILES)("%s is kept by browsers: 304 to who knows its ETag, compressed or not", async (file) => {
  for (const encoding of ["gzip", "identity", "gzip;q=0"]) {
    const first = await get(file, { "accept-encoding": encoding });
    expect(first.status).toBe(200);
    expect(first.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("vary")).toBe("accept-encoding");
    await first.arrayBuffer();
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}(-gzip)?"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get(file, { "accept-encoding": encoding, "if-none-match": known });
      expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: "" });
    }
    const other = await get(file, { "accept-encoding": encoding, "if-none-match": '"other"' });
    expect(other.status).toBe(200);
    await other.arrayBuffer();
  }
});

test("the page's policy allows scripts from here, nothing inline, and no other origin", async () => {
  const response = await get("/docs");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  expect(await response.text()).not.toMatch(/https?:\/\//);
});

/** A page at /docs, with where its requests went and what its console complained about. */
async function openDocs() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const outside: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && origin !== selo.baseUrl) outside.push(request.url());
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${selo.baseUrl}/docs`);
  await page.getByRole("heading", { name: "Selo", exact: true }).first().waitFor();
  return { page, outside, complaints, close: () => context.close() };
}

const operationHeading = (page: Page, summary: string) => page.getByRole("heading", { name: summary }).first();

test("/docs lists every operation, asks nobody else for anything, and breaks no policy", async () => {
  const { page, outside, complaints, close } = await openDocs();
  for (const { summary, tag } of routes) {
    await page.getByRole("heading", { name: tag }).first().scrollIntoViewIfNeeded();
    const heading = operationHeading(page, summary);
    await heading.scrollIntoViewIfNeeded();
    await expect.poll(() => heading.isVisible()).toBe(true);
  }
  await screenshot(page, "docs");
  await page.evaluate("window.scrollTo(0, 0)");
  await page.screenshot({ path: path.join(import.meta.dirname, "../../test-output/screenshots/docs-top.png") });
  await operationHeading(page, "Register a digest or a file").scrollIntoViewIfNeeded();
  await page.screenshot({ path: path.join(import.meta.dirname, "../../test-output/screenshots/docs-register.png") });
  await close();
  expect({ outside, complaints }).toEqual({ outside: [], complaints: [] });
});
