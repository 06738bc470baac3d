// What lists cost, wherever they stand: of a schema with nested connections and lists, which the product's has not yet.

import { buildSchema, type GraphQLObjectType, parse } from "graphql";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/errors/app-error.ts";
import { documentLimits, requestsOf } from "../../../src/surfaces/graphql/cost.ts";
import type { Page } from "../../../src/surfaces/graphql/schema/pages.ts";

const schema = buildSchema(`
  type Query { zones(first: Int, last: Int, after: String): ZoneConnection  zone(id: ID!): Zone  search(limit: Int): [Zone!] }
  type Mutation { importZones: ImportPayload  search(limit: Int): [Zone!] }
  type ImportPayload { zones: [Zone!]! }
  type PageInfo { hasNextPage: Boolean! }
  type ZoneConnection { nodes: [Zone!]!  edges: [ZoneEdge!]!  pageInfo: PageInfo!  totalCount: Int!  totalCountCapped: Boolean! }
  type ZoneEdge { cursor: String!  node: Zone! }
  interface Named { name: String!  servers: [Server!]! }
  type Zone implements Named { id: ID!  name: String!  tags: [String!]!  servers: [Server!]!  totalCount: Int!  data: JSON  records(first: Int, last: Int): RecordConnection!  keys(first: Int, last: Int): RecordConnection! }
  scalar JSON
  type Server { host: String!  addresses(limit: Int): [Address!] }
  type Address { text: String! }
  type RecordConnection { nodes: [Record!]!  edges: [RecordEdge!]!  pageInfo: PageInfo!  totalCount: Int!  totalCountCapped: Boolean! }
  type RecordEdge { cursor: String!  node: Record! }
  type Record { id: ID!  values: [String!]! }
`);
/** As the plugin of pages marks lists within objects. */
function withPage(type: string, field: string, page: Page): void {
  const found = (schema.getType(type) as GraphQLObjectType).getFields()[field];
  if (found === undefined) throw new Error(`there is no ${type}.${field}`);
  found.extensions = { selo: { page } };
}
withPage("Zone", "records", { most: 200, preset: 20 });
withPage("Zone", "keys", { most: 10, preset: 10 });
const limits = documentLimits(schema);

function isRefused(document: string, variables: Readonly<Record<string, unknown>>): boolean {
  try {
    limits(parse(document))(variables);
    return false;
  } catch (error) {
    if (
      error instanceof AppError &&
      /^asks for [0-9,]+ values, page sizes counted; at most 30,000$/.test(error.fields?.[0]?.message ?? "")
    )
      return true;
    throw error;
  }
}

/** Fields of so many values: n fields of a list of 100 are 1 + 100 n. */
function filler(values: number): string {
  const names = (count: number) => Array.from({ length: count }, () => "__typename").join(" ");
  const hundreds = Math.max(0, Math.floor((values - 1) / 100));
  return hundreds === 0
    ? names(values)
    : `search(limit: 100) { ${names(hundreds)} } ${names(values - 1 - 100 * hundreds)}`;
}

const withMore = (document: string, values: number) => document.replace("{", `{ ${filler(values)} `);

describe("a document costs one value for each field, each list multiplied by its size", () => {
  test.each<[name: string, document: string, values: number, variables?: Readonly<Record<string, unknown>>]>([
    ["no list", "{ zone(id: 1) { id name } }", 3],
    ["a connection without a size", "{ zones { nodes { id name } } }", 1 + 50 * 3],
    ["a connection by first", "{ zones(first: 7) { nodes { id name } } }", 1 + 7 * 3],
    ["a connection by last", "{ zones(last: 7) { nodes { id name } } }", 1 + 7 * 3],
    ["its edges", "{ zones(first: 7) { edges { cursor node { id } } } }", 1 + 7 * 4],
    ["its page info, once", "{ zones(first: 7) { pageInfo { hasNextPage } } }", 3],
    ["its counts, as much as its largest page", "{ zones(first: 7) { totalCount totalCountCapped } }", 1 + 200],
    ["a field of that name of something else", "{ zone(id: 1) { totalCount } }", 2],
    ["a size beyond the largest, which is refused later", "{ zones(first: 1000) { nodes { id } } }", 1 + 200 * 2],
    ["a size below the smallest", "{ zones(first: -5) { nodes { id } } }", 1 + 2],
    ["a list by limit", "{ search(limit: 7) { id name } }", 1 + 7 * 2],
    ["a list without a size", "{ search { id name } }", 1 + 50 * 2],
    ["an array of scalars, which is a value of its row", "{ search(limit: 7) { id tags } }", 1 + 7 * 2],
    ["a list inside a row", "{ zone(id: 1) { servers { host } } }", 1 + (1 + 50)],
    ["a list inside a row of a list", "{ search(limit: 3) { servers { host } } }", 1 + 3 * (1 + 50)],
    [
      "a list inside a list inside a row",
      "{ zone(id: 1) { servers { addresses(limit: 4) { text } } } }",
      2 + 50 * (1 + 4),
    ],
    ["a list of what a mutation answers", "mutation { importZones { zones { id } } }", 1 + (1 + 50)],
    ["a list by an interface", "{ zone(id: 1) { ... on Named { servers { host } } } }", 1 + (1 + 50)],
    [
      "a connection inside a connection",
      "{ zones(first: 3) { nodes { records(first: 20) { nodes { id values } } } } }",
      1 + 3 * (1 + (1 + 20 * 3)),
    ],
    [
      "a connection inside a connection, without sizes: twenty",
      "{ zones(first: 10) { edges { node { records { nodes { id } } } } } }",
      1 + 10 * (1 + 1 + (1 + 20 * 2)),
    ],
    [
      "a connection inside a connection, without sizes: what its parent holds at most",
      "{ zones(first: 10) { nodes { keys { nodes { id } } } } }",
      1 + 10 * (1 + (1 + 10 * 2)),
    ],
    [
      "a connection by a size beyond what its parent holds",
      "{ zones(first: 10) { nodes { keys(first: 200) { nodes { id } } } } }",
      1 + 10 * (1 + (1 + 10 * 2)),
    ],
    ["a member that is JSON, as long as an object", "{ zones(first: 7) { nodes { id data } } }", 1 + 7 * (2 + 20)],
    [
      "a value under an alias, ten times",
      "{ zones(first: 7) { nodes { a: name b: name data } } }",
      1 + 7 * (1 + 20 + 20),
    ],
    ["an object under an alias, once", "{ a: zone(id: 1) { id } b: zone(id: 1) { id } }", 4],
    [
      "counts of a connection inside a connection, for each of its rows",
      "{ zones(first: 3) { totalCount nodes { records(first: 20) { totalCount totalCountCapped nodes { id } } } } }",
      1 + 100 + 3 * (1 + (1 + 200 + 20 * 2)),
    ],
    [
      "a fragment on a connection, by the size of each connection that spreads it",
      "{ a: zones(first: 3) { ...Rows } b: zones(first: 5) { ...Rows } } fragment Rows on ZoneConnection { nodes { id } pageInfo { hasNextPage } }",
      1 + 2 + 3 * 2 + (1 + 2 + 5 * 2),
    ],
    [
      "fragments of rows",
      "{ zones(first: 3) { nodes { ...Deep } } } fragment Deep on Zone { ...Servers } fragment Servers on Zone { servers { host } }",
      1 + 3 * (1 + (1 + 50)),
    ],
    [
      "sizes that are variables",
      "query ($zones: Int, $records: Int) { zones(first: $zones) { nodes { records(last: $records) { nodes { id } } } } }",
      1 + 2 * (1 + (1 + 9 * 2)),
      { zones: 2, records: 9 },
    ],
    [
      "sizes that are defaults of variables, and none",
      "query ($zones: Int = 2, $records: Int) { zones(first: $zones) { nodes { records(last: $records) { nodes { id } } } } }",
      1 + 2 * (1 + (1 + 20 * 2)),
    ],
    ["a variable that is null", "query ($n: Int = 2) { zones(first: $n) { nodes { id } } }", 1 + 50 * 2, { n: null }],
  ])("%s", (_, document, values, variables = {}) => {
    expect(isRefused(withMore(document, 30_000 - values), variables)).toBe(false);
    expect(isRefused(withMore(document, 30_001 - values), variables)).toBe(true);
  });

  test("variables count in each request, whatever was counted before", () => {
    const document = `query ($n: Int) { zones(first: $n) { nodes { ${"name ".repeat(160)} } } }`;
    const requireBounded = limits(parse(document));
    for (const n of [10, 200, 10, 200, null])
      if (n === 200) expect(() => requireBounded({ n })).toThrow(AppError);
      else requireBounded({ n });
  });

  test("a request asks for the values of the operation that runs", () => {
    const requireBounded = limits(parse("query A { zones(first: 7) { nodes { id } } } query B { zone(id: 1) { id } }"));
    expect(["A", "B", "C", null].map((name) => requireBounded({}, name))).toEqual([15, 2, 15, 15]);
    expect(limits(parse("query ($n: Int) { zones(first: $n) { nodes { id } } }"))({ n: 3 })).toBe(7);
  });

  test("1,000 values are one request, and no request is less than one", () => {
    expect([0, 1, 1_000, 1_001, 2_000, 2_001, 20_000].map(requestsOf)).toEqual([1, 1, 1, 2, 2, 3, 20]);
  });
});
