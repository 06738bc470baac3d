// Surfaces are values: everything below a surface's prefix speaks in its forms, and the main surface in its own, on one gateway.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readApiCatalog } from "../../../src/postgres/migrate/api-catalog.ts";
import type { Service } from "../../../src/services/service.ts";
import { services } from "../../../src/services/services.ts";
import { openApiDocument } from "../../../src/surfaces/openapi/document.ts";
import { type CallerHeaders, recordExamples } from "../../../src/surfaces/openapi/record-examples.ts";
import { apiV1 } from "../../../src/surfaces/rest/api-v1.ts";
import { routesOf } from "../../../src/surfaces/rest/route.ts";
import { surfaceAt, surfacesOf } from "../../../src/surfaces/rest/surfaces.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import {
  call,
  expectError,
  filePart,
  multipartBody,
  type RestRequest,
  type RestResponse,
  sendRaw,
} from "../../support/rest-client.ts";
import { productFacts, type ServiceFacts } from "../../support/service-facts.ts";
import { spoilProof } from "../../support/spoil-proof.ts";
import { innerSurface, issueKey, rowsService, secondSurface } from "./second-surface.ts";

const MOST_FILE_BYTES = 1000;
const LIMIT = 5;
const ORIGIN = "https://app.example.com";

let selo: TestGateway;
let organization: TestOrganization;
let key: { readonly id: string; readonly key: string };
const surface = secondSurface(() => selo.database);
const inner = innerSurface(apiV1);
const all: readonly Service[] = [...services, rowsService(surface, inner)];

beforeAll(async () => {
  selo = await startTestGateway(
    {
      PROOF_MAX_FILE_BYTES: String(MOST_FILE_BYTES),
      PUBLIC_REQUESTS_PER_MINUTE: String(LIMIT),
      TRUST_PROXY: "1",
      CORS_ORIGINS: ORIGIN,
    },
    { services: all },
  );
  organization = await selo.newOrganization();
  key = await keyOf(await selo.operator.allScopes());
});
afterAll(() => selo.stop());

const keyOf = (scopes: readonly string[], tenantId = organization.id) =>
  issueKey(selo.operator, selo.database, { tenantId, environment: "live", scopes });
const digestBody = () => ({ sha256: randomBytes(32).toString("hex") });

const UNKNOWN_ID = "0197a0c0-0000-7000-8000-000000000000";

/** A request to the second surface, with its credential unless another one is given. */
const rows = (method: string, path: string, { headers, ...request }: RestRequest = {}) =>
  call(selo, method, path, { ...request, prefix: "/v7", headers: { "x-key": key.key, ...headers } });
/** The same without a credential, from an address. */
const open = (method: string, path: string, address: string, request: RestRequest = {}) =>
  call(selo, method, path, { ...request, prefix: "/v7", headers: { "x-forwarded-for": address, ...request.headers } });

/** An error in the form of the second surface, whole. */
function expectSecondForm(response: RestResponse | null, status: number, code: string, detail?: string): void {
  expect({ status: response?.status, body: response?.body ?? response?.text }).toEqual({
    status,
    body: {
      detail: detail ?? expect.stringMatching(/^.{1,300}$/),
      code,
      request_id: response?.headers.get("x-request-id"),
      ...(status === 422
        ? { fields: expect.arrayContaining([{ field: expect.any(String), message: expect.any(String) }]) }
        : {}),
    },
  });
  expect(response?.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response?.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(response?.headers.get("www-authenticate")).toBe(status === 401 ? 'Key realm="rows"' : null);
}

async function register(): Promise<RestResponse["body"]> {
  const made = await rows("POST", "/rows", { body: digestBody() });
  expect(made.status).toBe(201);
  return made.body;
}

describe("what a request can get wrong", () => {
  const large = { bytes: randomBytes(MOST_FILE_BYTES + 1) };
  /** Status and code, the request's method, its path on the second surface and on the main one, and the rest of it. */
  const cases: [number, string, string, string, string, RestRequest?][] = [
    [404, "not_found", "GET", "/nothing", "/nothing"],
    [404, "not_found", "GET", "", ""],
    [404, "not_found", "GET", "/", "/"],
    [404, "not_found", "PROPFIND", "/nothing", "/nothing"],
    [404, "not_found", "GET", `/rows/${UNKNOWN_ID}`, `/proofs/${UNKNOWN_ID}`],
    [404, "not_found", "GET", "/rows/", "/proofs/"],
    [404, "proof_not_found", "GET", "/open/0000-0000-0000", "/public/proofs/0000-0000-0000"],
    [405, "method_not_allowed", "DELETE", "/rows", "/proofs"],
    [405, "method_not_allowed", "PATCH", `/rows/${UNKNOWN_ID}`, `/proofs/${UNKNOWN_ID}`],
    [400, "malformed_request", "GET", "/%", "/%"],
    [400, "malformed_request", "GET", "/rows?a=%", "/proofs?a=%"],
    [400, "malformed_request", "POST", "/rows", "/proofs", { body: "{" }],
    [400, "malformed_request", "POST", "/rows", "/proofs"],
    [400, "malformed_request", "POST", "/rows", "/proofs", multipart([], "garbage")],
    [413, "too_large", "POST", "/rows", "/proofs", { body: " ".repeat(1024 * 1024 + 1) }],
    [413, "too_large", "POST", "/rows", "/proofs", multipart([filePart(large.bytes)])],
    [
      415,
      "unsupported_media_type",
      "POST",
      "/rows",
      "/proofs",
      { body: "a", headers: { "content-type": "text/plain" } },
    ],
    [422, "invalid_request", "POST", "/rows", "/proofs", { body: { sha256: "x" } }],
    [422, "invalid_request", "POST", "/rows", "/proofs", { body: digestBody(), key: "a b" }],
    [422, "invalid_request", "GET", "/rows?unknown=1", "/proofs?unknown=1"],
    [422, "invalid_request", "GET", `/rows/${"x".repeat(5000)}`, `/proofs/${"x".repeat(5000)}`],
  ];

  test.each(cases)("%i %s: %s %s, and %s on the main surface", async (status, code, method, second, main, request) => {
    const others = { "x-forwarded-for": `192.0.2.${cases.findIndex((each) => each[3] === second) + 1}` };
    const headers = { ...others, ...request?.headers };
    const own = await rows(method, second, { ...request, headers });
    expectSecondForm(own, status, code);
    const theirs = await call(selo, method, main, { ...request, headers, token: organization.live });
    expectError(theirs, status, code);
    expect(own.headers.get("allow")).toBe(theirs.headers.get("allow"));
    if (status === 405) expect(own.headers.get("allow")).toMatch(/GET/);
    // Both say the same of what is the same.
    expect(own.body.detail).toBe(theirs.body.detail.message);
    expect(own.body.fields).toEqual(theirs.body.fields);
  });

  test("the request's address alone says so where nothing else can be read", async () => {
    const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expectSecondForm(await sendRaw(selo, head("/v7/%zz")), 400, "malformed_request");
    expectError(await sendRaw(selo, head("/v70/%zz")), 400, "malformed_request");
    // What is no request has no prefix.
    expectError(await sendRaw(selo, "GET /v7/rows NONSENSE\r\n\r\n"), 400, "malformed_request");
  });
});

function multipart(parts: Parameters<typeof multipartBody>[0], instead?: string): RestRequest {
  const { bytes, headers } = multipartBody(parts);
  return { body: instead ?? bytes, headers };
}

describe("credentials", () => {
  test("of its form are taken, and their digest finds whose they are", async () => {
    const row = await register();
    expect((await rows("GET", `/rows/${row.id}`)).body.id).toBe(row.id);
    // The same organization's token reads it on the main surface.
    expect((await call(selo, "GET", `/proofs/${row.id}`, { token: organization.live })).body.id).toBe(row.id);
    const stranger = await selo.newOrganization();
    const other = await keyOf(["proofs:read"], stranger.id);
    expectSecondForm(await rows("GET", `/rows/${row.id}`, { headers: { "x-key": other.key } }), 404, "not_found");
  });

  test("are refused in its words: missing, of another form, unknown, revoked", async () => {
    const with_ = (headers: Record<string, string>) => call(selo, "GET", "/rows", { prefix: "/v7", headers });
    expectSecondForm(await with_({}), 401, "unauthenticated", "There is no key.");
    // The main surface's credential is none here.
    const bearer = { authorization: `Bearer ${organization.live}` };
    expectSecondForm(await with_(bearer), 401, "unauthenticated", "There is no key.");
    expectSecondForm(await with_({ "x-key": organization.live }), 401, "unauthenticated", "That is no key.");
    const unknown = `key_00000000_${"A".repeat(43)}`;
    expectSecondForm(await with_({ "x-key": unknown }), 401, "unauthenticated", "Nobody has that key.");
    const revoked = await keyOf(["proofs:read"]);
    expect((await with_({ "x-key": revoked.key })).status).toBe(200);
    await selo.operator.revokeToken(revoked.id);
    expectSecondForm(await with_({ "x-key": revoked.key }), 401, "unauthenticated", "Nobody has that key.");
  });

  test("of its form are none on the main surface, whose words stay", async () => {
    for (const headers of [{ "x-key": key.key }, { authorization: `Bearer ${key.key}` }]) {
      const refused = await call(selo, "GET", "/proofs", { headers });
      expectError(refused, 401, "unauthenticated");
      expect(refused.body.detail.message).toBe("The bearer token is missing, unknown, revoked or expired.");
    }
  });

  test("that lack the scope are told so first, whatever else is wrong", async () => {
    const reader = { "x-key": (await keyOf(["labels:read"])).key };
    for (const request of [{ body: digestBody() }, { body: "{" }, { body: { sha256: "x" } }])
      expectSecondForm(await rows("POST", "/rows", { ...request, headers: reader }), 403, "missing_scope");
    const unknown = { "x-key": `key_00000000_${"B".repeat(43)}` };
    const refused = await rows("POST", "/rows", { body: "{", headers: unknown });
    expectSecondForm(refused, 401, "unauthenticated", "Nobody has that key.");
  });

  test("may be sent by pages of listed origins", async () => {
    const preflight = await fetch(`${selo.baseUrl}/v1/rows`, {
      method: "OPTIONS",
      headers: {
        origin: ORIGIN,
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-key, range, if-range",
      },
    });
    expect(preflight.status).toBe(204);
    const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase();
    for (const name of ["x-key", "authorization", "range", "if-range"]) expect(allowed).toContain(name);
  });
});

describe("lists", () => {
  test("have its form, and the main surface's theirs", async () => {
    const own = await selo.newOrganization();
    const ownKey = (await keyOf(await selo.operator.allScopes(), own.id)).key;
    const get = (path: string) => rows("GET", path, { headers: { "x-key": ownKey } });
    expect((await get("/rows")).body).toEqual([]);
    for (let made = 0; made < 3; made++)
      await rows("POST", "/rows", { body: digestBody(), headers: { "x-key": ownKey } });
    const listed = await get("/rows?limit=2&offset=1");
    const main = await call(selo, "GET", "/proofs?limit=2&offset=1", { token: own.live });
    expect(listed.body).toHaveLength(2);
    expect(listed.body).toEqual(main.body.items);
    expect(listed.headers.get("x-total-count")).toBe("3");
    expect(listed.headers.get("link")).toBeNull();
    expect(main.headers.get("x-total-count")).toBeNull();
    expect(main.body).toMatchObject({ total: 3, limit: 2, offset: 1 });
    expect(main.headers.get("link")).toBe('<http://selo.test/api/v1/proofs?limit=2&offset=0>; rel="prev"');
    const first = await get("/rows?limit=2");
    const { next_cursor } = (await call(selo, "GET", "/proofs?limit=2", { token: own.live })).body;
    const next = await get(`/rows?limit=2&cursor=${next_cursor}`);
    expect(next.headers.get("x-total-count")).toBeNull();
    expect([...first.body, ...next.body].map(({ id }) => id)).toHaveLength(3);
  });
});

describe("limits", () => {
  test("of an address, which are counted on all surfaces together, are told in its form", async () => {
    const address = "203.0.113.77";
    for (let left = LIMIT - 1; left >= 1; left--) {
      const answer = await open("GET", "/open/0000-0000-0000", address);
      expectSecondForm(answer, 404, "proof_not_found");
      expect(answer.headers.get("x-ratelimit-limit")).toBe(String(LIMIT));
      expect(answer.headers.get("x-ratelimit-remaining")).toBe(String(left));
      expect(answer.headers.get("ratelimit")).toBeNull();
    }
    const headers = { "x-forwarded-for": address };
    const last = await call(selo, "GET", "/public/platform-key", { headers });
    expect(last.headers.get("ratelimit")).toMatch(/^"address";r=0;t=\d+$/);
    expect(last.headers.get("x-ratelimit-limit")).toBeNull();
    const refused = await open("GET", "/open/0000-0000-0000", address);
    expectSecondForm(refused, 429, "rate_limited", "Over the limit of this address for 60 s.");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    const main = await call(selo, "GET", "/public/platform-key", { headers });
    expectError(main, 429, "rate_limited");
    expect(main.body.detail.message).toMatch(/^Too many requests from this address; come back in \d+ s\.$/);
  });

  test("of a credential, and of guessing, are told in its form", async () => {
    const strict = await startTestGateway({ TOKEN_REQUESTS_PER_MINUTE: "2", TRUST_PROXY: "1" }, { services: all });
    try {
      const { id: tenantId } = await strict.newOrganization();
      const holder = { tenantId, environment: "live", scopes: ["proofs:read"] } as const;
      const own = (await issueKey(strict.operator, strict.database, holder)).key;
      const get = (secret: string) =>
        call(strict, "GET", "/rows", { prefix: "/v7", headers: { "x-key": secret, "x-forwarded-for": "192.0.2.9" } });
      const remaining = [await get(own), await get(own)].map(({ headers }) => headers.get("x-ratelimit-remaining"));
      expect(remaining).toEqual(["1", "0"]);
      expectSecondForm(await get(own), 429, "rate_limited", "Over the limit of this token for 60 s.");
      const guess = () => get(`key_00000000_${randomBytes(32).toString("base64url")}`);
      for (let guessed = 0; guessed < 2; guessed++)
        expectSecondForm(await guess(), 401, "unauthenticated", "Nobody has that key.");
      await guess();
      expectSecondForm(await guess(), 429, "rate_limited", "Over the limit of this address for 60 s.");
    } finally {
      await strict.stop();
    }
  });
});

describe("Idempotency-Key", () => {
  test("repeats a request, and refuses another one in its form", async () => {
    const body = digestBody();
    const first = await rows("POST", "/rows", { body, key: "row-1" });
    const again = await rows("POST", "/rows", { body, key: "row-1" });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.text).toBe(first.text);
    expectSecondForm(await rows("POST", "/rows", { body: digestBody(), key: "row-1" }), 409, "conflict");
  });
});

describe("files", () => {
  test("are answered in ranges, and what is no range of theirs is refused in its form", async () => {
    const { id } = await register();
    const whole = await rows("GET", `/rows/${id}/receipt`);
    const part = await rows("GET", `/rows/${id}/receipt`, { headers: { range: "bytes=0-9" } });
    expect({ status: part.status, bytes: part.bytes }).toEqual({ status: 206, bytes: whole.bytes.subarray(0, 10) });
    const refused = await rows("GET", `/rows/${id}/receipt`, { headers: { range: "bytes=10000000-" } });
    expectSecondForm(refused, 416, "range_not_satisfiable");
    expect(refused.headers.get("content-range")).toBe(`bytes */${whole.bytes.length}`);
  });
});

/** The paths of the main surface that services serve themselves. */
async function ownPaths() {
  const described = await Promise.all(services.map((service) => service.openapi?.()));
  const paths = routesOf(described.map((description) => ({ operations: description?.ownPaths ?? [] })));
  expect(paths.length).toBeGreaterThan(0);
  return paths;
}

describe("faults of our own", () => {
  test("are told in its form, without a word of ours", async () => {
    const { id } = await register();
    await spoilProof(selo.database, id);
    const faulty = await rows("GET", `/rows/${id}/receipt`);
    expectSecondForm(faulty, 500, "internal_error");
    expect(faulty.body.detail).toContain(faulty.body.request_id);
    expectError(await call(selo, "GET", `/proofs/${id}/receipt`, { token: organization.live }), 500, "internal_error");
  });

  test("of a service's own routes as well", async () => {
    expect((await rows("GET", "/own")).body).toEqual({ own: true });
    expectSecondForm(await rows("GET", "/own/fault"), 500, "internal_error");
    // They are on that surface alone; those of another service on theirs.
    expectError(await call(selo, "GET", "/own"), 404, "not_found");
    for (const { method, path } of await ownPaths()) expectSecondForm(await rows(method, path), 404, "not_found");
  });
});

describe("a surface below another one's prefix", () => {
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    call(selo, method, path, { prefix: inner.prefix, headers });

  test.each([
    [404, "GET", "", {}],
    [404, "GET", "/a/b", {}],
    [405, "DELETE", "/a", {}],
    [400, "GET", "/%", {}],
    [401, "GET", `/${UNKNOWN_ID}`, {}],
  ])("has its own form: %i", async (status, method, path, headers) => {
    const answer = await ask(method, path, headers);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { error: expect.any(String) } });
  });

  test("leaves the other one alone", async () => {
    expectError(await call(selo, "GET", "/roomsy/%"), 400, "malformed_request");
    expectError(await call(selo, "GET", "/roomsy"), 404, "not_found");
  });
});

const surfacesOfFacts = ({ surfaces = [], undocumentedSurfaces = [] }: ServiceFacts) => [
  ...surfaces.map((own) => own.surface),
  ...undocumentedSurfaces,
];

describe("which surfaces there are", () => {
  test("is what the routes say, the main one first", () => {
    const product = [apiV1, ...productFacts.flatMap(surfacesOfFacts)];
    expect(surfacesOf(services)).toEqual(product);
    expect(surfacesOf(all)).toEqual([...product, surface, inner]);
    expect(surfacesOf([{ ownRoutesSurface: surface }])).toEqual([apiV1, surface]);
    expect(surfacesOf([])).toEqual([apiV1]);
  });

  test.each([
    ["/v7", "/v7"],
    ["/v7/rows?a=/api/v1", "/v7"],
    ["/v70", null],
    ["/v7?a", "/v7"],
    ["/api/v1/rooms/a", "/api/v1/rooms"],
    ["/api/v1/room", "/api/v1"],
    ["/?/v1/", null],
    ["*", null],
    ["/api", "/api"],
    ["/api?a", "/api"],
    ["/api/", null],
    ["/api/v2", null],
    ["/apis", null],
    ["/api/v1", "/api/v1"],
    ["/api/v1/servers", "/api/v1/servers"],
    ["/api/v1/servers/localhost/zones?a", "/api/v1/servers"],
    ["/api/v1/serverse", "/api/v1"],
  ])("%s lies on %s", (url, prefix) => {
    expect(surfaceAt(surfacesOf(all), url)?.prefix ?? null).toBe(prefix);
  });
});

test("one of them is documented with the answers it gave, and the document is lint-clean", async () => {
  const { text, document } = await documentOf();
  expect(document.servers[0].url).toBe("/v7");
  expect(document.info).toMatchObject({ title: "Rows", description: "Keys are kept for 7 days." });
  expect(Object.keys(document.paths).sort()).toEqual(["/open/{code}", "/rows", "/rows/{id}", "/rows/{id}/receipt"]);
  expect(document.components.securitySchemes).toEqual({ key: { type: "apiKey", in: "header", name: "X-Key" } });
  expect(document.paths["/rows"].post.security).toEqual([{ key: ["proofs:write"] }]);
  expect(document.webhooks).toBeUndefined();
  const { responses } = document.paths["/rows"].post;
  expect(Object.keys(responses["201"].headers)).toEqual(
    expect.arrayContaining(["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining"]),
  );
  expect(responses["401"]).toEqual({ $ref: "#/components/responses/UnauthenticatedError" });
  const refused = document.components.responses.UnauthenticatedError.content["application/json"].examples.no_token;
  expect(refused.value).toEqual({
    detail: "There is no key.",
    code: "unauthenticated",
    request_id: expect.any(String),
  });
  expect(document.components.headers["X-RateLimit-Remaining"].example).toBeUndefined();
  expect(document.components.headers["X-RateLimit-Limit"].example).toBeDefined();
  expect(text).not.toMatch(/RateLimit-Policy|Webhook|svc_/);
  expect(await lint(text)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
});

/** The document of the second surface, without its list: what lists hold is described with the product's resources. */
async function documentOf() {
  const rowsAlone = rowsService(surface, inner);
  const shown = (operation: string) => operation !== "listProofsOfRows" && operation !== "getRoom";
  const documented: Service = {
    ...rowsAlone,
    operations: (rowsAlone.operations ?? []).filter(({ name }) => shown(name)),
    examples: async () => ((await rowsAlone.examples?.()) ?? []).filter(({ operation }) => shown(operation)),
  };
  const over = { "x-forwarded-for": "203.0.113.99" };
  const { id } = await selo.newOrganization({ credits: 10 });
  const poor = await selo.newOrganization({ credits: 0 });
  const scopes = await selo.operator.allScopes();
  const { issue } = surface.credentials;
  const callers: CallerHeaders = {
    live: await issue(selo.operator, { tenantId: id, environment: "live", scopes }),
    test: await issue(selo.operator, { tenantId: id, environment: "test", scopes }),
    without_scope: await issue(selo.operator, { tenantId: id, environment: "live", scopes: ["signatures:read"] }),
    without_credits: await issue(selo.operator, { tenantId: poor.id, environment: "live", scopes }),
    anyone: { "x-forwarded-for": "203.0.113.98" },
    over_limit: over,
  };
  /** Its minute may end between two examples. */
  async function useUp(): Promise<void> {
    while ((await open("GET", "/open/0000-0000-0000", over["x-forwarded-for"])).status !== 429);
  }
  const recorded = await recordExamples([documented], selo.baseUrl, new Map([[surface, callers]]), null, {
    over_limit: useUp,
  });
  const catalog = await readApiCatalog(selo.database.adminUrl);
  const facts = {
    surface,
    // It answers with schemas of the service whose commands it calls.
    services: [
      documented,
      ...services.map(({ name, openapi }): Service => ({ name, ...(openapi ? { openapi } : {}) })),
    ],
    version: "1.0.0",
    catalog,
    read: async () => [],
    defaults: selo.config,
    recorded,
  };
  const text = JSON.stringify(await openApiDocument(facts), null, 2);
  return { text, document: JSON.parse(text) };
}

/** What redocly says of a document under redocly.yaml. */
async function lint(text: string): Promise<unknown> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-surface-"));
  const file = path.join(folder, "openapi-rows.json");
  fs.writeFileSync(file, text);
  const root = path.join(import.meta.dirname, "../../..");
  const program = path.join(root, "node_modules/@redocly/cli/bin/cli.js");
  const { stdout } = await promisify(execFile)(process.execPath, [program, "lint", file, "--format=json"], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  }).catch((failed: { stdout: string }) => failed);
  fs.rmSync(folder, { recursive: true });
  return JSON.parse(stdout);
}
