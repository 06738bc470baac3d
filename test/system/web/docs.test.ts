// /openapi.json and the reference made of it at /docs, in a browser.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fastify from "fastify";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { docsPlugin } from "../../../src/surfaces/openapi/served/docs.ts";
import { apiV1 } from "../../../src/surfaces/rest/api-v1.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { routes } from "../../support/routes.ts";
import { launchBrowser } from "./browser.ts";

/** To look at; of what is in sight, since the whole page is very long. */
const SCREENSHOTS = path.join(import.meta.dirname, "../../../test-output/screenshots");

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
  const file = path.join(import.meta.dirname, "../../../schema/openapi.json");
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
async function openDocs(hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
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
  await page.goto(`${selo.baseUrl}/docs${hash}`);
  await page.getByRole("heading", { name: "Selo", exact: true }).first().waitFor();
  return { page, outside, complaints, close: () => context.close() };
}

test("/docs lists every operation, asks nobody else for anything, and breaks no policy", async () => {
  const { page, outside, complaints, close } = await openDocs();
  const entries = page.locator("aside a, nav a");
  await expect.poll(() => entries.count()).toBeGreaterThan(routes.length);
  const listed = (await entries.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  for (const { summary, method } of routes) {
    // Where there is little room, DELETE is DEL.
    const name = new RegExp(`^${summary} HTTP METHOD: ${method.replace("DELETE", "DEL(ETE)?")}$`, "i");
    expect(
      listed.filter((text) => name.test(text)),
      summary,
    ).toHaveLength(1);
  }
  await page.screenshot({ path: path.join(SCREENSHOTS, "docs.png") });
  await close();
  expect({ outside, complaints }).toEqual({ outside: [], complaints: [] });
});

describe("what is tried there is done", () => {
  let docs: Awaited<ReturnType<typeof openDocs>>;
  let token: string;
  beforeAll(async () => {
    const { live } = await selo.newOrganization();
    docs = await openDocs("#tag/proofs-of-existence/POST/proofs");
    token = live;
    await docs.page.getByPlaceholder("Token").first().fill(live);
    await docs.page.getByRole("button", { name: "Test Request (post /proofs)" }).click();
  });
  afterAll(async () => {
    const { outside, complaints, close } = docs;
    await close();
    expect({ outside, complaints }).toEqual({ outside: [], complaints: [] });
  });

  const send = async ({ page } = docs) => {
    const answered = page.waitForResponse(/\/api\/v1\/proofs(\/files)?$/);
    await page.getByRole("button", { name: /^Send/ }).first().click();
    const response = await answered;
    return { status: response.status(), body: await response.json() };
  };

  test("a digest is registered, as the example has it", async () => {
    const { status, body } = await send();
    expect({ status, label: body.label }).toEqual({ status: 201, label: "Contract 12" });
    await docs.page.getByText("201 Created").waitFor();
    await docs.page.screenshot({ path: path.join(SCREENSHOTS, "docs-try.png") });
  });

  test("a file is registered", async () => {
    const ofFiles = await openDocs("#tag/proofs-of-existence/POST/proofs/files");
    const { page } = ofFiles;
    await page.getByPlaceholder("Token").first().fill(token);
    await page.getByRole("button", { name: "Test Request (post /proofs/files)" }).click();
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Select File" }).first().click();
    await (await chosen).setFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
    await page.getByText("a.txt").first().waitFor();
    const { status, body } = await send(ofFiles);
    expect({ status, name: body.file_name, size: body.file_size }).toEqual({ status: 201, name: "a.txt", size: 1 });
    const { outside, complaints, close } = ofFiles;
    await close();
    expect({ outside, complaints }).toEqual({ outside: [], complaints: [] });
  });

  test("the token is kept nowhere", async () => {
    const { page } = docs;
    await page.reload();
    await page.getByRole("heading", { name: "Selo", exact: true }).first().waitFor();
    const shown = await page.getByPlaceholder("Token").first().inputValue();
    const { cookies, origins } = await page.context().storageState({ indexedDB: true });
    expect(shown).toBe("");
    expect(JSON.stringify({ cookies, origins })).not.toContain(token.slice(0, 20));
  });
});

test("of two surfaces each is shown with its title, one at a time", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-docs-"));
  fs.mkdirSync(path.join(folder, "schema"));
  const description = fs.readFileSync(path.join(import.meta.dirname, "../../../schema/openapi.json"), "utf8");
  fs.writeFileSync(path.join(folder, "schema/openapi.json"), description);
  const rows = { ...JSON.parse(description), info: { title: "Rows", version: "1" } };
  fs.writeFileSync(path.join(folder, "schema/openapi-rows.json"), JSON.stringify(rows));
  const app = fastify();
  const second = {
    ...apiV1,
    prefix: "/rows",
    document: { ...apiV1.document, file: "schema/openapi-rows.json" as const, title: "Rows" },
  };
  await app.register((scope) => docsPlugin(scope, [apiV1, second], folder));
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(10_000);
  try {
    for (const [slug, title] of [
      ["openapi", "Selo"],
      ["openapi-rows", "Rows"],
    ]) {
      await page.goto(`${address}/docs?api=${slug}`);
      await page
        .getByRole("heading", { name: title as string, exact: true })
        .first()
        .waitFor();
    }
    await page.screenshot({ path: path.join(SCREENSHOTS, "docs-two.png") });
    // The other one can be chosen.
    await page.getByRole("button", { name: "Rows" }).first().click();
    await page
      .getByRole("option", { name: "Selo" })
      .or(page.getByRole("menuitem", { name: "Selo" }))
      .first()
      .click();
    await page.getByRole("heading", { name: "Selo", exact: true }).first().waitFor();
  } finally {
    await page.close();
    await app.close();
    fs.rmSync(folder, { recursive: true });
  }
});
