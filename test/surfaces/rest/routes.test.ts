// The routes take what their commands take: no member is lost on the way, and none is asked for in vain.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { commandFacts, commandName } from "../../../src/postgres/any-command.ts";
import type { Command } from "../../../src/postgres/command.ts";
import type { Route } from "../../../src/surfaces/rest/route.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { routes } from "../../support/routes.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** What of an item is not its caller's to say. */
const FROM_THE_HEADER = ["idempotency_key", "request_hash"];

/** The members a route reads, and whether each may be left out. */
function membersOf({ params, query, body }: Route): Record<string, boolean> {
  const shapes = [params, query, body].map((schema): Readonly<Record<string, z.ZodType>> => schema?.shape ?? {});
  const names = shapes.flatMap((shape) => Object.keys(shape));
  expect(new Set(names).size, "a name in two places would hide one of them").toBe(names.length);
  return Object.fromEntries(
    shapes.flatMap((shape) =>
      Object.entries(shape).map(([name, schema]) => [name, schema.safeParse(undefined).success]),
    ),
  );
}

/** The columns a command for many requests reads from each item of its one argument. */
async function itemColumns(command: string, argument: string): Promise<string[]> {
  const { rows } = await database.admin.query<{ source: string }>(
    "select prosrc as source from pg_proc where pronamespace = 'gateway'::regnamespace and proname = $1",
    [command],
  );
  const [, columns = ""] =
    new RegExp(`jsonb_to_recordset\\(p_${argument}\\) as \\(([^)]*)\\)`).exec(rows[0]?.source ?? "") ?? [];
  const names = [...columns.matchAll(/(\w+) \w+/g)].map(([, name = ""]) => name);
  return names.filter((name) => !FROM_THE_HEADER.includes(name));
}

test.each(routes.map((route): [string, Route] => [`${route.method} ${route.path}`, route]))(
  "%s reads the arguments of its command, each, and no others",
  async (_, route) => {
    const parameters: Command["arguments"] = commandFacts(route.command).arguments;
    const [first, ...more] = Object.entries(parameters);
    const members = membersOf(route);
    if (first !== undefined && more.length === 0 && first[1].type === "jsonb" && !(first[0] in members)) {
      const columns = await itemColumns(commandName(route.command), first[0]);
      expect(columns.length).toBeGreaterThan(0);
      expect(Object.keys(members).sort()).toEqual(columns.sort());
    } else {
      const optional = Object.entries(parameters).map(([name, argument]) => [name, argument.optional]);
      // What the handler makes is nobody's to give.
      const made = route.made ?? [];
      for (const name of made) expect(Object.keys(parameters)).toContain(name);
      expect(members).toEqual(Object.fromEntries(optional.filter(([name]) => !made.includes(name as string))));
    }
  },
);

test("POST /proofs, which alone has a command for many requests, is compared with what that reads", async () => {
  expect(await itemColumns("prepare_proofs", "proofs")).toEqual(["sha256", "label", "file_name", "file_size"]);
});

test("no two routes have the same method and path", () => {
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  expect(new Set(names).size).toBe(names.length);
});
