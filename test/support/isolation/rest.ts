import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANY_TOKEN } from "../../../src/postgres/command.ts";
import type { Service } from "../../../src/services/service.ts";
import { apiV1 } from "../../../src/surfaces/rest/api-v1.ts";
import { type Route, routesOf, scopeOf, takesSession } from "../../../src/surfaces/rest/route.ts";
import { surfaceOf } from "../../../src/surfaces/rest/surfaces.ts";
import { readBack } from "../receipt-reader.ts";
import { call, countRows, expectError, type RestResponse } from "../rest-client.ts";
import { type Asked, type Others, openStage, type ServiceIsolation, type SignedIn } from "./isolation.ts";

/**
 * Defines the isolation matrix of the main surface of REST: every route × other tenant, other environment, missing scope, anonymous.
 * @param others services that the gateway has beside these, whose matrix is tested elsewhere
 */
export function testRestIsolation(
  services: readonly Service[],
  isolations: readonly ServiceIsolation[],
  others: Others = { services: [], isolations: [] },
): void {
  // Asked with tokens. `keys.ts` asks the surfaces that take keys; links of participants are no organization's, and `signing*.test.ts` asks theirs.
  const routes = routesOf(services).filter((route) => surfaceOf(route) === apiV1);
  const requests: ServiceIsolation["rest"] = Object.assign({}, ...isolations.map(({ rest }) => rest));
  const ownOf = ({ isOfTest }: Asked) => (isOfTest ? "test" : "live");
  const otherOf = ({ isOfTest }: Asked) => (isOfTest ? "live" : "test");
  const nameOf = (route: Route) => `${route.method} ${route.path}`;
  let stage: Awaited<ReturnType<typeof openStage>>;
  beforeAll(async () => {
    stage = await openStage(isolations, [...others.services, ...services]);
  });
  afterAll(() => stage.selo.stop());

  async function prepare(route: Route): Promise<Asked> {
    const request = requests[nameOf(route)];
    if (request === undefined) throw new Error(`no entry for ${nameOf(route)}`);
    return request(stage);
  }

  async function ask(
    route: Route,
    token: string | null,
    prepared?: Asked,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RestResponse> {
    const { path, body, form } = prepared ?? (await prepare(route));
    return call(stage.selo, route.method, path, { token, body: form ?? body, headers });
  }

  /** People of both organizations, where a service signs people in. */
  async function everybody() {
    signedIn ??= Promise.all(
      [stage.owner, stage.stranger].map(async (organization) => {
        const makers = [...isolations, ...others.isolations].flatMap(({ people }) => people ?? []);
        return (await Promise.all(makers.map((make) => make(stage, organization)))).flat();
      }),
    );
    const [people = [], strangers = []] = await signedIn;
    expect(people.length).toBeGreaterThan(0);
    return { people, strangers };
  }
  let signedIn: Promise<SignedIn[][]> | null = null;

  /** Nothing of the owner's in it. */
  function expectNothingOf(response: RestResponse): void {
    for (const secret of [...stage.secrets, stage.owner.id]) expect(shown(response)).not.toContain(secret);
  }

  const named = (some: readonly Route[]) => some.map((route): [string, Route] => [nameOf(route), route]);
  const mine = named(routes.filter((route) => scopeOf(route) !== null));
  const anyones = named(routes.filter((route) => scopeOf(route) === null));

  test("every route stands in the matrix, and only those", () => {
    expect(routes.map(nameOf).sort()).toEqual(Object.keys(requests).sort());
  });

  describe.each(mine)("%s", (_, route) => {
    /** What all refused questions ask for. The last test is not refused: it shows that the thing was there all along. */
    let refused: Promise<Asked> | null = null;
    const prepareOnce = () => {
      refused ??= prepare(route);
      return refused;
    };

    test("its owner is shown it (or the rest of this matrix shows nothing)", async () => {
      const asked = await prepare(route);
      const response = await ask(route, stage.owner[ownOf(asked)], asked);
      expect(response.status).toBe(asked.status ?? route.status);
      for (const word of asked.shows) expect(shown(response)).toContain(word);
      if (asked.isShared) expect((await ask(route, stage.owner.test)).text).toBe(response.text);
    });

    test("another tenant, in either environment, is shown nothing of it", async () => {
      for (const environment of ["live", "test"] as const) {
        const asked = await prepareOnce();
        const rows = await countRows(stage.selo);
        const response = await ask(route, stage.stranger[environment], asked);
        expectNothingOf(response);
        if (asked.isOfTest && environment === "live") expectError(response, 403, "forbidden");
        if (asked.isShared) for (const word of asked.shows) expect(shown(response)).not.toContain(word);
        if (route.params === undefined) continue;
        expectError(response, 404, "not_found");
        expect(await countRows(stage.selo)).toEqual(rows);
      }
    });

    test("the same tenant's other environment is shown nothing of it", async () => {
      const asked = await prepareOnce();
      const rows = await countRows(stage.selo);
      const response = await ask(route, stage.owner[otherOf(asked)], asked);
      if (asked.isOfTest) expectError(response, 403, "forbidden");
      for (const secret of stage.secrets) expect(shown(response)).not.toContain(secret);
      if (route.params === undefined) return;
      expectError(response, 404, "not_found");
      expect(await countRows(stage.selo)).toEqual(rows);
    });

    const scope = scopeOf(route) ?? "";
    const suffices = scope === ANY_TOKEN ? "labels:read" : scope;

    const withoutScope = async () => {
      const others = (await stage.selo.operator.allScopes()).filter((each) => each !== scope);
      const asked = await prepareOnce();
      const token = await stage.owner.token(ownOf(asked), others);
      const rows = await countRows(stage.selo);
      const response = await ask(route, token, asked);
      expectError(response, 403, "missing_scope");
      expect(response.body.detail.message).toContain(scope);
      expectNothingOf(response);
      expect(await countRows(stage.selo)).toEqual(rows);
    };
    if (scope !== ANY_TOKEN)
      test("a token with every scope but its own is 403 missing_scope, and writes nothing", withoutScope);

    test("anonymous is 401 unauthenticated, and writes nothing", async () => {
      const asked = await prepareOnce();
      const rows = await countRows(stage.selo);
      for (const token of [null, `svc_live_${"A".repeat(43)}`]) {
        const response = await ask(route, token, asked);
        expectError(response, 401, "unauthenticated");
        expectNothingOf(response);
      }
      expect(await countRows(stage.selo)).toEqual(rows);
    });

    if (takesSession(route))
      test("a person of the organization is shown it as the role allows, one who left it or of another is not", async () => {
        const asked = await prepareOnce();
        const { people, strangers } = await everybody();
        const environment = { "x-environment": ownOf(asked) };
        for (const { role, scopes, headers } of people) {
          const may = role !== null && (scope === ANY_TOKEN || scopes.includes(scope));
          // What a write changes or removes is made anew.
          const own = may && route.method !== "GET" ? await prepare(route) : asked;
          const response = await ask(route, null, own, { ...headers, ...environment });
          if (may) {
            expect([role, response.status]).toEqual([role, asked.status ?? route.status]);
            if (scope !== ANY_TOKEN) for (const word of own.shows) expect(shown(response)).toContain(word);
          } else {
            if (role === null) expectError(response, 401, "unauthenticated");
            else expectError(response, 403, "forbidden");
            expectNothingOf(response);
          }
        }
        for (const { headers } of strangers)
          expectNothingOf(await ask(route, null, asked, { ...headers, ...environment }));
      });
    else
      test("the session of a person is as if absent: 401 unauthenticated", async () => {
        const { people } = await everybody();
        const rows = await countRows(stage.selo);
        for (const { headers } of people) {
          const response = await ask(route, null, await prepareOnce(), headers);
          expectError(response, 401, "unauthenticated");
          expectNothingOf(response);
        }
        expect(await countRows(stage.selo)).toEqual(rows);
      });

    test("a token with its scope alone, or with any where none is asked, suffices", async () => {
      const asked = await prepareOnce();
      const response = await ask(route, await stage.owner.token(ownOf(asked), [suffices]), asked);
      expect(response.status).toBe(asked.status ?? route.status);
    });
  });

  test.each(anyones)("%s answers anyone the same, with nothing of a tenant's that is not public", async (_, route) => {
    const { owner, stranger, selo, secrets } = stage;
    const tokens = [null, owner.live, owner.test, stranger.live, `svc_live_${"A".repeat(43)}`, "nonsense"];
    const asked = await prepare(route);
    const rows = await countRows(selo);
    const answers = await Promise.all(tokens.map((token) => ask(route, token, asked)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(answers[0]?.text);
      for (const word of asked.shows) expect(answer.text).toContain(word);
      for (const secret of secrets.filter((word) => !asked.shows.some((shown) => shown.includes(word))))
        expect(answer.text).not.toContain(secret);
    }
    expect(await countRows(selo)).toEqual(rows);
  });
}

/** What an answer shows to who looks: of a PDF, what is printed and what is attached. */
function shown({ headers, bytes, text }: RestResponse): string {
  if (headers.get("content-type") !== "application/pdf") return text;
  const { text: printed, attached } = readBack(bytes, {
    text: "pdftotext -layout file.pdf text",
    attached: "pdfdetach -save 1 -o attached file.pdf",
  });
  return printed + attached;
}
