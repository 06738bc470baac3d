// /openapi.json and the reference made of it at /docs, in a browser.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axe } from "../../support/axe.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { routes } from "../../support/routes.ts";
import { DESKTOP, launchBrowser } from "./browser.ts";

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
const FILES = ["/openapi.json", "/docs", "/docs/proofs-of-existence", "/docs/schemas"];

test("/openapi.json is schema/openapi.json, byte for byte, without a token", async () => {
  const response = await get("/openapi.json");
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const file = path.join(import.meta.dirname, "../../../schema/openapi.json");
  expect(await response.text()).toBe(fs.readFileSync(file, "utf8"));
});

test.each(FILES)("%s is kept by browsers: 304 to who knows its ETag, compressed or not", async (file) => {
  for (const [encoding, coding] of [
    ["gzip, br", "br"],
    ["gzip", "gzip"],
    ["identity", null],
    ["gzip;q=0", null],
  ] as const) {
    const first = await get(file, { "accept-encoding": encoding });
    expect(first.status).toBe(200);
    expect(first.headers.get("content-encoding")).toBe(coding);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("vary")).toBe("Accept-Encoding");
    await first.arrayBuffer();
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}(-gzip|-br)?"$/);
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
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  // Its own address is whole, for search engines: no browser loads it.
  const page = (await response.text()).replace(/<link rel="canonical"[^>]*>/, "");
  expect(page).not.toMatch(/ style=|<style|<script(?! type="module"[^>]* src="\/assets\/)|(src|href)="https?:/);
});

/** A page at /docs, with where its requests went and what its console complained about. */
async function openDocs(where = "/docs", options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const outside: string[] = [];
  const complaints: string[] = [];
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!["data:", "blob:"].includes(protocol) && origin !== selo.baseUrl) outside.push(request.url());
  });
  page.on("console", (message) => {
    // An answer that refuses is logged by the browser itself.
    if (["error", "warning"].includes(message.type()) && !/status of 401/.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${selo.baseUrl}${where}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return {
    page,
    close: async () => {
      await context.close();
      expect({ outside, complaints }).toEqual({ outside: [], complaints: [] });
    },
  };
}

/** The addresses of all pages of the reference, as the first one lists them. */
async function pagePaths(): Promise<string[]> {
  const linkedFrom = async (where: string) =>
    [...(await (await get(where)).text()).matchAll(/href="(\/docs(?:\/[\w-]+){0,2})["#]/g)].map(
      ([, path]) => path ?? "",
    );
  // Each document has an overview.
  const documents = ["/docs", "/docs/openapi-signing", "/docs/openapi-dns", "/docs/openapi-accounts"];
  const paths = await Promise.all(documents.map(linkedFrom));
  return [...new Set(paths.flat())];
}

test("the overview lists every operation, without a script and asking nobody else, and each link leads to it", async () => {
  const { page, close } = await openDocs("/docs", { javaScriptEnabled: false });
  // Streams have a path and are no ordinary operation.
  expect(await page.locator(".operations li").count()).toBeGreaterThan(routes.length);
  for (const { summary, method, path } of routes) {
    const entry = page
      .locator(".operations li")
      .filter({ has: page.getByRole("link", { name: summary, exact: true }) })
      .filter({ hasText: path.replaceAll(/:(\w+)/g, "{$1}") })
      .filter({ hasText: method });
    expect(await entry.count(), `${method} ${path}`).toBe(1);
    const [address = "", id] = ((await entry.getByRole("link").getAttribute("href")) ?? "").split("#");
    expect(await (await get(address)).text(), `${method} ${path}`).toContain(`id="${id}"`);
  }
  await close();
});

test("every link between pages, schemas and headers leads somewhere", async () => {
  const texts = new Map<string, string>();
  for (const each of await pagePaths()) texts.set(each, await (await get(each)).text());
  expect(texts.size).toBeGreaterThan(8);
  for (const [from, text] of texts)
    for (const [, address = "", id] of text.matchAll(/href="(\/docs[^"#]*|)#([^"]+)"/g)) {
      const target = texts.get(address === "" ? from : address);
      expect(target?.includes(` id="${id}"`), `${from} has a link to ${address}#${id}`).toBe(true);
    }
});

/** The overview, and groups of operations: small ones, for axe takes half a minute on the largest. */
const KINDS = ["/docs", "/docs/audit-trail", "/docs/billing"];

/** Those that follow each other differ in both. */
const LOOKS = [
  { name: "phone", viewport: { width: 390, height: 844 }, colorScheme: "light" },
  { name: "desktop", viewport: DESKTOP, colorScheme: "dark" },
  { name: "phone", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  { name: "desktop", viewport: DESKTOP, colorScheme: "light" },
] as const;

describe("how it looks", () => {
  // Each page in one look, in turn; in `npm run test:full` in all.
  const looks = KINDS.flatMap((where, place) =>
    LOOKS.filter((_, look) => byLane({ lane: look === place, full: true })).map((look) => ({ ...look, where })),
  );
  test.each(looks)(
    "on a $name in the $colorScheme theme, axe finds nothing on $where, and nothing is wider than the page",
    async ({ name, viewport, colorScheme, where }) => {
      const { page, close } = await openDocs(where, { colorScheme, viewport });
      const file = `docs${where.slice(5).replace("/", "-")}-${name}-${colorScheme}.png`;
      await page.screenshot({ path: path.join(SCREENSHOTS, file) });
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      const { violations } = await axe(page).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      await close();
    },
  );
});

describe("what is tried there is done", () => {
  let docs: Awaited<ReturnType<typeof openDocs>>;
  let token: string;
  beforeAll(async () => {
    ({ live: token } = await selo.newOrganization());
    docs = await openDocs("/docs/proofs-of-existence#registerProof");
  });
  afterAll(() => docs.close());

  const section = (id: string) => docs.page.locator(`#${id}`);
  const send = async (id: string, address: RegExp) => {
    const answered = docs.page.waitForResponse(address);
    await section(id).getByRole("button", { name: "Send" }).click();
    return answered;
  };

  test("a digest is registered, as the example has it", async () => {
    await section("registerProof").getByText("Try it").click();
    await section("registerProof").getByLabel("Token", { exact: true }).fill(token);
    const answer = await send("registerProof", /\/api\/v1\/proofs$/);
    expect({ status: answer.status(), label: (await answer.json()).label }).toEqual({
      status: 201,
      label: "Contract 12",
    });
    await section("registerProof").getByText("201 Created").waitFor();
    await docs.page.screenshot({ path: path.join(SCREENSHOTS, "docs-try.png") });
  });

  test("the same token sends the other forms of the page: a file is registered", async () => {
    await section("uploadProof").getByText("Try it").click();
    await section("uploadProof")
      .getByLabel("file", { exact: true })
      .setInputFiles({
        name: "a.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("a"),
      });
    const answer = await send("uploadProof", /\/api\/v1\/proofs\/files$/);
    const body = await answer.json();
    expect({ status: answer.status(), name: body.file_name, size: body.file_size }).toEqual({
      status: 201,
      name: "a.txt",
      size: 1,
    });
  });

  test("what stands in a path and in a query is sent there, and a file that comes can be saved", async () => {
    await section("listProofs").getByText("Try it").click();
    await section("listProofs").getByLabel("search", { exact: true }).fill("a & b");
    await section("listProofs").getByLabel("limit", { exact: true }).fill("1");
    const list = await send("listProofs", /\/api\/v1\/proofs\?/);
    expect(new URL(list.url()).search).toBe("?limit=1&search=a+%26+b");
    expect((await list.json()).items).toEqual([]);
    const made = await selo.newOrganization();
    const registered = await fetch(`${selo.baseUrl}/api/v1/proofs`, {
      method: "POST",
      headers: { authorization: `Bearer ${made.live}`, "content-type": "application/json" },
      body: JSON.stringify({ sha256: "a".repeat(64) }),
    });
    const { id } = (await registered.json()) as { readonly id: string };
    await section("getReceipt").getByText("Try it").click();
    await section("getReceipt").getByLabel("Token", { exact: true }).fill(made.live);
    await section("getReceipt").getByLabel("id", { exact: true }).fill(id);
    expect((await send("getReceipt", /\/receipt$/)).status()).toBe(200);
    const download = docs.page.waitForEvent("download");
    await section("getReceipt")
      .getByRole("link", { name: /^Save the file/ })
      .click();
    const file = fs.readFileSync(await (await download).path());
    expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("an error is shown as it came", async () => {
    await section("getProof").getByText("Try it").click();
    await section("getProof").getByLabel("Token", { exact: true }).fill("svc_live_wrong");
    await section("getProof").getByLabel("id", { exact: true }).fill("../me");
    const answer = await send("getProof", /\/api\/v1\/proofs\/\.\.%2Fme$/);
    expect(answer.status()).toBe(401);
    await section("getProof").getByText("401 Unauthorized").waitFor();
    await section("getProof").locator("[data-answer]").getByText('"unauthenticated"').waitFor();
  });

  test("the example is copied as a command", async () => {
    await docs.page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: selo.baseUrl });
    await section("registerProof").getByRole("button", { name: "Copy" }).first().click();
    await section("registerProof").getByRole("button", { name: "Copied" }).waitFor();
    const copied = await docs.page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain("http://selo.test/api/v1/proofs");
    const { stdout } = await promisify(execFile)("sh", ["-c", copied.replace("http://selo.test", selo.baseUrl)], {
      env: { ...process.env, TOKEN: token },
    });
    // The second time: the proof that was registered above.
    expect(JSON.parse(stdout)).toMatchObject({ label: "Contract 12", created: false });
  });

  test("the token is kept nowhere", async () => {
    const { page } = docs;
    await page.reload();
    const shown = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[data-token]')].map(({ value }) => value)",
    );
    expect(shown.length).toBeGreaterThan(1);
    const { cookies, origins } = await page.context().storageState({ indexedDB: true });
    expect(new Set(shown)).toEqual(new Set([""]));
    expect(JSON.stringify({ cookies, origins })).not.toContain(token.slice(0, 20));
  });
});
