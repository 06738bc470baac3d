// How pages and assets are served: caching, compression, the policy, what is missing, and what is no way out of dist/web.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signaturePages } from "../../../src/services/signature/pages.ts";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { FILES_FOLDER, PAGE_LIST, PAGES_FOLDER, type PageEntry } from "../../../src/surfaces/web/built-files.ts";
import { readWebApp, type WebAppOptions, webAppPlugin } from "../../../src/surfaces/web/serve.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { expectError, sendRaw } from "../../support/rest-client.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

const HTML = { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };
const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(selo.baseUrl + url, { method, headers, redirect: "manual" });
const read = async (...request: Parameters<typeof get>) => {
  const response = await get(...request);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const assets = fs.readdirSync(path.join(webAppFolder(), "assets")).filter((name) => !/\.(br|gz)$/.test(name));
const VERIFY = ["/verify", "/verify/7Q2M-K9XT-4HBC", "/verify/", "/verify/%2e%2e%2fhome", "/verify/a?lang=en"];
/** Pages that are the same at every request. */
const KEPT = ["/", "/trust", "/guides", "/guides/webhooks", ...VERIFY];
const PAGES = [...KEPT, "/status"];

describe("a page", () => {
  test.each(KEPT)("%s: asked for again every time, 304 while it is the same, HEAD like GET", async (url) => {
    const page = await get(url, HTML);
    expect(page.status).toBe(200);
    expect(await page.text()).toMatch(/^<!doctype html>/i);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(page.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    const etag = page.headers.get("etag") ?? "";
    // As browsers ask: fetch by itself would say no-cache.
    const again = await get(url, { ...HTML, "if-none-match": etag, "cache-control": "max-age=0" });
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: "" });
    const head = await get(url, HTML, "HEAD");
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
    expect(head.headers.get("etag")).toBe(etag);
  });

  test.each([...PAGES, "/nowhere"])(
    "%s: a policy that allows nothing inline and nothing from elsewhere",
    async (url) => {
      const page = await get(url, HTML);
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy.split("; ")).toEqual([
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
      const text = await page.text();
      expect(text).not.toMatch(/<style| style=|<script(?![^>]*src="\/assets\/)|\son\w+=/i);
      for (const [, address = ""] of text.matchAll(/<(?:link|script|img|meta)[^>]* (?:href|src)="([^"]*)"/g))
        expect(address).toMatch(/^(\/|http:\/\/selo\.test\/)/);
    },
  );

  test("is told apart by its coding: a cache hands nobody bytes that they cannot read", async () => {
    const codings = ["identity", "gzip", "br", "zstd"];
    const pages = await Promise.all(codings.map((coding) => get("/trust", { ...HTML, "accept-encoding": coding })));
    expect(pages.map(({ headers }) => headers.get("content-encoding") ?? "identity")).toEqual(codings);
    // Equal in meaning and not in bytes: RFC 9110 §8.8.1.
    for (const { headers } of pages) expect(headers.get("etag")).toMatch(/^W\//);
    const [page] = pages;
    const known = { "if-none-match": page?.headers.get("etag") ?? "", "cache-control": "max-age=0" };
    const again = await get("/trust", { ...HTML, ...known });
    expect([again.status, again.headers.get("vary")]).toEqual([304, page?.headers.get("vary")]);
  });

  test("other methods are 405", async () => {
    for (const url of ["/", "/verify"]) {
      const response = await get(url, HTML, "POST");
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

test.each([`/assets/${assets[0]}`, "/favicon.ico", "/selo-verify.mjs"])("%s: a range is ignored", async (url) => {
  const whole = await (await get(url)).text();
  for (const range of ["bytes=0-9", "bytes=99999999-"]) {
    const answer = await get(url, { range });
    expect({ status: answer.status, isWhole: (await answer.text()) === whole }).toEqual({ status: 200, isWhole: true });
    expect(answer.headers.get("accept-ranges")).toBe(null);
  }
});

test("the offline verifier is a download, with the licenses of what is in it", async () => {
  const verifier = await get("/selo-verify.mjs");
  expect(verifier.status).toBe(200);
  expect(verifier.headers.get("content-type")).toMatch(/^(text|application)\/javascript/);
  expect(verifier.headers.get("content-disposition")).toBe('attachment; filename="selo-verify.mjs"');
  expect(verifier.headers.get("cache-control")).toBe("no-cache");
  const text = await verifier.text();
  expect(text).toMatch(/^#!\/usr\/bin\/env node/);
  for (const name of ["@noble/post-quantum", "@cantoo/pdf-lib", "commander"])
    expect(text.slice(-100_000)).toContain(name);
});

describe("an asset", () => {
  test.each(assets)("%s: kept forever, under the same policy, compressed as asked", async (name) => {
    const plain = await get(`/assets/${name}`, { "accept-encoding": "identity" });
    const bytes = Buffer.from(await plain.arrayBuffer());
    expect(plain.status).toBe(200);
    expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(plain.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(name).toMatch(/-[\w-]{8}\.(js|css|svg|woff2|bcmap|pfb|ttf|wasm)$/);
    // A font is compressed in itself. What pdf.js needs beside itself is loaded for few PDFs.
    if (/\.(woff2|bcmap|pfb|ttf|wasm)$/.test(name)) return;
    for (const [encoding, unpack] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const response = await get(`/assets/${name}`, { "accept-encoding": encoding }, "HEAD");
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(response.headers.get("vary")).toMatch(/accept-encoding/i);
      expect(response.headers.get("content-type")).toBe(plain.headers.get("content-type"));
      const packed = fs.readFileSync(path.join(webAppFolder(), "assets", name + { br: ".br", gzip: ".gz" }[encoding]));
      expect(response.headers.get("content-length")).toBe(String(packed.length));
      expect(unpack(packed).equals(bytes)).toBe(true);
    }
  });

  test("of another build is 404 in JSON, even to a browser", async () => {
    const response = await get("/assets/verify-00000000.js", HTML);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
  });
});

describe("what is not there", () => {
  test.each([
    "/nowhere",
    "/verify/a/b",
    "/VERIFY",
    "/apis",
    "//",
    "/index.html",
    "/home",
    "/home.html",
    "/not-found",
    "/pages/home.en.html",
    "/pages.json",
    "/sample",
    "/stamp",
  ])("%s is a page to a browser and JSON to a program", async (url) => {
    for (const method of ["GET", "HEAD"]) {
      const page = await get(url, HTML, method);
      expect(page.status).toBe(404);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(await page.text()).toMatch(method === "GET" ? /<h1>This page does not exist<\/h1>/ : /^$/);
    }
    for (const [method, accept] of [
      ["GET", "application/json"],
      ["GET", "*/*"],
      ["POST", "text/html"],
    ] as const) {
      expectJson(await get(url, { accept }, method));
    }
  });

  test.each([
    "/api/nothing",
    "/api/v1/nothing",
    "/graphql/x",
    "/graphiql/x",
    "/docs/x",
    "/healthz/x",
    "/readyz/x",
    "/assets/",
  ])("%s is JSON even to a browser", async (url) => {
    expectJson(await get(url, HTML));
  });

  test.each([
    "/assets/../stamp",
    "/assets/../../package.json",
    "/assets/..%2fstamp",
    "/assets/%2e%2e/stamp",
    "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
    "/assets/..%5c..%5cpackage.json",
    "/assets/....//stamp",
    "/assets//etc/passwd",
    "/assets/%00",
    "/verify/../../package.json",
    "/../package.json",
  ])("%s is no way out of the assets", async (url) => {
    const response = await sendRaw(selo, `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expectError(response, 404, "not_found");
  });

  test("an address that does not decode is 400 to a program", async () => {
    for (const url of ["/verify/%", "/assets/%zz", "/verify/%ff", "/verify?code=%zz"]) {
      expectError(await sendRaw(selo, `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`), 400, "malformed_request");
    }
  });

  test.each(["/verify/%ZZ", "/verify/%ff", "/%", "/trust?lang=%zz"])(
    "%s does not decode: a browser gets the page of what does not exist, in its language",
    async (url) => {
      const { status, headers, text } = await read(url, { ...HTML, "accept-language": "pt-BR" });
      expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(text).toContain("<h1>Esta página não existe</h1>");
    },
  );

  test.each(["/api/v1/proofs/%zz", "/assets/%zz"])("%s does not decode: JSON even to a browser", async (url) => {
    const response = await sendRaw(selo, `GET ${url} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`);
    expectError(response, 400, "malformed_request");
  });
});

/** What the plugin reads of a gateway. */
const ALWAYS_READY: Pick<WebAppOptions, "readiness" | "faults" | "demo" | "sample"> = {
  readiness: async () => ({ isReady: true, checks: {}, parts: {}, checkedAt: new Date() }),
  faults: async () => null,
  demo: null,
  sample: { refresh: async () => {} },
};

describe("without dist/web", () => {
  test("the gateway runs, and its pages say what to do", async () => {
    const folder = path.join(os.tmpdir(), "selo-never-built");
    const app = fastify();
    await app.register(webAppPlugin, {
      ...readWebApp(folder, {}),
      ...ALWAYS_READY,
      ofServices: [signaturePages],
    });
    for (const url of ["/", "/verify", "/verify/7Q2M-K9XT-4HBC", "/trust", "/status", "/guides", "/guides/errors"]) {
      const response = await app.inject({ url, headers: HTML });
      expect(response.statusCode).toBe(503);
      expect(response.headers["content-type"]).toBe("text/plain; charset=utf-8");
      expect(response.body).toContain("npm run build");
    }
    await app.close();
  });
});

test("a page with its own routes is served at every path below it, without redirects", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-pages-"));
  fs.mkdirSync(path.join(folder, PAGES_FOLDER));
  for (const name of [FILES_FOLDER, "assets"]) fs.mkdirSync(path.join(folder, name));
  const list = [
    { name: "app", path: "/app", languages: ["en"], isListed: true },
    { name: "app-route", path: "/app/*", languages: ["en"], isListed: false },
  ] satisfies readonly PageEntry[];
  fs.writeFileSync(path.join(folder, PAGES_FOLDER, PAGE_LIST), JSON.stringify(list));
  for (const { name } of list) fs.writeFileSync(path.join(folder, PAGES_FOLDER, `${name}.en.html`), name);
  const app = fastify();
  await app.register(webAppPlugin, { ...readWebApp(folder, {}), ...ALWAYS_READY, ofServices: [] });
  const bodies = ["/app", "/app?lang=en", "/app/", "/app/envelopes", "/app/envelopes/1/edit"].map(
    async (url) => (await app.inject({ url, headers: HTML })).body,
  );
  expect(await Promise.all(bodies)).toEqual(["app", "app", "app-route", "app-route", "app-route"]);
  await app.close();
  fs.rmSync(folder, { recursive: true });
});

function expectJson(response: Response): void {
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
}
