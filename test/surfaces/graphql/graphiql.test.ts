import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { graphiqlPlugin } from "../../../src/surfaces/graphql/graphiql.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

const get = (path: string) => fetch(`${selo.baseUrl}${path}`);

/** With the addresses that hold a picture decoded. */
const readable = (page: string) => page.replaceAll(/data:[^"]+/g, decodeURIComponent);

test("/graphiql is served without a token and refers to nothing outside", async () => {
  const response = await get("/graphiql");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  const page = await response.text();
  const references = [...page.matchAll(/(?:src|href|from)\s*=?\s*"([^"]+)"/g)].map(([, reference]) => reference ?? "");
  expect(references.length).toBeGreaterThan(1);
  for (const reference of references) {
    if (reference.startsWith("data:image/svg+xml,")) continue;
    expect(reference).toMatch(/^\/(graphiql\/|guides\/graphql$|docs$|$)/);
    expect((await get(reference)).status, reference).toBe(200);
  }
  expect(readable(page).replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:\/\//);
  expect(page).toContain("Bearer svc_test_");
});

test("a bar above it leads back to Selo, to its guide and to the API", async () => {
  const [bar = ""] = /<header.*?<\/header>/s.exec(await (await get("/graphiql")).text()) ?? [];
  expect([...bar.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(["/", "/guides/graphql", "/docs"]);
});

test("its policy allows its own scripts by hash and no other origin; elsewhere nothing is allowed", async () => {
  const policy = (await get("/graphiql")).headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self'( 'sha256-[A-Za-z0-9+/]{43}=')+;/);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  expect((await get("/healthz")).headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("files that are not part of it are 404", async () => {
  expect((await get("/graphiql/static/nothing.js")).status).toBe(404);
  expect((await get("/graphiql/static/../../healthz")).status).toBe(200);
  expect((await get("/graphiql/static/%2e%2e/%2e%2e/package.json")).status).toBe(404);
});

test("it has our name, our mark and a viewport, and says nothing of its maker", async () => {
  const page = await (await get("/graphiql")).text();
  expect(page).toContain("<title>Selo GraphiQL</title>");
  expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  const mark = fs.readFileSync(path.join(import.meta.dirname, "../../../src/web/design/mark.svg"), "utf8");
  const [, half = "-"] = / d="([^"]+)"/.exec(mark) ?? [];
  expect(readable(page)).toContain(half);
  expect(page).not.toMatch(/>[^<]*\bRuru\b[^<]*<(?!\/script)/);
  const slash = await fetch(`${selo.baseUrl}/graphiql/`, { redirect: "manual" });
  expect([slash.status, slash.headers.get("location")]).toEqual([308, "/graphiql"]);
});

test("its files are kept by browsers, compressed in each coding, and never asked for twice", async () => {
  const [, file = ""] =
    /href="(\/graphiql\/static\/[^"]+\/ruru\.js)"/.exec(await (await get("/graphiql")).text()) ?? [];
  const load = async (headers: Record<string, string>) => {
    const response = await fetch(selo.baseUrl + file, { headers: { "accept-encoding": "identity", ...headers } });
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body };
  };
  const plain = await load({});
  const app = fastify();
  await app.register(graphiqlPlugin, { endpoint: "/graphql", publicUrl: "http://localhost" });
  for (const [coding, decode] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await app.inject({ url: file, headers: { "accept-encoding": coding } });
    expect(headers["content-encoding"]).toBe(coding);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(rawPayload.length).toBeLessThan(plain.body.length / 2);
    expect(decode(rawPayload).equals(plain.body)).toBe(true);
  }
  await app.close();
  const again = await load({ "if-none-match": plain.headers.get("etag") ?? "" });
  expect({ status: again.status, bytes: again.body.length }).toEqual({ status: 304, bytes: 0 });
});

test("caches are told that its files depend on the coding, where pages of other origins may ask, too", async () => {
  const [, file = ""] =
    /href="(\/graphiql\/static\/[^"]+\/ruru\.js)"/.exec(await (await get("/graphiql")).text()) ?? [];
  const origin = "https://app.example.com";
  const beside = await startGatewayBeside(selo, { CORS_ORIGINS: origin });
  try {
    for (const coding of ["br", "gzip", "identity"]) {
      const response = await fetch(beside.baseUrl + file, { headers: { origin, "accept-encoding": coding } });
      await response.arrayBuffer();
      expect([coding, response.headers.get("vary")]).toEqual([coding, "Origin, Accept-Encoding"]);
    }
  } finally {
    await beside.stop();
  }
});

describe("the demo token", () => {
  const LOCAL = { remoteAddress: "127.0.0.1", headers: { host: "localhost:4000" } };
  const demo = { tokens: { live: "svc_live_demo", test: "svc_test_demo" } };

  async function open(
    request: { readonly remoteAddress: string; readonly headers: Record<string, string> },
    { publicUrl = "http://localhost:4000", hasDemo = true, trustProxy = false } = {},
  ) {
    const app = fastify({ trustProxy });
    const options = { endpoint: "/graphql", publicUrl, demoToken: hasDemo ? () => demo.tokens.test : null };
    await app.register(graphiqlPlugin, options);
    const { body, headers, statusCode } = await app.inject({ url: "/graphiql", ...request });
    await app.close();
    expect(statusCode).toBe(200);
    return { isFilled: body.includes("Bearer svc_test_demo"), body, cacheControl: headers["cache-control"] };
  }

  test.each([
    ["localhost", LOCAL],
    ["127.0.0.1", { ...LOCAL, headers: { host: "127.0.0.1:4000" } }],
    ["[::1]", { remoteAddress: "::1", headers: { host: "[::1]:4000" } }],
    ["IPv4 inside IPv6", { ...LOCAL, remoteAddress: "::ffff:127.0.0.1" }],
    ["a browser", { ...LOCAL, headers: { ...LOCAL.headers, "sec-fetch-dest": "document", "sec-fetch-site": "none" } }],
  ])("is filled in on this machine: %s; no cache keeps the page", async (_name, request) => {
    expect(await open(request)).toMatchObject({ isFilled: true, cacheControl: "no-store" });
  });

  test.each([
    ["comes from another machine", { ...LOCAL, remoteAddress: "192.168.1.7" }],
    ["comes from another machine by IPv6", { ...LOCAL, remoteAddress: "::ffff:192.168.1.7" }],
    ["names another site, which resolves to this machine", { ...LOCAL, headers: { host: "rebinding.example:4000" } }],
    ["names a site that begins like this machine", { ...LOCAL, headers: { host: "localhost.example" } }],
    ["names no host", { ...LOCAL, headers: { host: ":4000" } }],
    ["came through a proxy", { ...LOCAL, headers: { ...LOCAL.headers, "x-forwarded-for": "127.0.0.1" } }],
    ["came through a tunnel", { ...LOCAL, headers: { ...LOCAL.headers, forwarded: "for=203.0.113.7" } }],
    ["is a script's of another origin", { ...LOCAL, headers: { ...LOCAL.headers, origin: "https://app.example.com" } }],
    ["is for a frame", { ...LOCAL, headers: { ...LOCAL.headers, "sec-fetch-dest": "iframe" } }],
  ])("is not filled in where the request %s", async (_name, request) => {
    const { isFilled, body } = await open(request);
    expect(isFilled).toBe(false);
    expect(body).toContain("Bearer svc_test_YOUR_TOKEN");
    expect(body).not.toContain("demo");
  });

  test("is not filled in where a trusted proxy passes another machine's request on", async () => {
    const headers = { ...LOCAL.headers, "x-forwarded-for": "203.0.113.7" };
    expect((await open({ ...LOCAL, headers }, { trustProxy: true })).isFilled).toBe(false);
  });

  test("is not filled in where the deployment has an address for others", async () => {
    expect((await open(LOCAL, { publicUrl: "https://selo.example" })).isFilled).toBe(false);
  });

  describe("of a data folder", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-graphiql-"));
    afterAll(() => fs.rmSync(folder, { recursive: true }));
    const file = { base_url: "http://localhost", organization: { id: "1", number: 1 }, ...demo };
    fs.writeFileSync(path.join(folder, "demo.json"), JSON.stringify(file));
    const pageOf = async (
      environment: Record<string, string>,
      ask = async (baseUrl: string) => (await fetch(`${baseUrl}/graphiql`)).text(),
    ) => {
      const gateway = await startGatewayBeside(selo, {
        SELO_DATA_DIR: folder,
        PUBLIC_URL: "http://localhost:4000",
        ...environment,
      });
      try {
        return await ask(gateway.baseUrl);
      } finally {
        await gateway.stop();
      }
    };

    test("is the test token, never the live one", async () => {
      const page = await pageOf({});
      expect(page).toContain("Bearer svc_test_demo");
      expect(page).not.toContain("svc_live_demo");
    });

    test("is not filled in for HTTP/1.0: a proxy speaks it", async () => {
      const page = await pageOf({}, (baseUrl) => {
        const { hostname, port } = new URL(baseUrl);
        const socket = net.connect(Number(port), hostname);
        socket.end(`GET /graphiql HTTP/1.0\r\nHost: localhost:${port}\r\n\r\n`);
        return readText(socket);
      });
      expect(page).toContain("Bearer svc_test_YOUR_TOKEN");
      expect(page).not.toContain("svc_test_demo");
    });

    test("is never filled in in production", async () => {
      expect(await pageOf({ NODE_ENV: "production" })).not.toContain("demo");
    });
  });
});
