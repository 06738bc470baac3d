// POST /proofs: limits of signature-service §8, at, just under and just over.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, countRows, expectError } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const digest = () => randomBytes(32).toString("hex");
/** Text where a member's value cannot be written by JSON.stringify. */
const literally = (text: string) => ({ literally: text });

const post = (members: Record<string, unknown>) =>
  call(selo, "POST", "/proofs", {
    token: organization.test,
    body: `{${Object.entries(members)
      .map(([name, value]) => {
        const literal = typeof value === "object" && value !== null && "literally" in value;
        return `${JSON.stringify(name)}:${literal ? value.literally : JSON.stringify(value)}`;
      })
      .join(",")}}`,
  });

const ASTRAL = "😀";

describe("accepted", () => {
  test.each<[string, Record<string, unknown>]>([
    ["label of 0 characters", { label: "" }],
    ["label of 200 characters", { label: "a".repeat(200) }],
    ["label of 200 code points outside the basic plane", { label: ASTRAL.repeat(200) }],
    ["label of 200 two-byte characters", { label: "ç".repeat(200) }],
    ["file_name of 255 characters", { file_name: "a".repeat(255) }],
    ["file_name of 255 code points outside the basic plane", { file_name: ASTRAL.repeat(255) }],
    ["file_size 0", { file_size: 0 }],
    ["file_size 1", { file_size: 1 }],
    ["file_size 2^53-1", { file_size: 2 ** 53 - 1 }],
  ])("%s, and kept as it was sent", async (_, members) => {
    const { status, body } = await post({ sha256: digest(), ...members });
    expect({ status, body }).toMatchObject({ status: 201, body: members });
    expect(body.evidence).toMatchObject(members);
    const read = await call(selo, "GET", `/proofs/${body.id}`, { token: organization.test });
    expect(read.body).toMatchObject(members);
  });
});

describe("refused with 422 invalid_request naming the member, and nothing is written", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["sha256 missing", "sha256", { sha256: undefined, label: "x" }],
    ["sha256 null", "sha256", { sha256: null }],
    ["sha256 empty", "sha256", { sha256: "" }],
    ["sha256 with a letter beyond f", "sha256", { sha256: `${"a".repeat(63)}g` }],
    ["sha256 with other digits", "sha256", { sha256: "１".repeat(64) }],
    ["sha256 a number", "sha256", { sha256: literally("1".repeat(64)) }],
    ["sha256 an array", "sha256", { sha256: ["a".repeat(64)] }],
    ["label a number", "label", { label: 5 }],
    ["label an object", "label", { label: { a: 1 } }],
    ["label with NUL", "label", { label: "a\0b" }],
    ["label with a lone high surrogate", "label", { label: literally('"\\ud83d"') }],
    ["label with a lone low surrogate", "label", { label: literally('"a\\ude00b"') }],
    ["label with surrogates in the wrong order", "label", { label: literally('"\\ude00\\ud83d"') }],
    ["file_name with NUL", "file_name", { file_name: "\0" }],
    ["file_name a boolean", "file_name", { file_name: true }],
    ["file_size 2^53+1", "file_size", { file_size: literally("9007199254740993") }],
    ["file_size 2^64", "file_size", { file_size: literally("18446744073709551616") }],
    ["file_size 1.5", "file_size", { file_size: 1.5 }],
    ["file_size 1e400", "file_size", { file_size: literally("1e400") }],
    ['file_size "1"', "file_size", { file_size: "1" }],
    ["file_size true", "file_size", { file_size: true }],
    ["an unknown member", "lable", { lable: "x" }],
    ["a member only answers have", "registered_at", { registered_at: "2020-01-01T00:00:00.000000+00:00" }],
    ["a tenant", "tenant_id", { tenant_id: "0197a0c0-0000-7000-8000-000000000000" }],
    ["__proto__", "__proto__", { ["__proto__"]: literally('{"label": "x"}') }],
    ["constructor", "constructor", { constructor: literally("{}") }],
  ])("%s", async (_, field, members) => {
    const rows = await countRows(selo);
    const all = Object.hasOwn(members, "sha256") ? { ...members } : { sha256: digest(), ...members };
    if (all["sha256"] === undefined) delete all["sha256"];
    expectError(await post(all), 422, "invalid_request", [field]);
    expect(await countRows(selo)).toEqual(rows);
  });

  const own = "0123456789abcdef".repeat(4);
  test.each([
    [`0x${own}`, ', without "0x" before them'],
    [own.toUpperCase(), ", without capital letters"],
    [` ${own}`, ", without spaces or invisible characters"],
    [`${own.slice(0, 32)}\u200b${own.slice(32)}`, ", without spaces or invisible characters"],
    [`${own}${own}`, ": these 128 are a digest by SHA-512"],
    [own.slice(0, 40), ": these 40 are a digest by SHA-1"],
    [own.slice(1), ""],
  ])("a digest is lower case alone, and the error says what is wrong with %s", async (sha256, said) => {
    const fields = [{ field: "sha256", message: `must be 64 lowercase hexadecimal digits${said}` }];
    expect((await post({ sha256 })).body).toMatchObject({ detail: { code: "invalid_request" }, fields });
    const query = `mutation { registerProof(input: {sha256: ${JSON.stringify(sha256)}}) { created } }`;
    const { errors } = await graphql(selo, organization.test, query);
    expect(errors[0]?.extensions).toMatchObject({ code: "invalid_request", fields });
  });

  test("every wrong member is named at once", async () => {
    const response = await post({ sha256: "x", label: 1, file_name: "\0", file_size: -1, other: 1 });
    expect(response.body.fields.map(({ field }: { field: string }) => field).sort()).toEqual([
      "file_name",
      "file_size",
      "label",
      "other",
      "sha256",
    ]);
  });

  test.each(["null", "1", '"text"', "true", "[]", "[{}]"])("a body that is no object: %s", async (body) => {
    expectError(await call(selo, "POST", "/proofs", { token: organization.test, body }), 422, "invalid_request");
  });
});
