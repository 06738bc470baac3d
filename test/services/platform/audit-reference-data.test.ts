// Reference data are recorded after each migration and at no other time, also where services have rows of migrations of their own.
import { afterAll, beforeAll, expect, test } from "vitest";
import { lastMigrations, readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const NOW = lastMigrations(readSqlSource().migrations);
const LATER = ["9998-later", "abc-0001-one", "abc-0002-two", "xyz-0001-one"];
const THE_PLATFORM = "00000000-0000-0000-0000-000000000000";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.admin.query("insert into platform.migrations (name, hash) select unnest($1::text[]), ''", [
    [...LATER, "0000-older"],
  ]);
});
afterAll(() => database.drop());

/** What a verification says after reference data were recorded again, once for each text of migrations. */
async function faultsAfter(recorded: readonly string[]): Promise<string[]> {
  const client = await database.admin.connect();
  try {
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'live', null, null, null)", [THE_PLATFORM]);
    for (const migration of recorded)
      await client.query(
        `select platform.record_audit_event('reference_data.recorded', 'platform', $1, (
           select jsonb_build_object('migration', $2::text) || jsonb_object_agg(there.table_name, there.digest) from platform.reference_digests() as there))`,
        [THE_PLATFORM, migration],
      );
    const { rows } = await client.query<{ fault: string }>(
      "select fault from platform.audit_check_reference_data(null)",
    );
    return rows.map(({ fault }) => fault);
  } finally {
    await client.query("rollback");
    client.release();
  }
}

test.each([
  ["a newer migration", ["9998-later"]],
  ["the first of a service", [`${NOW},xyz-0001-one`]],
  [
    "the first of a service whose name comes before another's",
    [`${NOW},xyz-0001-one`, `${NOW},abc-0001-one,xyz-0001-one`],
  ],
  [
    "the next of a service, then the next of the product",
    [`${NOW},abc-0001-one`, `${NOW},abc-0002-two`, "9998-later,abc-0002-two"],
  ],
])("after %s", async (_, recorded) => {
  expect(await faultsAfter(recorded)).toEqual([]);
});

test.each([
  ["the same migration", [NOW]],
  ["the same migrations of all", [`${NOW},abc-0001-one`, `${NOW},abc-0001-one`]],
  ["an older one", ["0000-older"]],
  ["an older one of a service, beside a newer one of the product", [`${NOW},abc-0002-two`, "9998-later,abc-0001-one"]],
  ["none of a service that had one", [`${NOW},abc-0001-one`, "9998-later"]],
  ["one that this database never saw", ["9999-unknown"]],
  ["one of a service that this database never saw", [`${NOW},abc-0009-unknown`]],
  ["no name", [""]],
])("%s is no reason", async (_, recorded) => {
  expect(await faultsAfter(recorded)).toEqual([
    "reference data were recorded without a migration: the rows may have been edited before",
  ]);
});
