// Malformed input: what the parser of a surface decides is asked of one route of each kind, what a route's own shapes decide
// of every route with one input of each sort. `malformed.full.test.ts` asks every route everything.
import { describe, expect, test } from "vitest";
import type { Route } from "../../../src/surfaces/rest/route.ts";
import { call, expectError, sendRaw } from "../../support/rest-client.ts";
import { everyRoute } from "../../support/routes.ts";
import { type OperationFacts, operationFacts } from "../../support/service-facts.ts";
import { testMalformedBodies } from "./malformed-bodies.ts";
import { testMalformedRequests } from "./malformed-requests.ts";
import { malformedStage, oneRouteOfEachKind } from "./malformed-stage.ts";

const stage = malformedStage();

testMalformedRequests(stage, oneRouteOfEachKind);
testMalformedBodies(stage, oneRouteOfEachKind);

type DeepText = NonNullable<OperationFacts["deepText"]>;
const deepTexts = Object.entries(operationFacts).flatMap(
  ([name, { deepText }]) => (deepText ? [[name, deepText]] : []) as [string, DeepText][],
);

test.each(deepTexts)(
  "%s: a text deep inside a body refuses NUL and lone surrogates, and is named by its place",
  async (name, { body, field }) => {
    const route = everyRoute.find(({ operation }) => operation === name) as Route;
    for (const text of ["a\\u0000", "\\ud800"])
      expectError(await stage.send(route, { body: body(`"${text}"`) }), 422, "invalid_request", [field]);
  },
);

describe("what is no route", () => {
  test.each([
    "/",
    "",
    "/nothing",
    "/proofs/a/b/c",
    "/PROOFS",
    "/proofs%2F",
    "/../healthz",
    "/%2e%2e/healthz",
    "/proofs;a=b",
  ])("/api/v1%s is 404 not_found, with or without a token", async (path) => {
    const { selo, organization } = stage;
    const raw = (extra: string) => sendRaw(selo, `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${extra}\r\n`);
    for (const response of [await raw(""), await raw(`Authorization: Bearer ${organization.live}\r\n`)]) {
      if (path.includes("..") || path.includes("%2e")) {
        // Whether it is taken as it stands or resolved, it is no way into anything.
        expect([200, 404]).toContain(response?.status);
        expect(response?.text).not.toContain("platform_keys");
      } else {
        expectError(response, 404, "not_found");
      }
    }
  });

  test.each(["/nothing", "/api/", "/api/other", "/api/v2/proofs", "/.env", "/api/v1x"])(
    "%s outside the documented paths is 404",
    async (path) => {
      const response = await sendRaw(stage.selo, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expectError(response, 404, "not_found");
    },
  );

  test("bytes that are no HTTP are 400 or simply cut off, and the service goes on", async () => {
    for (const bytes of [
      "garbage\r\n\r\n",
      "GET\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00",
      "FOO / HTTP/1.1\r\nHost: x\r\n\r\n",
    ]) {
      const response = await sendRaw(stage.selo, Buffer.from(bytes, "latin1"), "half-close");
      if (response !== null) expectError(response, 400, "malformed_request");
    }
    expect((await call(stage.selo, "GET", "/public/platform-key")).status).toBe(200);
  });
});
