import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { sealedColumns } from "../../support/sealed-columns.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Column {
  readonly name: string;
  readonly type: string;
  readonly comment: string | null;
  readonly may_replace: boolean;
}

const columns = async (filter: string) =>
  (
    await database.admin.query<Column>(
      `select format('%s.%s', attrelid::regclass, attname) as name, atttypid::regtype::text as type,
         col_description(attrelid, attnum) as comment,
         has_column_privilege('selo_system', attrelid, attname, 'select') and has_column_privilege('selo_system', attrelid, attname, 'update') as may_replace
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
         and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'graphile_worker') and ${filter} order by 1`,
    )
  ).rows;

test("every column of sealed secrets is in the list that a rotation of the master key works through", async () => {
  const found = await columns("attname like 'sealed\\_%' and atttypid = 'bytea'::regtype");
  expect(found.map(({ name }) => name)).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort());
  // Else that rotation, which looks across tenants, would be refused there.
  expect(found.filter(({ may_replace }) => !may_replace)).toEqual([]);
});

test("a column that is said to be encrypted under the master key is named sealed_ and holds bytes", async () => {
  const found = await columns("true");
  const encrypted = found.filter(({ comment }) => /master key|AES/i.test(comment ?? ""));
  expect(encrypted.length).toBeGreaterThan(0);
  expect(encrypted.filter(({ name, type }) => !/\.sealed_\w+$/.test(name) || type !== "bytea")).toEqual([]);
});
