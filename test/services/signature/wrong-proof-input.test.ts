// What a proof takes stands in the tags of signature.wrong_proof_input, and again in its body, which checks fifty proofs in one statement, and
// in the columns: both are compared with the tags. limits.test.ts asks the tags of REST and GraphQL.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../../src/postgres/generated/commands.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const { items } = commands.prepare_proofs;
type Member = keyof typeof items;
type Input = Readonly<Partial<Record<Member, string | number | null>>>;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const DIGEST = "0123456789abcdef".repeat(4);
const textsOf = (member: "label" | "file_name"): [string, Input][] => {
  const most = items[member].maxLength;
  return [
    ["empty", ""],
    [`of ${most - 1}`, "a".repeat(most - 1)],
    [`of ${most}`, "a".repeat(most)],
    [`of ${most + 1}`, "a".repeat(most + 1)],
    [`of ${most} astral`, "😀".repeat(most)],
    [`of ${most + 1} astral`, "😀".repeat(most + 1)],
    [`of ${most} with combining marks`, "e\u0301".repeat(most).slice(0, most)],
    [`of ${most + 1} with combining marks`, "e\u0301".repeat(most).slice(0, most + 1)],
    [`of ${most} spaces`, " ".repeat(most)],
    [`of ${most + 1} spaces`, " ".repeat(most + 1)],
  ].map(([what, text]) => [`${member} ${what}`, { sha256: DIGEST, [member]: text }]);
};
const { minimum, maximum } = items.file_size;

const inputs: readonly [string, Input][] = [
  ["the least", { sha256: DIGEST }],
  ["sha256 missing", {}],
  ["sha256 empty", { sha256: "" }],
  ["sha256 of 63", { sha256: DIGEST.slice(1) }],
  ["sha256 of 65", { sha256: `${DIGEST}0` }],
  ["sha256 in upper case", { sha256: DIGEST.toUpperCase() }],
  ["sha256 with g", { sha256: `${DIGEST.slice(1)}g` }],
  ["sha256 with a space", { sha256: `${DIGEST.slice(1)} ` }],
  ["sha256 with a line feed at its end", { sha256: `${DIGEST}\n` }],
  ["sha256 with a line feed before", { sha256: `\n${DIGEST}` }],
  ["sha256 in two lines", { sha256: `${DIGEST}\n${DIGEST}` }],
  ...textsOf("label"),
  ...textsOf("file_name"),
  ...[minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1].map((file_size): [string, Input] => [
    `file_size ${file_size}`,
    { sha256: DIGEST, file_size },
  ]),
  ["everything wrong", { sha256: "x", label: "a".repeat(201), file_name: "a".repeat(256), file_size: -1 }],
];

/** What the tags say is wrong, member by member. */
async function wrongByTags(input: Input): Promise<object[]> {
  const found = Object.entries(items).map(async ([field, { optional, ...limits }]) => {
    const { rows } = await database.admin.query<{ message: string | null }>(
      "select platform.wrong_argument($1, $2) as message",
      // The digest is told in one way where it is missing.
      [JSON.stringify(limits), JSON.stringify(input[field as Member] ?? (optional ? null : ""))],
    );
    return { field, message: rows[0]?.message };
  });
  return (await Promise.all(found)).filter(({ message }) => message !== null);
}

async function wrongByBody({ sha256, label, file_name, file_size }: Input): Promise<object[]> {
  const { rows } = await database.admin.query<{ fields: object[] | null }>(
    "select signature.wrong_proof_input($1, $2, $3, $4) as fields",
    [sha256, label, file_name, file_size?.toString()],
  );
  return rows[0]?.fields ?? [];
}

describe("signature.wrong_proof_input says what its tags say, in the same words", () => {
  test.each(inputs)("of %s", async (_, input) => {
    expect(await wrongByBody(input)).toEqual(await wrongByTags(input));
  });

  test("some are refused and some are not, or the comparison shows nothing", async () => {
    const all = await Promise.all(inputs.map(([, input]) => wrongByTags(input)));
    const refused = all.filter((wrong) => wrong.length > 0);
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.length).toBeLessThan(inputs.length - 10);
  });
});

test("the columns of signature.proofs hold the same limits", async () => {
  const { rows } = await database.admin.query<{ limits: string }>(
    `select string_agg(pg_get_constraintdef(oid), ' ' order by conname) as limits
     from pg_constraint where conrelid = 'signature.proofs'::regclass and contype = 'c'`,
  );
  for (const limit of [
    `char_length(label) <= ${items.label.maxLength}`,
    `char_length(file_name) <= ${items.file_name.maxLength}`,
    `'${maximum}'::bigint`,
  ])
    expect(rows[0]?.limits).toContain(limit);
});
