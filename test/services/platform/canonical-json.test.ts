import fs from "node:fs";
import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canonicalJson, type JsonValue } from "../../../src/verifier/canonical-json.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { ownerPool } from "../../support/owner.ts";

const VECTORS = new URL("../../../../shared/vectors/canonical-json.json", import.meta.url);

let database: TestDatabase;
let owner: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = ownerPool(database);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** platform.canonical_json of each value, in one statement. */
async function inSql(values: readonly JsonValue[]): Promise<string[]> {
  const { rows } = await owner.query<{ text: string }>(
    "select platform.canonical_json(item::jsonb) as text from unnest($1::text[]) with ordinality as given (item, place) order by place",
    [values.map((value) => JSON.stringify(value))],
  );
  return rows.map(({ text }) => text);
}

test("the published vectors come out byte for byte", async (context) => {
  if (!fs.existsSync(VECTORS)) return context.skip("the folder of shared vectors is not beside this checkout");
  const { cases } = JSON.parse(fs.readFileSync(VECTORS, "utf8")) as {
    cases: { value: JsonValue; canonical: string }[];
  };
  expect(cases.length).toBeGreaterThan(10);
  expect(await inSql(cases.map(({ value }) => value))).toEqual(cases.map(({ canonical }) => canonical));
});

test("any JSON value of integers comes out as canonicalJson writes it", async () => {
  const text = fc
    .oneof(
      fc.string({
        unit: fc.constantFrom(
          ...'\u0001\b\t\n\u000b\f\r\u001f "/\\aZ0\u007f\u0080éç\u2028\u2029中\ud7ff\ue000ﬁ\uffff',
          "\u{10000}",
          "😀",
          "\u{10ffff}",
        ),
        maxLength: 8,
      }),
      fc.string({ unit: "binary", maxLength: 8 }),
    )
    .map((value) => value.replaceAll("\u0000", "0"));
  const integer = fc.oneof(fc.integer(), fc.maxSafeInteger()).map((value) => value + 0);
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.oneof(text, integer, fc.boolean(), fc.constant(null)),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(text, tie("value"), { maxKeys: 6 }),
    ),
  })).value;
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async (values) => {
      expect(await inSql(values)).toEqual(values.map((each) => canonicalJson(each)));
    }),
    { numRuns: 100 },
  );
});

test("keys are ordered by code point, not by UTF-16 unit, length or locale", async () => {
  expect(await inSql([{ "😀": 1, "\uffff": 2, é: 3, z: 4, Z: 5, aa: 6, a: 7 }])).toEqual([
    '{"Z":5,"a":7,"aa":6,"z":4,"é":3,"\uffff":2,"😀":1}',
  ]);
});

test("a number that is no integer is refused rather than written in a way others would not", async () => {
  for (const number of ["1.5", "1e-3", "0.1"])
    for (const wrapped of [number, `[${number}]`, `{"a":${number}}`, `{"a":[{"b":${number}}]}`])
      await expect(owner.query("select platform.canonical_json($1::jsonb)", [wrapped]), wrapped).rejects.toMatchObject({
        code: "22P02",
      });
});

test("null is the text null inside, and SQL's null outside", async () => {
  expect(await inSql([null, [null], { a: null }])).toEqual(["null", "[null]", '{"a":null}']);
  expect((await owner.query("select platform.canonical_json(null) as text")).rows).toEqual([{ text: null }]);
});
