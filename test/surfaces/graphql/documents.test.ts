// A document is parsed and validated once for as long as it is kept, and keeping documents opens no limit.

import { createHash } from "node:crypto";
import { buildSchema } from "graphql";
import { Parser } from "graphql/language/parser.js";
import { ValidationContext } from "graphql/validation/ValidationContext.js";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { Documents } from "../../../src/surfaces/graphql/documents.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";

afterEach(() => vi.restoreAllMocks());

describe("in the path of a request", () => {
  let selo: TestGateway;
  let organization: TestOrganization;
  beforeAll(async () => {
    selo = await startTestGateway();
    organization = await selo.newOrganization();
  });
  afterAll(() => selo.stop());

  test("one document is parsed once and validated once, in how many requests it ever comes", async () => {
    const parsed = vi.spyOn(Parser.prototype, "parseDocument");
    const validated = vi.spyOn(ValidationContext.prototype, "getRecursiveVariableUsages");
    const document = "query Once ($first: Int) { proofs(first: $first) { nodes { id } } }";
    const counts = [];
    for (const first of [1, 2, 3]) {
      expect((await graphql(selo, organization.test, document, { first })).errors).toEqual([]);
      counts.push([parsed.mock.calls.length, validated.mock.calls.length]);
    }
    const [once] = counts;
    expect(once?.[0]).toBe(1);
    expect(once?.[1]).toBeGreaterThan(0);
    expect(counts).toEqual([once, once, once]);
  });

  test("variables are read and counted in each request", async () => {
    const document = `query ($n: Int!) { proofs(first: $n) { nodes { ${"id ".repeat(160)} } } }`;
    const ask = async (variables: object) => {
      const { status, errors } = await graphql(selo, organization.test, document, { ...variables });
      return [status, errors[0]?.extensions.fields?.[0]?.field];
    };
    expect(await ask({ n: 10 })).toEqual([200, undefined]);
    expect(await ask({ n: 200 })).toEqual([400, "query"]);
    expect(await ask({ n: "x" })).toEqual([400, "variables.n"]);
    expect(await ask({})).toEqual([400, "variables.n"]);
    expect(await ask({ n: 10 })).toEqual([200, undefined]);
  });

  test("a document that was answered to one is refused to another", async () => {
    const document = "{ proofs { nodes { id label } } }";
    expect((await graphql(selo, organization.test, document)).status).toBe(200);
    expect((await graphql(selo, null, document)).status).toBe(401);
    expect((await graphql(selo, "selo_test_nobody", document)).status).toBe(401);
  });

  test("an invalid document is told all its faults with their places, each time", async () => {
    const document = "{ proofs {\n nodes { nothing }\n missing } }";
    for (const _ of [1, 2]) {
      const { status, data, errors, headers } = await graphql(selo, organization.test, document);
      expect({ status, data, errors }).toEqual({
        status: 400,
        data: undefined,
        errors: [
          { line: 2, column: 10, name: "nothing" },
          { line: 3, column: 2, name: "missing" },
        ].map(({ line, column, name }) => ({
          message: expect.any(String),
          locations: [{ line, column }],
          extensions: {
            code: "invalid_request",
            http: { status: 422 },
            requestId: headers.get("x-request-id"),
            documentation: "http://selo.test/guides/errors#invalid_request",
            fields: [{ field: "query", message: expect.stringContaining(`Cannot query field "${name}"`) }],
          },
        })),
      });
    }
  });
});

describe("what is kept", () => {
  const schema = buildSchema("type Query { a: Int  list(first: Int): [Row!] } type Row { id: Int }");
  const MOST_TOKENS = 2_000;
  const documents = () => new Documents(schema, [], MOST_TOKENS);
  const kept = (from: Documents, query: string) =>
    from.store.get(`schema:${createHash("sha256").update(query).digest("hex")}`);
  const numbered = (place: number) => `query Q${place} { a }`;

  test("is the 1,000 documents used last", async () => {
    const kind = documents();
    for (let place = 0; place < 1_000; place++) kind.requireBounded(numbered(place), {});
    kind.requireBounded(numbered(0), {});
    kind.requireBounded(numbered(1_000), {});
    expect(await kept(kind, numbered(0))).toBeDefined();
    expect(await kept(kind, numbered(1))).toBeUndefined();
    expect(await kept(kind, numbered(2))).toBeDefined();
    expect(await kept(kind, numbered(1_000))).toBeDefined();
  });

  test.each([
    [
      "of as many tokens as there may be",
      (place: number) => `query Q${place} { ${"a ".repeat(900)} }`,
      903 * 512 + 1_820,
    ],
    ["whose text is a comment", (place: number) => `query Q${place} { a } #${"x".repeat(60_000)}`, 120_000 + 6 * 512],
  ])("takes 16 MiB at most: documents %s", async (_, text, size) => {
    const kind = documents();
    const count = 200;
    for (let place = 0; place < count; place++) kind.requireBounded(text(place), {});
    let there = 0;
    for (let place = 0; place < count; place++) if (await kept(kind, text(place))) there++;
    const most = (16 * 1024 * 1024) / size;
    expect(there).toBeLessThanOrEqual(most * 1.05);
    expect(there).toBeGreaterThan(most * 0.9);
  });

  test("is no document that is refused, does not parse or is invalid", async () => {
    const kind = documents();
    const dear = `{ list(first: 200) { ${"id ".repeat(160)} } }`;
    expect(() => kind.requireBounded(dear, {})).toThrow();
    expect(await kept(kind, dear)).toBeUndefined();
    kind.requireBounded("{ a", {});
    expect(await kept(kind, "{ a")).toBeUndefined();
    const invalid = "{ b }";
    kind.requireBounded(invalid, {});
    const document = await kept(kind, invalid);
    expect(document && kind.faultsOf(invalid, document).length).toBe(1);
    expect(await kept(kind, invalid)).toBeUndefined();
  });
});
