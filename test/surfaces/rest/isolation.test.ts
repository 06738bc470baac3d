// The isolation matrix of REST, of all services: the main surface.
import { expect, test } from "vitest";
import { services } from "../../../src/services/services.ts";
import { scopeOf } from "../../../src/surfaces/rest/route.ts";
import { testRestIsolation } from "../../support/isolation/rest.ts";
import { routes } from "../../support/routes.ts";
import { productIsolations } from "../../support/service-facts.ts";

testRestIsolation(services, await productIsolations());

test("routes for anyone are the public ones, and no others", () => {
  const anyones = routes.filter((route) => scopeOf(route) === null);
  for (const { path } of anyones) expect(path).toMatch(/^\/public\//);
  expect(anyones).toEqual(routes.filter(({ path }) => path.startsWith("/public/")));
});
