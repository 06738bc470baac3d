// A gateway, routes by kind, and requests to them that may be as malformed as a test wants them.
import { afterAll, beforeAll, expect } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { dnsSurface } from "../../../src/services/dns/surface.ts";
import { signingSurface } from "../../../src/services/signature/signing/signing-surface.ts";
import { type Route, scopeOf, takesNoBody } from "../../../src/surfaces/rest/route.ts";
import type { RestSurface } from "../../../src/surfaces/rest/surface.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { aSession, sentWith } from "../../services/signature/completion-stage.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import {
  call,
  countRows,
  expectCommonHeaders,
  type RestRequest,
  type RestResponse,
} from "../../support/rest-client.ts";
import { everyRoute } from "../../support/routes.ts";
import { upload } from "../../support/uploads.ts";

/** How much is asked of routes. */
export interface Extent {
  /** Those that are asked what the parser of a surface decides for all its routes. */
  readonly routes: (of: readonly Route[]) => readonly Route[];
  /** What a route is asked that its own shapes decide. */
  readonly inputs: <Input>(route: Route, inputs: readonly Input[]) => readonly Input[];
}

export const everything: Extent = { routes: (of) => of, inputs: (_, inputs) => inputs };

/** What decides how a request is read, but for names and values of members. */
const kindOf = (route: Route) =>
  [
    surfaceOf(route).prefix,
    scopeOf(route) === null,
    route.method === "GET",
    route.body !== undefined,
    takesNoBody(route),
    route.multipart !== undefined,
    route.takes,
    route.of.mostJsonBytes,
  ].join(" ");

const oneOfEachKind = (of: readonly Route[]) => [
  ...new Map(of.toReversed().map((each) => [kindOf(each), each])).values(),
];
const samples = new Set(oneOfEachKind(everyRoute));

/** Everything of one route of each kind, and one input of every other route, in turn. */
export const oneRouteOfEachKind: Extent = {
  routes: oneOfEachKind,
  inputs: (route, inputs) =>
    samples.has(route) ? inputs : inputs.filter((_, place) => place === everyRoute.indexOf(route) % inputs.length),
};

/** Routes by what a test calls them. */
export const named = (of: readonly Route[]): [string, Route][] =>
  of.map((route) => [`${route.method} ${prefixOf(route).replace("/api/v1", "")}${route.path}`, route]);

export const prefixOf = (route: Route) => surfaceOf(route).prefix;
export const organizationParameterOf = (route: Route) => surfaceOf(route).organizationIn?.parameter;
/** Those of the path, but for that of the organization. */
export const parametersOf = (route: Route) =>
  [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) =>
    name === organizationParameterOf(route) ? [] : [name],
  );

/** Bodies that are right, of paths whose ids are looked up after the body is read. */
const SOUND: Readonly<Record<string, object>> = {
  createDnsZone: { name: "example.com" },
  createDnsRecord: { name: "www", type: "A", content: "192.0.2.1" },
  replaceDnsRecords: { sets: [{ name: "www", type: "A", records: [] }] },
  importDnsZone: { bind_file: "" },
};

/** What a request whose path is malformed has for a body. */
export const soundBodyOf = (route: Route) => (route.body ? { body: SOUND[route.operation] ?? {} } : {});

/** Whether a route has one answer, so that it tells nobody which participants exist. */
export const answersAlways = ({ operation }: Route): boolean => operation === "mailSigningLink";

const kinds = new Map<RestSurface, "signing" | "dns">([
  [signingSurface, "signing"],
  [dnsSurface, "dns"],
]);

export type MalformedStage = ReturnType<typeof malformedStage>;

/** Starts before the tests of a file, and fails after them if they have written anything. */
export function malformedStage() {
  let selo: TestGateway;
  let organization: TestOrganization;
  /** Headers with a good credential of the surface. */
  let credentials: Readonly<Record<"main" | "signing" | "dns", Readonly<Record<string, string>>>>;
  let rows: Record<string, number>;
  beforeAll(async () => {
    selo = await startTestGateway();
    organization = await selo.newOrganization();
    await call(selo, "POST", "/proofs", { token: organization.live, body: { sha256: "0".repeat(64) } });
    // The first content that an organization sends makes its data key, whatever becomes of the content.
    await upload(selo, organization.live, Buffer.from("no PDF"));
    const stage = { selo, tenantId: organization.id, token: organization.live, environment: "live" } as const;
    const { links } = await sentWith(stage);
    credentials = {
      main: { authorization: `Bearer ${organization.live}` },
      dns: { authorization: `Bearer ${(await issueKey(selo.operator, organization.id, "robot")).secret}` },
      signing: { "x-signing-link": links[0].secret, "x-signing-session": await aSession(stage, links[0]) },
    };
    rows = await countRows(selo);
  });
  afterAll(async () => {
    const after = await countRows(selo);
    await selo.stop();
    expect(after).toEqual(rows);
  });

  const credentialsOf = (route: Route) => credentials[kinds.get(surfaceOf(route)) ?? "main"];
  /** The route's path with this value of its parameters; the organization is the caller's. */
  const pathWith = (route: Route, value: string) =>
    route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === organizationParameterOf(route) ? String(organization.number) : value,
    );
  /** The route's path with good parameters. */
  const pathOf = (route: Route) => pathWith(route, "0197a0c0-0000-7000-8000-000000000000");

  return {
    get selo() {
      return selo;
    },
    get organization() {
      return organization;
    },
    credentialsOf,
    pathWith,
    pathOf,
    send: (route: Route, request: RestRequest = {}, suffix = "", path = pathOf(route)): Promise<RestResponse> =>
      call(selo, route.method, path + suffix, {
        prefix: prefixOf(route),
        ...request,
        headers: { ...credentialsOf(route), ...request.headers },
      }),
    /** Request line and headers of a raw request to a route. */
    head: (route: Route, headers: readonly string[], path = pathOf(route)): string =>
      [
        `${route.method} ${prefixOf(route)}${path} HTTP/1.1`,
        "Host: selo.test",
        ...Object.entries(credentialsOf(route)).map(([name, value]) => `${name}: ${value}`),
        ...headers,
        "",
        "",
      ].join("\r\n"),
  };
}

/** Any documented error. */
export function expectDocumented(response: RestResponse | null): void {
  const code = { code: expect.any(String) };
  const isText = typeof response?.body?.detail === "string";
  expect(response?.body).toMatchObject(isText ? code : { detail: { ...code, message: expect.any(String) } });
  expectCommonHeaders(response);
}
