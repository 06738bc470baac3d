// What callers build on. A change here is one that callers see: give the new digest together with its entry in CHANGELOG.md.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { parse, print, visit } from "graphql";
import { expect, test } from "vitest";

const read = (file: string) => fs.readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** Members that only explain; under `properties` they are names of a caller's own data. */
const EXPLAINING = new Set(["description", "example", "examples", "x-request", "x-examples"]);

/** A document with its members and the values of its enums sorted, without what only explains. */
function bare(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => bare(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !EXPLAINING.has(name))
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => {
        if (!isNames && name === "enum") return [name, [...(member as string[])].sort()];
        return [name, bare(member, !isNames && name === "properties")];
      }),
  );
}

test("schema/openapi.json is what callers know, but for descriptions and examples", () => {
  expect(digest(JSON.stringify(bare(JSON.parse(read("schema/openapi.json")))))).toBe(
    "d983e2bd91c91bfc31eddcce8bba2301f1ace080941aa8c1c90c93d87ac63569",
  );
});

test("schema/schema.graphql is what callers know, but for descriptions", () => {
  expect(digest(print(bareSchema(read("schema/schema.graphql"))))).toBe(
    "e381a03833308cc8d10f8d6bd9e67c2f782c89fdea215bb816decc165b68c9d6",
  );
});

/** A schema's document without descriptions. It is printed in the order of names already. */
const bareSchema = (text: string) =>
  visit(parse(text), { enter: (node) => ("description" in node ? { ...node, description: undefined } : undefined) });

test("the digests see names and types, and no descriptions", () => {
  const document = { properties: { description: { type: "string", description: "one" } }, description: "two" };
  expect(bare(document)).toEqual({ properties: { description: { type: "string" } } });
  expect(print(bareSchema('"""one""" type Query { "two" field("three" given: Int): Int }'))).toBe(
    "type Query {\n  field(given: Int): Int\n}",
  );
});
