// A gateway, routes by kind, and requests to them that may be as malformed as a test wants them.

import { afterAll, beforeAll, expect } from "vitest";
import { commandFacts } from "../../../src/postgres/any-command.ts";
import { apiV1 } from "../../../src/surfaces/rest/api-v1.ts";
import { type Route, scopeOf, takesNoBody } from "../../../src/surfaces/rest/route.ts";
import type { RestSurface } from "../../../src/surfaces/rest/surface.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import {
  call,
  countRows,
  expectCommonHeaders,
  filePart,
  multipartBody,
  type RestRequest,
  type RestResponse,
} from "../../support/rest-client.ts";
import { everyRoute } from "../../support/routes.ts";
import { operationFacts, productFacts } from "../../support/service-facts.ts";

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

/** The first word of a parameter that takes only certain words; null for any other. */
const choiceOf = (route: Route, name: string): string | null =>
  /^\^\((\w+)\|/.exec(commandFacts(route.command).arguments[name]?.pattern ?? "")?.[1] ?? null;

/** What a request whose path is malformed has for a body. */
export function soundBodyOf(route: Route) {
  if (route.takes === "file") {
    const { bytes, headers } = multipartBody([filePart("x")]);
    return { body: bytes, headers };
  }
  return route.body ? { body: operationFacts[route.operation]?.body ?? {} } : {};
}

/** Whether a right request to a route ends its credential. */
export const endsCredential = ({ operation }: Route): boolean => operationFacts[operation]?.endsCredential ?? false;

/** Whether a route has one answer, so that it tells nobody what exists. */
export const answersAlways = ({ operation }: Route): boolean => operationFacts[operation]?.answersAlways ?? false;

const surfaces = productFacts.flatMap(({ surfaces: own = [] }) => own);

/** The code of the 404 that answers a wrong value in the path of a route; null for 422. */
export const codeOfWrongValue = (route: Route): string | null =>
  operationFacts[route.operation]?.wrongValue ??
  surfaces.find(({ surface }) => surface === surfaceOf(route))?.wrongValue ??
  null;

export type MalformedStage = ReturnType<typeof malformedStage>;

/** Starts before the tests of a file, and fails after them if they have written anything. */
export function malformedStage() {
  let selo: TestGateway;
  let organization: TestOrganization;
  /** Headers with a good credential of each surface. */
  const credentials = new Map<RestSurface, Readonly<Record<string, string>>>();
  let rows: Record<string, number>;
  beforeAll(async () => {
    selo = await startTestGateway();
    organization = await selo.newOrganization();
    for (const { writeFirst } of productFacts) await writeFirst?.(selo, organization);
    credentials.set(apiV1, { authorization: `Bearer ${organization.live}` });
    for (const { surface, credentials: make } of surfaces) credentials.set(surface, await make(selo, organization));
    rows = await countRows(selo);
  });
  afterAll(async () => {
    const after = await countRows(selo);
    await selo.stop();
    expect(after).toEqual(rows);
  });

  const credentialsOf = (route: Route) => credentials.get(surfaceOf(route)) ?? {};
  const pathFrom = (route: Route, valueFor: (parameter: string) => string) =>
    route.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      name === organizationParameterOf(route) ? String(organization.number) : valueFor(name),
    );
  /** The route's path with this value of its parameters; the organization is the caller's. */
  const pathWith = (route: Route, value: string) => pathFrom(route, () => value);
  /** The route's path with good parameters. */
  const pathOf = (route: Route) =>
    pathFrom(route, (name) => choiceOf(route, name) ?? "0197a0c0-0000-7000-8000-000000000000");

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
