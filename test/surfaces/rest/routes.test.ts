// The documented paths of all services together.
import { expect, test } from "vitest";
import { routes } from "../../support/routes.ts";

test("no two routes have the same method and path", () => {
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  expect(new Set(names).size).toBe(names.length);
});
