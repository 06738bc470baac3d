// Who opens the address of an API in a browser is led to its documentation, in production as well.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, expectError } from "../../support/rest-client.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway({ NODE_ENV: "production" });
});
afterAll(() => selo.stop());

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const open = (path: string, accept = BROWSER) =>
  fetch(selo.baseUrl + path, { headers: { accept }, redirect: "manual" });

test.each([
  ["/api/v1", "/docs"],
  ["/graphql", "/graphiql"],
])("%s leads to %s, which is there", async (path, page) => {
  const response = await open(path);
  expect({ status: response.status, to: response.headers.get("location") }).toEqual({ status: 303, to: page });
  expect(response.headers.get("vary")).toMatch(/accept/i);
  const shown = await open(page);
  expect({ status: shown.status, type: shown.headers.get("content-type") }).toEqual({
    status: 200,
    type: "text/html; charset=utf-8",
  });
});

test("caches are told all that the way depends on, where pages of other origins may ask, too", async () => {
  const origin = "https://app.example.com";
  const beside = await startGatewayBeside(selo, { CORS_ORIGINS: origin });
  try {
    for (const path of ["/api/v1", "/graphql", "/no-such-page"]) {
      const headers = { accept: BROWSER, origin };
      const response = await fetch(beside.baseUrl + path, { headers, redirect: "manual" });
      // A page comes in the visitor's language, compressed.
      const vary = path === "/no-such-page" ? "Origin, Accept, Accept-Language, Accept-Encoding" : "Origin, Accept";
      expect({ path, vary: response.headers.get("vary") }).toEqual({ path, vary });
    }
  } finally {
    await beside.stop();
  }
});

test("a program gets the error of the API", async () => {
  for (const accept of ["application/json", "*/*"]) {
    expectError(await call(selo, "GET", "", { headers: { accept } }), 404, "not_found");
    expect((await open("/graphql", accept)).status).toBe(400);
  }
  expectError(await call(selo, "POST", "", { headers: { accept: BROWSER } }), 404, "not_found");
});

test("a query by GET is none that leads away, whatever is accepted", async () => {
  expect((await open("/graphql?query=%7B__typename%7D")).status).not.toBe(303);
});
