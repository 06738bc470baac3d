import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANY_TOKEN } from "../../../src/postgres/command.ts";
import type { Service } from "../../../src/services/service.ts";
import { type Route, routesOf, scopeOf } from "../../../src/surfaces/rest/route.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import type { TestOrganization } from "../gateway.ts";
import { call, countRows, expectError, type RestResponse } from "../rest-client.ts";
import { type Asked, openStage, type ServiceIsolation } from "./isolation.ts";

/**
 * Defines the isolation matrix of surfaces whose paths hold the number of an organization, and which take keys in place of tokens:
 * every route × another organization's key with the owner's number, and with its own; tokens; missing scope; anonymous.
 */
export function testKeyIsolation(services: readonly Service[], isolations: readonly ServiceIsolation[]): void {
  const routes = routesOf(services).filter((route) => surfaceOf(route).organizationIn !== undefined);
  const nameOf = (route: Route) => `${route.method} ${surfaceOf(route).prefix}${route.path}`;
  const requests: NonNullable<ServiceIsolation["keyed"]> = Object.assign({}, ...isolations.map(({ keyed }) => keyed));
  let stage: Awaited<ReturnType<typeof openStage>>;
  beforeAll(async () => {
    stage = await openStage(isolations);
  });
  afterAll(() => stage.selo.stop());

  /** A key of an organization, with all scopes of the surface unless some are given. */
  async function keyOf(route: Route, { id: tenantId }: TestOrganization, scopes?: readonly string[]): Promise<Headers> {
    const { issue, scopes: held } = surfaceOf(route).credentials;
    const holder = { tenantId, environment: "live", scopes: scopes ?? held?.all ?? [] } as const;
    return new Headers(await issue(stage.selo.operator, holder));
  }

  async function prepare(route: Route): Promise<Asked> {
    const request = requests[nameOf(route)];
    if (request === undefined) throw new Error(`no entry for ${nameOf(route)}`);
    return request(stage);
  }

  function ask(route: Route, { path, body }: Asked, number: number, headers: Headers): Promise<RestResponse> {
    const { prefix, organizationIn } = surfaceOf(route);
    const whole = path.replace(`{${organizationIn?.parameter}}`, String(number));
    return call(stage.selo, route.method, whole, { prefix, body, headers: Object.fromEntries(headers) });
  }

  function expectNothingOf(response: RestResponse): void {
    for (const secret of [...stage.secrets, stage.owner.id]) expect(response.text).not.toContain(secret);
  }

  const isOfOrganization = (route: Route) => route.path.includes(`{${surfaceOf(route).organizationIn?.parameter}}`);
  /** Whether its path names something of the organization's. */
  const isOfOne = (route: Route) => (route.path.match(/\{/g)?.length ?? 0) > 1;

  test("every route stands in the matrix, and only those", () => {
    expect(routes.length).toBeGreaterThan(0);
    expect(routes.map(nameOf).sort()).toEqual(Object.keys(requests).sort());
  });

  describe.each(routes.map((route): [string, Route] => [nameOf(route), route]))("%s", (_, route) => {
    const scope = scopeOf(route) ?? "";
    /** What all refused questions ask for. The last test is not refused: it shows that the thing was there all along. */
    let refused: Promise<Asked> | null = null;
    const prepareOnce = () => {
      refused ??= prepare(route);
      return refused;
    };

    /** Asks, and nothing is written. */
    async function askInVain(asked: Asked, number: number, headers: Headers): Promise<RestResponse> {
      const rows = await countRows(stage.selo);
      const response = await ask(route, asked, number, headers);
      expectNothingOf(response);
      expect(await countRows(stage.selo)).toEqual(rows);
      return response;
    }

    test("its owner is shown it (or the rest of this matrix shows nothing)", async () => {
      const asked = await prepare(route);
      const response = await ask(route, asked, stage.owner.number, await keyOf(route, stage.owner));
      expect(response.status).toBe(asked.status ?? route.status);
      for (const word of asked.shows) expect(response.text).toContain(word);
    });

    if (isOfOrganization(route))
      test("another organization's key is 403 forbidden, whether the organization of the path exists or not", async () => {
        const asked = await prepareOnce();
        const headers = await keyOf(route, stage.stranger);
        for (const number of [stage.owner.number, 999_999_999])
          expectError(await askInVain(asked, number, headers), 403, "forbidden");
      });

    test("another organization's key finds nothing of it under its own number", async () => {
      const asked = await prepareOnce();
      const headers = await keyOf(route, stage.stranger);
      if (isOfOne(route))
        for (const path of [asked.path, ...(asked.othersPaths ?? [])])
          expectError(await askInVain({ ...asked, path }, stage.stranger.number, headers), 404, "not_found");
      else if (route.method === "GET")
        expect((await askInVain(asked, stage.stranger.number, headers)).status).toBe(200);
      // What is left makes something anew, of the organization of the path.
      else expect([nameOf(route), isOfOrganization(route)]).toEqual([nameOf(route), true]);
    });

    test("a token of the main API, live or test, is 403 missing_scope", async () => {
      const asked = await prepareOnce();
      for (const token of [stage.owner.live, stage.owner.test]) {
        const headers = new Headers({ authorization: `Bearer ${token}` });
        expectError(await askInVain(asked, stage.owner.number, headers), 403, "missing_scope");
      }
    });

    if (scope !== ANY_TOKEN)
      test("a key with every scope but its own is 403 missing_scope, and writes nothing", async () => {
        const others = surfaceOf(route).credentials.scopes?.all.filter((each) => each !== scope) ?? [];
        const headers = await keyOf(route, stage.owner, others);
        const response = await askInVain(await prepareOnce(), stage.owner.number, headers);
        expectError(response, 403, "missing_scope");
        expect(response.body.detail).toContain(scope);
      });

    test("anonymous is 401 unauthenticated, and writes nothing", async () => {
      const asked = await prepareOnce();
      for (const headers of [{}, { authorization: `Bearer dns_00000000_${"A".repeat(43)}` }])
        expectError(await askInVain(asked, stage.owner.number, new Headers(headers)), 401, "unauthenticated");
    });

    test("a key with its scope alone, or with any where none is asked, suffices", async () => {
      const asked = await prepareOnce();
      const least = scope === ANY_TOKEN ? (surfaceOf(route).credentials.scopes?.least ?? "") : scope;
      const headers = await keyOf(route, stage.owner, [least]);
      const response = await ask(route, asked, stage.owner.number, headers);
      expect(response.status).toBe(asked.status ?? route.status);
    });
  });
}
