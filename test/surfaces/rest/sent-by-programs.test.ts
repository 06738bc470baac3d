// Forms of requests that generated clients, proxies and browsers send: what is the same request is taken, and what is not, the error says how to write it.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { issueKey } from "../../../src/services/dns/store.ts";
import { membersOf } from "../../../src/surfaces/openapi/schema.ts";
import { answersFile, type Route, scopeOf, takesFileAlone, takesNoBody } from "../../../src/surfaces/rest/route.ts";
import type { DescribedSurface } from "../../../src/surfaces/rest/surface.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { sentWith } from "../../services/signature/completion-stage.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";
import { everyRoute } from "../../support/routes.ts";
import { ORDINARY } from "../../support/uploads.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const JSON_TYPE = { "content-type": "application/json" };
const UNKNOWN = "0197a0c0-0000-7000-8000-000000000000";

let selo: TestGateway;
let organization: TestOrganization;
let dnsKey: string;
beforeAll(async () => {
  selo = await startTestGateway({
    PUBLIC_REQUESTS_PER_MINUTE: "5000",
    NAMESERVER_NAMES: "ns1.selo.test,ns2.selo.test",
  });
  organization = await selo.newOrganization();
  dnsKey = (await issueKey(selo.operator, organization.id, "programs")).secret;
});
afterAll(() => selo.stop());

/** A route's path, of what nobody has. */
const pathOf = (route: Pick<Route, "path">) =>
  route.path
    .replace("{org_id}", String(organization.number))
    .replaceAll(/\{(?:zone|record|key)_id\}/g, "1")
    .replaceAll(/\{\w+\}/g, UNKNOWN);
/** A request to a route, by who may make it where a token may. */
const ask = (route: Route, where: string, request: Parameters<typeof call>[3] = {}) => {
  const { prefix } = surfaceOf(route);
  const token = scopeOf(route) === null ? null : prefix === "/v1" ? dnsKey : organization.live;
  return call(selo, route.method, where, { prefix, token, ...request });
};
const outcome = ({ status, body }: RestResponse) => [status, body?.detail?.code ?? body?.code];

describe("a content type of JSON without a body is as no body", () => {
  const without = everyRoute.filter(
    (route) =>
      route.method !== "GET" &&
      !takesFileAlone(route) &&
      (route.body === undefined || takesNoBody(route)) &&
      !route.multipart,
  );
  test.each(without.map((route) => [`${route.method} ${surfaceOf(route).prefix}${route.path}`, route] as const))(
    "%s",
    async (_, route) => {
      const plain = await ask(route, pathOf(route));
      const typed = await ask(route, pathOf(route), { headers: JSON_TYPE });
      expect(outcome(typed)).toEqual(outcome(plain));
      expect([400, 415, 422]).not.toContain(typed.status);
    },
  );

  test("POST /envelopes/{id}/cancel cancels", async () => {
    const stage = { selo, tenantId: organization.id, token: organization.live, environment: "live" } as const;
    const { id } = await sentWith(stage);
    const cancelled = await post(`/envelopes/${id}/cancel`, { headers: JSON_TYPE });
    expect([cancelled.status, cancelled.body.status]).toEqual([200, "cancelled"]);
  });
});

const post = (where: string, request: Parameters<typeof call>[3]) =>
  call(selo, "POST", where, { token: organization.live, ...request });

test.each(
  everyRoute
    .filter(({ method }) => method !== "GET")
    .map((route) => [`${route.method} ${surfaceOf(route).prefix}${route.path}`, route] as const),
)("%s: 415 names the content types that are accepted", async (_, route) => {
  const token =
    scopeOf(route) === null ? {} : { token: surfaceOf(route).prefix === "/v1" ? dnsKey : organization.live };
  const answer = await ask(route, pathOf(route), { ...token, body: "a", headers: { "content-type": "text/csv" } });
  // These surfaces first ask who calls.
  if ([401, 403, 404].includes(answer.status)) return expect(surfaceOf(route).prefix).toMatch(/(auth|account|signing)/);
  expectError(answer, 415, "unsupported_media_type");
  const { detail } = answer.body;
  const message = typeof detail === "string" ? detail : detail.message;
  const reads = [...(route.body ? ["application/json"] : []), ...(route.multipart ? ["multipart/form-data"] : [])];
  expect(message).toContain(reads.length === 0 ? "reads no body" : `reads ${reads.join(" and ")},`);
});

test.each(everyRoute.map((route) => [`${route.method} ${surfaceOf(route).prefix}${route.path}`, route] as const))(
  "%s: with a slash at its end it does not exist, and the error says what to write",
  async (_, route) => {
    const answer = await ask(route, `${pathOf(route)}/`);
    // Selo first refuses a caller who lacks the right or the session.
    if (answer.status === 401 || answer.status === 403) return expect(surfaceOf(route).takesSessions).toBe(true);
    expectError(answer, 404, "not_found");
    const { detail } = answer.body;
    expect(typeof detail === "string" ? detail : detail.message).toContain("write it without the slash");
  },
);

test("what does not exist without the slash either is not found, and GraphQL has none", async () => {
  const { body } = await call(selo, "GET", "/public/envelopes/", {});
  expect(body.detail.message).toBe("This path does not exist.");
  const graphql = await call(selo, "POST", "/graphql/", { prefix: "", body: { query: "{ __typename }" } });
  expectError(graphql, 404, "not_found");
  expect(graphql.body.detail.message).toContain("write it without the slash");
});

test.each(
  everyRoute.flatMap((route) =>
    membersOf(route.query ?? z.object({}))
      .filter(({ schema }) => schema["format"] === "date-time")
      .map(({ name }) => [`${route.method} ${surfaceOf(route).prefix}${route.path}?${name}`, route, name] as const),
  ),
)("%s: a literal + of an offset is a space, and the error says what to write", async (_, route, name) => {
  const answer = await ask(route, `${pathOf(route)}?${name}=2026-11-20T12:00:00+01:00`);
  expectError(answer, 422, "invalid_request", [name]);
  expect(answer.body.fields[0].message).toContain("write + as %2B");
  const encoded = await ask(route, `${pathOf(route)}?${name}=2026-11-20T12:00:00%2B01:00`);
  expect([200, 403, 404]).toContain(encoded.status);
});

test.each(
  everyRoute
    .filter((route) => route.path.includes("{org_id}"))
    .map((route) => [`${route.method} ${surfaceOf(route).prefix}${route.path}`, route] as const),
)("%s: another organization's number is 403 forbidden, as the description lists", async (_, route) => {
  const foreign = await ask(route, pathOf(route).replace(String(organization.number), "999999"), {
    ...(route.body === undefined ? {} : { body: {} }),
  });
  expectError(foreign, 403, "forbidden");
  expect(codesOf(documented(route), 403)).toContain("forbidden");
});

test.each(
  everyRoute
    .filter(answersFile)
    .map((route) => [`${route.method} ${surfaceOf(route).prefix}${route.path}`, route] as const),
)(
  "%s: the description lists the whole file, a part of it, and what Range and If-None-Match may be answered",
  (_, route) => {
    const { responses } = documented(route);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "206", "304", "416"]));
    expect(codesOf(documented(route), 416)).toEqual(["range_not_satisfiable"]);
    const files = [responses["200"], responses["206"]].flatMap((response) => Object.entries(response?.content ?? {}));
    for (const [mediaType, { schema, examples = {} }] of files) {
      if (mediaType === "application/json") continue;
      const format = mediaType.startsWith("text/") ? undefined : "binary";
      expect(schema).toEqual({
        type: "string",
        contentMediaType: mediaType,
        ...(format === undefined ? {} : { format }),
      });
      for (const { value } of Object.values(examples)) expect(value).toMatch(/./);
    }
  },
);

interface DocumentedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema: object; readonly examples?: Readonly<Record<string, { readonly value?: unknown }>> }
    >
  >;
}

const documentOf = (route: Route) =>
  JSON.parse(fs.readFileSync(path.join(root, (surfaceOf(route) as DescribedSurface).document.file), "utf8"));
const documented = (route: Route): { readonly responses: Readonly<Record<string, DocumentedResponse>> } =>
  documentOf(route).paths[route.path][route.method.toLowerCase()];
/** The codes of a status: the name of its answer is made of them. */
const codesOf = ({ responses }: ReturnType<typeof documented>, status: number): string[] =>
  path
    .basename(responses[status]?.$ref ?? "")
    .replace(/Error$/, "")
    .split("Or")
    .map((name) => name.replaceAll(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase());

test.each([
  ["/api/v1/openapi.json", "/openapi.json"],
  ["/v1/openapi.json", "/openapi-dns.json"],
])("%s is the document of its API", async (below, atRoot) => {
  const [one, other] = [await fetch(selo.baseUrl + below), await fetch(selo.baseUrl + atRoot)];
  expect([one.status, one.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(await one.text()).toBe(await other.text());
});

test("/graphql/schema.graphql is the schema", async () => {
  const answer = await fetch(`${selo.baseUrl}/graphql/schema.graphql`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await answer.text()).toContain("\ntype Query ");
});

describe("a replay of an Idempotency-Key answers the same bytes", () => {
  const file = () => {
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(ORDINARY)]), "a.pdf");
    return form;
  };
  const bodies: readonly [where: string, body: () => object, prefix?: string][] = [
    ["/proofs", () => ({ sha256: "b".repeat(64), label: "Ação “ü”" })],
    ["/proofs/files", file],
    ["/documents", file],
    ["/envelopes", () => ({ title: "Contrato de locação" })],
    ["/templates", () => ({ name: "Lease" })],
    ["/labels", () => ({ name: "Urgent" })],
    ["/customers", () => ({ name: "Padaria", document_type: "none" })],
    ["/services", () => ({ name: "A", description: "A", national_code: "010601", iss_rate: "5.00" })],
    ["/orgs/{org_id}/zones", () => ({ name: "replayed.test" }), "/v1"],
  ];
  test.each(bodies)("POST %s", async (below, body, prefix) => {
    const request = () => ({ key: `same ${below}`.replaceAll(/[^\w/]/g, "-"), body: body() });
    const where = below.replace("{org_id}", String(organization.number));
    const send = () =>
      call(selo, "POST", where, { prefix, token: prefix === "/v1" ? dnsKey : organization.live, ...request() });
    const [first, again] = [await send(), await send()];
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(again.text).toBe(first.text);
  });

  test("a secret that is shown once is left out, and nothing else changes", async () => {
    const webhook = { url: "https://example.com/hook", event_types: ["message.sent"] };
    const send = () => post("/webhooks", { key: "same-webhook", body: webhook });
    const [first, again] = [await send(), await send()];
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const { secret: _, ...others } = first.body;
    expect(again.body).toMatchObject(others);
    expect(again.text).not.toMatch(/": | : /);
  });
});
