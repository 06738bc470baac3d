// What the braces of "@param label {..200} Words" may hold, and what is wrong with an argument that is over them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function readLimits(type: string, text: string): Promise<unknown> {
  const { rows } = await database.admin.query("select platform.read_limits($1, $2) as limits", [type, text]);
  return rows[0].limits;
}

/** @param value undefined for an argument that is not there */
async function wrong(limits: object, value: unknown): Promise<string | null> {
  const { rows } = await database.admin.query("select platform.wrong_argument($1, $2) as wrong", [
    JSON.stringify(limits),
    value === undefined ? null : JSON.stringify(value),
  ]);
  return rows[0].wrong;
}

const HEX = "..64, /^[0-9a-f]{64}$/ must be 64 lowercase hexadecimal digits";

describe("platform.read_limits reads", () => {
  test.each<[string, string, object]>([
    ["text", "..200", { maxLength: 200 }],
    ["text", "1..200", { minLength: 1, maxLength: 200 }],
    ["text", "..2048 uri", { maxLength: 2048, format: "uri" }],
    ["text[]", "1..1000 of ..100", { minItems: 1, maxItems: 1000, items: { maxLength: 100 } }],
    ["text[]", "..5", { maxItems: 5, items: {} }],
    ["smallint", "100..599", { minimum: 100, maximum: 599 }],
    ["integer", "-5..10", { minimum: -5, maximum: 10 }],
    ["bigint", "0..9007199254740991", { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
    ["integer", "..10", { maximum: 10 }],
    ["text", "platform.environments", { enum: ["live", "test"], namesOf: "platform.environments" }],
    ["text", "platform.environments but test", { enum: ["live"], namesOf: "platform.environments" }],
    [
      "text[]",
      "platform.environments",
      { minItems: 1, maxItems: 2, items: { enum: ["live", "test"], namesOf: "platform.environments" } },
    ],
    ["text", HEX, { maxLength: 64, pattern: "^[0-9a-f]{64}$", message: "must be 64 lowercase hexadecimal digits" }],
    ["text", "1..200, not null", { minLength: 1, maxLength: 200, nullable: false }],
    ["text[]", "1..3 of ..9, not null", { minItems: 1, maxItems: 3, items: { maxLength: 9 }, nullable: false }],
    [
      "text",
      "platform.environments, not null",
      { enum: ["live", "test"], namesOf: "platform.environments", nullable: false },
    ],
    ["uuid", "not null", { nullable: false }],
    ["text", "..100, else empty", { elseEmpty: 100 }],
  ])("of %s {%s}", async (type, text, limits) => {
    expect(await readLimits(type, text)).toEqual(limits);
  });
});

describe("platform.read_limits refuses", () => {
  test.each<[type: string, text: string, what?: string]>([
    ["text", "up to 200"],
    ["text", "200"],
    ["text", "1-200"],
    ["text", "1..", "no end"],
    ["text", "1..200 of ..5", "entries of a text"],
    ["text", "..200 URI"],
    ["text", "..200,not null, please"],
    ["text", "9..5", "the greater before the less"],
    ["text", "/^a$/ must be a", "a pattern without characters"],
    ["text", "..5, /^a$/", "a pattern without words"],
    ["text", "1..5, else empty", "a least of what is not refused"],
    ["integer", "..5, else empty", "a number that counts as empty"],
    ["text[]", "..5 uri", "a format of a list"],
    ["integer", "..5 uri", "a format of a number"],
    ["integer", "1..5 of ..5", "entries of a number"],
    ["integer", "1.5..2"],
    ["uuid", "..36", "characters of a UUID"],
    ["boolean", "0..1"],
    ["timestamp with time zone", "..30"],
    ["jsonb", "..5"],
    ["text", "environments", "a table without its schema"],
    ["text", "platform.environments but"],
  ])("of %s {%s} %s", async (type, text) => {
    await expect(readLimits(type, text)).rejects.toMatchObject({
      message: `the limits {${text}} of a parameter of type ${type} cannot be read`,
    });
  });

  test.each([
    ["a table that is not there", "platform.no_such_table", "42P01"],
    ["a table without names", "platform.settings_of_nobody but live", "42P01"],
    ["what is no pattern", "..5, /^[/ must be a", "2201B"],
  ])("%s", async (_, text, code) => {
    await expect(readLimits("text", text)).rejects.toMatchObject({ code });
  });
});

describe("platform.wrong_argument", () => {
  const cases: readonly [
    what: string,
    type: string,
    text: string,
    good: readonly unknown[],
    bad: readonly [unknown, string][],
  ][] = [
    ["at most so many characters", "text", "..3", ["", "abc", "😀😀😀"], [["abcd", "must have at most 3 characters"]]],
    [
      "a range of characters",
      "text",
      "2..3",
      ["ab", "abc"],
      [
        ["", "must not be empty"],
        ["a", "must have at least 2 characters"],
        ["abcd", "must have at most 3 characters"],
      ],
    ],
    ["characters with a format", "text", "..5 uri", ["a:b"], [["a:bcde", "must have at most 5 characters"]]],
    [
      "a range of numbers",
      "integer",
      "-5..10",
      [-5, 0, 10, "7"],
      [
        [-6, "must be between -5 and 10"],
        [11, "must be between -5 and 10"],
      ],
    ],
    ["at most a number", "integer", "..10", [-2_147_483_648, 10], [[11, "must be at most 10"]]],
    [
      "a number beyond 2^53",
      "bigint",
      "0..9007199254740991",
      [0, Number.MAX_SAFE_INTEGER],
      [["9007199254740992", "must be between 0 and 9007199254740991"]],
    ],
    [
      "entries",
      "text[]",
      "1..2 of ..3",
      [["a"], ["abc", ""]],
      [
        [[], "must have 1 to 2 entries"],
        [["a", "b", "c"], "must have 1 to 2 entries"],
        [["a", "abcd"], "must have entries of at most 3 characters"],
      ],
    ],
    ["entries from none", "text[]", "..1", [[], ["long as you like"]], [[["a", "b"], "must have 0 to 1 entries"]]],
    [
      "names of a table",
      "text",
      "platform.environments",
      ["live", "test"],
      [
        ["", "must be one of live, test"],
        ["LIVE", "must be one of live, test"],
      ],
    ],
    ["names of a table but one", "text", "platform.environments but test", ["live"], [["test", "must be one of live"]]],
    [
      "several names of a table",
      "text[]",
      "platform.environments",
      [["live"], ["test", "live"]],
      [
        [[], "must have 1 to 2 entries"],
        [["live", "LIVE"], "must be one of live, test, or several of them"],
      ],
    ],
    [
      "names of members",
      "text[]",
      "members of api.proofs",
      [["id"], ["label", "id"]],
      [
        [[], expect.stringMatching(/^must have 1 to \d+ entries$/)],
        [["id", "other", "", "ID"], 'must have only names of members of the answer, not "other", "", "ID"'],
      ],
    ],
    [
      "a pattern, in its own words",
      "text",
      HEX,
      ["0".repeat(64)],
      ["", "0".repeat(63), "0".repeat(65), "A".repeat(64), `${"0".repeat(64)}\n`].map((value) => [
        value,
        "must be 64 lowercase hexadecimal digits",
      ]),
    ],
  ];

  test.each(cases)("says what is over %s", async (_, type, text, good, bad) => {
    const limits = (await readLimits(type, text)) as object;
    for (const value of good) expect({ value, wrong: await wrong(limits, value) }).toEqual({ value, wrong: null });
    for (const [value, words] of bad)
      expect({ value, wrong: await wrong(limits, value) }).toEqual({ value, wrong: words });
  });

  test.each(cases)("lets JSON's null be for %s, unless it must not be", async (_, type, text) => {
    expect(await wrong((await readLimits(type, text)) as object, null)).toBeNull();
    const notNull = (await readLimits(type, `${text}, not null`)) as object;
    // The words of a pattern go on to the end; nothing follows them but "not null".
    expect(await wrong(notNull, null)).toBe("must not be null");
    // Nothing is wrong with what is not there.
    expect(await wrong(notNull, undefined)).toBeNull();
  });
});
