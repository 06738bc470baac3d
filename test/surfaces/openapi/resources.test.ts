// What the description of the API says of a view's columns: each view's own comments, never the name of a column alone.
import { expect, test } from "vitest";
import { z } from "zod";
import { type CatalogColumn, type CatalogView, readApiCatalog } from "../../../src/postgres/migrate/api-catalog.ts";
import { propertiesOf, rowsOf, rowWith } from "../../../src/surfaces/openapi/resources.ts";
import { rowOf } from "../../../src/surfaces/operation.ts";
import { createTestDatabase } from "../../support/database.ts";

const column = (name: string, more: Partial<CatalogColumn> = {}): CatalogColumn => ({
  name,
  type: "text",
  notNull: true,
  description: "Words.",
  values: null,
  format: null,
  isHashed: false,
  texts: null,
  ...more,
});
const rows = (view: string, columns: readonly CatalogColumn[]) =>
  rowsOf(new Map<string, CatalogView>([[view, { name: view, description: "A view.", columns }]]), {
    hash: { type: "string", pattern: "^[0-9a-f]+$" },
  });
const member = (one: CatalogColumn) => propertiesOf(rows("things", [one]).row("things"))[one.name];

test("a name of another view's column means nothing", async () => {
  const database = await createTestDatabase();
  try {
    await database.admin.query(`
      create view api.other_keys as select 'ECDSAP256SHA256' as algorithm, 'ab' as sha256, array['x'] as redacted;
      comment on view api.other_keys is 'Keys.';
      comment on column api.other_keys.algorithm is E'@notNull\\n@values ECDSAP256SHA256, ED25519\\nHow it signs.';
      comment on column api.other_keys.sha256 is E'@notNull\\nA digest that is no hexadecimal one.';
      comment on column api.other_keys.redacted is E'@format hash\\n@notNull\\nDigests.';
      select platform.take_tags();`);
    const { views } = await readApiCatalog(database.adminUrl);
    const described = rowsOf(views, { hash: { type: "string", pattern: "^h$" } });
    expect(propertiesOf(described.row("other_keys"))).toEqual({
      algorithm: { type: "string", enum: ["ECDSAP256SHA256", "ED25519"], description: "How it signs." },
      sha256: { type: "string", description: "A digest that is no hexadecimal one." },
      redacted: { type: "array", items: { type: "string", pattern: "^h$" }, description: "Digests." },
    });
    expect(views.get("platform_keys")?.columns.find(({ name }) => name === "algorithm")).toMatchObject({
      texts: ["Ed25519", "ML-DSA-87"],
      format: null,
      description: "Ed25519 (RFC 8032) or ML-DSA-87 (FIPS 204).",
    });
  } finally {
    await database.drop();
  }
});

test("a column that may be null has its format or null", () => {
  expect(member(column("digest", { format: "hash", notNull: false }))).toEqual({
    type: ["string", "null"],
    pattern: "^[0-9a-f]+$",
    description: "Words.",
  });
  expect(member(column("kind", { texts: ["a", "b"], notNull: false }))).toMatchObject({ enum: ["a", "b", null] });
});

test("JSON is what its format says", () => {
  const rowOfJson = (format: string | null) =>
    rowsOf(
      new Map([
        ["things", { name: "things", description: "A view.", columns: [column("facts", { type: "json", format })] }],
      ]),
      {
        facts: { $ref: "#/components/schemas/Facts" },
      },
    ).row("things");
  expect(propertiesOf(rowOfJson("facts"))["facts"]).toEqual({
    $ref: "#/components/schemas/Facts",
    description: "Words.",
  });
  expect(propertiesOf(rowOfJson(null))["facts"]).toEqual({ type: "object", description: "Words." });
});

test("members beside a row stand behind its own, what has a name in the description by that name", () => {
  const beside = z
    .object({
      keys: z.array(rowOf("keys", "Key")).meta({ description: "Its keys." }),
      verdict: z.object({ valid: z.boolean() }).meta({ title: "TheVerdict", schema: "Verdict" }),
      secret: z.string().regex(/^s_/).optional(),
    })
    .meta({ description: "Checked now." });
  expect(rowWith(rows("things", [column("name")]).row("things"), beside)).toEqual({
    description: "A view. Checked now.",
    type: "object",
    required: ["name", "keys", "verdict"],
    properties: {
      name: { type: "string", description: "Words." },
      keys: { type: "array", items: { $ref: "#/components/schemas/Key" }, description: "Its keys." },
      verdict: { $ref: "#/components/schemas/Verdict" },
      secret: { type: "string", pattern: "^s_" },
    },
  });
});

test.each([
  ["a format that nobody describes", column("digest", { format: "sha3" }), "things.digest has the format sha3"],
  ["a format of a number", column("size", { type: "bigint", format: "hash" }), "things.size is not a text"],
  ["values of JSON", column("facts", { type: "json", texts: ["a"] }), "things.facts is not a text"],
  ["values of an instant", column("at", { type: "timestamp with time zone", texts: ["a"] }), "things.at is not a text"],
  ["a type that is not known", column("area", { type: "box" }), "add the JSON form of box to TYPES"],
])("%s is refused", (_, one, words) => {
  expect(() => member(one)).toThrow(words);
});
