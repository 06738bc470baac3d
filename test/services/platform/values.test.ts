import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { ownerPool } from "../../support/owner.ts";

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

async function one<Value>(expression: string, values: unknown[] = []): Promise<Value> {
  return (await owner.query<{ value: Value }>(`select ${expression} as value`, values)).rows[0]?.value as Value;
}

describe("platform.instant", () => {
  test.each([
    ["2026-11-20 12:34:56.123456+00", "2026-11-20T12:34:56.123456+00:00"],
    ["2026-11-20 12:34:56+00", "2026-11-20T12:34:56.000000+00:00"],
    ["2026-11-20 23:59:59.9999999-03", "2026-11-21T03:00:00.000000+00:00"],
    ["2026-03-29 02:30:00.1+02", "2026-03-29T00:30:00.100000+00:00"],
    ["0999-01-01 00:00:00+00", "0999-01-01T00:00:00.000000+00:00"],
  ])("%s is written as %s", async (given, expected) => {
    expect(await one("platform.instant($1::timestamptz)", [given])).toBe(expected);
  });

  test("answers write it with Z", async () => {
    expect(await one("platform.wire_instant('2026-11-20 23:59:59.1-03')")).toBe("2026-11-21T02:59:59.100000Z");
    expect(await one("platform.wire_instant('0999-01-01 00:00:00+00')")).toBe("0999-01-01T00:00:00.000000Z");
    expect(await one("platform.wire_instant('infinity')")).toBe("infinity");
    expect(await one("platform.wire_instant(null)")).toBeNull();
  });

  test("whatever time zone, date style or language the session has", async () => {
    const client = await owner.connect();
    try {
      await client.query(
        "begin; set local timezone = 'America/Sao_Paulo'; set local datestyle = 'German'; set local lc_time = 'C'",
      );
      const { rows } = await client.query(
        "select platform.instant('2026-06-01T00:00:00.000001Z') as value, platform.wire_instant('2026-06-01T00:00:00.000001Z') as shown",
      );
      expect(rows).toEqual([{ value: "2026-06-01T00:00:00.000001+00:00", shown: "2026-06-01T00:00:00.000001Z" }]);
    } finally {
      await client.query("rollback");
      client.release();
    }
  });

  test("what it writes reads back as the same instant", async () => {
    const same = `(select bool_and(platform.instant(t)::timestamptz = t) from (
      select clock_timestamp() + random() * interval '100 years' as t from generate_series(1, 2000)) as instants)`;
    expect(await one(same)).toBe(true);
  });
});

describe("platform.new_public_code", () => {
  test("is three groups of four Crockford base32 characters, each as often as any other, all different", async () => {
    const { rows } = await owner.query<{ code: string }>(
      "select platform.new_public_code() as code from generate_series(1, 4000)",
    );
    const codes = rows.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const format = new RegExp(`^[${alphabet}]{4}-[${alphabet}]{4}-[${alphabet}]{4}$`);
    expect(codes.filter((code) => !format.test(code))).toEqual([]);
    // Chi-square over 32 characters at each of the 12 places: 31 degrees of freedom, beyond 85 once in a million.
    for (let place = 0; place < 12; place++) {
      const counts = new Map<string, number>([...alphabet].map((letter) => [letter, 0]));
      for (const code of codes) {
        const letter = code.replaceAll("-", "")[place] ?? "";
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
      const expected = codes.length / 32;
      const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      expect(chiSquare).toBeLessThan(85);
      expect(chiSquare).toBeGreaterThan(5);
    }
  });

  test("platform.public_codes takes no other form, and none twice", async () => {
    const add = (code: string) =>
      database.admin.query(
        "insert into platform.public_codes values ($1, gen_random_uuid(), 'live', 'proof', gen_random_uuid())",
        [code],
      );
    for (const wrong of [
      "ABCD-EFGH-JKM",
      "ABCD-EFGH-JKMI",
      "ABCD-EFGH-JKML",
      "ABCD-EFGH-JKMO",
      "ABCD-EFGH-JKMU",
      "abcd-efgh-jkmn",
      "ABCDEFGHJKMN",
      "ABCD-EFGH-JKMN\n",
    ])
      await expect(add(wrong), wrong).rejects.toMatchObject({ code: "23514" });
    await add("ABCD-EFGH-JKMN");
    await expect(add("ABCD-EFGH-JKMN")).rejects.toMatchObject({ code: "23505" });
  });
});

describe("platform.uuidv7", () => {
  test("is version 7, variant 10, begins with the millisecond, and only grows", async () => {
    const before = Date.now();
    const { rows } = await owner.query<{ id: string }>("select platform.uuidv7() as id from generate_series(1, 5000)");
    const after = Date.now();
    const ids = rows.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const milliseconds = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
      expect(milliseconds).toBeGreaterThanOrEqual(before - 1);
      expect(milliseconds).toBeLessThanOrEqual(after + 1);
    }
  });
});

describe("platform.page", () => {
  test("totals are exact to 10,000 and say beyond it that they stopped", async () => {
    const page = (total: number) => one("platform.page('[]', $1, 50, 0, null)", [total]);
    const whole = { items: [], next_cursor: null, limit: 50, offset: 0 };
    expect(await page(9_999)).toEqual({ ...whole, total: 9_999 });
    expect(await page(10_000)).toEqual({ ...whole, total: 10_000 });
    expect(await page(10_001)).toEqual({ ...whole, total: 10_000, total_capped: true });
  });

  test("a list that goes on from a cursor has no total and no offset", async () => {
    expect(await one("platform.page('[]', null, 50, 0, 'next')")).toEqual({
      items: [],
      next_cursor: "next",
      limit: 50,
    });
  });
});

describe("platform.read_cursor", () => {
  const read = (cursor: string | null, types = "{uuid}", offset = 0) =>
    one<string[] | null>("platform.read_cursor('list_things', $1, $2, $3)", [types, cursor, offset]);
  const made = (...key: string[]) => one<string>("platform.cursor_after('list_things', variadic $1::text[])", [key]);
  const id = "01a20446-4fdf-7674-8b4f-a94da6852f66";

  test("reads what platform.cursor_after made of this list", async () => {
    expect(await read(await made(id))).toEqual([id]);
    expect(await read(await made("12"), "{bigint}")).toEqual(["12"]);
    const instant = "2026-11-20T12:34:56.123456+00:00";
    expect(await read(await made(instant, id), "{timestamptz,uuid}")).toEqual([instant, id]);
    expect(await read(null)).toBeNull();
  });

  test.each([
    ["another key", () => made("12")],
    ["no key", () => made()],
    ["a part too many", () => made(id, id)],
    ["the same key in another form", () => made(id.toUpperCase())],
    ["another list", () => one<string>("platform.cursor_after('list_others', $1)", [id])],
    ["another ending", async () => `${await made(id)}A`],
    ["padding", async () => `${await made(id)}=`],
    ["nothing", async () => ""],
    ["no base64", async () => "%%%"],
    ["no UTF-8", async () => Buffer.from("ff00", "hex").toString("base64url")],
  ])("refuses %s", async (_, cursor) => {
    await expect(read(await cursor())).rejects.toMatchObject({
      code: "PT422",
      detail: expect.stringContaining("cursor"),
    });
  });

  test("refuses an instant in words", async () => {
    await expect(read(await made("now", id), "{timestamptz,uuid}")).rejects.toMatchObject({ code: "PT422" });
  });

  test("refuses an offset beside it", async () => {
    await expect(read(await made(id), "{uuid}", 1)).rejects.toMatchObject({
      code: "PT422",
      detail: expect.stringContaining("offset"),
    });
  });
});

describe("platform.fail", () => {
  test("raises PT<status> with the code, and fields only when there are some", async () => {
    await expect(one("platform.fail(409, 'conflict', 'No.')")).rejects.toMatchObject({
      code: "PT409",
      message: "No.",
      detail: '{"code": "conflict"}',
    });
    await expect(
      one(`platform.fail(422, 'invalid_request', 'No.', '[{"field": "a", "message": "b"}]')`),
    ).rejects.toMatchObject({
      code: "PT422",
      detail: '{"code": "invalid_request", "fields": [{"field": "a", "message": "b"}]}',
    });
  });
});
