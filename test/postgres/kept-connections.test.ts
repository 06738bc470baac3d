// Which failures cost a connection: a new one compiles and plans everything anew.
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Database } from "../../src/postgres/database.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let copy: TestDatabase;
beforeAll(async () => {
  copy = await createTestDatabase();
});
afterAll(() => copy.drop());

let pool: pg.Pool;
let database: Database;
beforeEach(() => {
  pool = createPool({ url: copy.appUrl, role: null, applicationName: "test" }, 1, () => {});
  database = new Database(pool);
});
afterEach(() => pool.end());

/** A block that fails with this SQLSTATE, after it has written a setting of its transaction and one of its session. */
const failing = (code: string) => `do $$ begin
  perform set_config('selo.mark', 'left', true), set_config('selo.lasting', 'left', false);
  raise exception 'no' using errcode = '${code}', detail = '{"code": "not_found"}';
end $$`;

const state = async () => {
  const [row] = await database.query<{ pid: number; mark: string; lasting: string }>(
    `select pg_backend_pid() as pid, coalesce(current_setting('selo.mark', true), '') as mark,
       coalesce(current_setting('selo.lasting', true), '') as lasting`,
  );
  return row;
};

test.each([
  ["PT404", { status: 404, code: "not_found" }],
  ["PT503", { status: 503, code: "not_found" }],
])("a call that our functions refuse with %s keeps its connection, and leaves nothing on it", async (code, answer) => {
  const before = await state();
  await expect(database.query(failing(code))).rejects.toMatchObject(answer);
  expect(await state()).toEqual({ ...before, mark: "", lasting: "" });
});

test.each([
  ["25006", "a server that became read-only"],
  ["57014", "a time-out"],
  ["22P02", "a value that is not valid"],
  ["P0001", "any other error"],
])("after %s (%s) the next statement has another connection", async (code) => {
  const before = await state();
  await expect(database.query(failing(code))).rejects.toThrow();
  expect((await state())?.pid).not.toBe(before?.pid);
});

test("after a connection that was lost the next statement has another one", async () => {
  const before = await state();
  await expect(database.query("select pg_terminate_backend(pg_backend_pid())")).rejects.toMatchObject({ status: 503 });
  expect((await state())?.pid).not.toBe(before?.pid);
});
