// schema/database.sql says what the catalog holds: every function with its volatility and settings, every table, column, policy,
// trigger and right. No test repeats it; that it is compared with the catalog is tested here.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeCatalog, dumpCatalog, expectedCatalog } from "../../../src/postgres/migrate/catalog-dump.ts";
import { structureFaults } from "../../../src/services/platform/audit/structure-faults.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test("a freshly migrated database is as schema/database.sql describes it", async () => {
  expect(await dumpCatalog(client)).toBe(expectedCatalog());
});

const ALLOW_ANYONE = "platform.allow_anyone()";

test.each([
  ["another function", "create function platform.more() returns void language sql as ''"],
  ["a function of another volatility", `alter function ${ALLOW_ANYONE} volatile`],
  ["a function with a setting of the planner", `alter function ${ALLOW_ANYONE} set enable_seqscan = off`],
  ["a function without its fixed search_path", `alter function ${ALLOW_ANYONE} reset search_path`],
  ["a function that runs as its owner", `alter function ${ALLOW_ANYONE} security definer`],
  ["a function of another owner", `alter function ${ALLOW_ANYONE} owner to selo_system`],
  ["a function that another role may execute", `grant execute on function ${ALLOW_ANYONE} to selo_app`],
  ["a function that everybody may execute", `grant execute on function ${ALLOW_ANYONE} to public`],
  ["another view", "create view api.more as select 1 as one"],
  ["a view that shows more", "grant select on api.proofs to selo_worker"],
  ["another table", "create table platform.more (id integer)"],
  ["another schema of ours", "create schema more authorization selo_owner"],
  ["a table that a login may read", "grant select on platform.tokens to selo_app"],
  ["a column that a login may read", "grant select (id) on platform.tokens to selo_app"],
  ["a table without row-level security", "alter table platform.tokens no force row level security"],
  ["a policy that shows more", "alter policy tenant on platform.tokens using (true)"],
  ["a table that takes changes", "alter table platform.credit_ledger disable trigger append_only"],
  ["a table that is gone", "drop table platform.request_counts"],
])("%s is told", async (_, statement) => {
  await client.query("begin");
  try {
    await client.query(statement);
    const there = await describeCatalog(client);
    expect(structureFaults(there, expectedCatalog()).length).toBeGreaterThan(0);
  } finally {
    await client.query("rollback");
  }
});
