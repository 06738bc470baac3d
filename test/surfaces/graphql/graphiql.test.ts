import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway();
});
afterAll(() => selo.stop());

const get = (path: string) => fetch(`${selo.baseUrl}${path}`);

test("/graphiql is served without a token and refers to nothing outside", async () => {
  const response = await get("/graphiql");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  const page = await response.text();
  const references = [...page.matchAll(/(?:src|href|from)\s*=?\s*"([^"]+)"/g)].map(([, reference]) => reference ?? "");
  expect(references.length).toBeGreaterThan(1);
  for (const reference of references) {
    expect(reference).toMatch(/^\/graphiql\//);
    expect((await get(reference)).status, reference).toBe(200);
  }
  expect(page).not.toMatch(/https?:\/\//);
  expect(page).toContain("Bearer svc_test_");
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
