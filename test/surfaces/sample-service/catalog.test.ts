// What its SQL makes, and what it lets whom do. Run with -u, it writes the generated files.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalogBeyond, dumpCatalog, expectedCatalog } from "../../../src/postgres/migrate/catalog-dump.ts";
import { addedCommands } from "../../../src/postgres/migrate/generated-files.ts";
import { readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { services } from "../../../src/services/services.ts";
import { createDatabaseOf, type TestDatabase } from "../../support/database.ts";
import { sqlReadme } from "../../support/service-readme.ts";
import { testRights } from "../../support/service-rights.ts";
import { notes } from "./service.ts";

const all = [...services, notes];

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

describe("generated files", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabaseOf(all);
  });
  afterAll(() => database.drop());

  test("its commands are those of the catalog", async () => {
    const text = await connected(database.adminUrl, addedCommands);
    await expect(text).toMatchFileSnapshot("generated.ts");
  });

  test("its part of the catalog is what its SQL makes", async () => {
    const dump = await connected(database.adminUrl, dumpCatalog);
    await expect(catalogBeyond(dump, expectedCatalog())).toMatchFileSnapshot("sql/database.sql");
  });

  test("every table, column, view and function of it has a comment", async () => {
    const source = readSqlSource([notes]);
    const { rows } = await database.admin.query<{ name: string }>(
      `select format('%s.%s', relation.oid::regclass, attname) as name
       from pg_class as relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
       where (relnamespace::regnamespace::text = any ($1) or relation.oid::regclass::text = any ($2)) and relkind in ('r', 'v')
         and (col_description(relation.oid, attnum) is null or obj_description(relation.oid, 'pg_class') is null)
       union all
       select oid::regproc::text from pg_proc
       where (pronamespace::regnamespace::text = any ($1) or oid::regproc::text = any ($3)) and obj_description(oid, 'pg_proc') is null`,
      [
        [...source.serviceSchemas.kept, ...source.serviceSchemas.derived],
        ["analytics.notes_per_day", "api.notes", "api.reminders"],
        [...source.repeatableFunctions],
      ],
    );
    expect(rows).toEqual([]);
  });

  test("its README's queries for analysts name what is there", async () => {
    const queries = [...sqlReadme(notes, "For analysts").matchAll(/```sql\n(.+?)```/gs)].map(([, query = ""]) => query);
    expect(queries).toHaveLength(1);
    for (const query of queries) await database.admin.query(`explain ${query}`);
  });
});

describe("its rights", () => {
  testRights(
    notes,
    {
      commands: {
        anyone: ["note_limit"],
        "notes:write": [
          "attach_file",
          "change_note",
          "clear_reminder",
          "create_note",
          "keep_recording",
          "prepare_archive",
          "seal_words",
        ],
        "notes:read": ["get_note", "get_reminder", "list_notes", "list_reminders", "read_note_file", "read_words"],
      },
      views: { "notes:read": ["analytics.notes_per_day", "api.notes", "api.reminders"] },
      logins: { selo_notes: ["gateway.note_figures"], selo_worker: ["jobs.lost_reminders"] },
      loginsOnTables: ["selo_notes select notes_figures.counts"],
      systemOnTables: [
        "insert notes_figures.counts",
        "select notes.keys",
        "select notes.notes",
        "select notes_figures.counts",
        "update notes.notes (sealed_words)",
        "update notes_figures.counts",
      ],
      tables: {
        ofEnvironments: ["notes.keys", "notes.notes", "notes.reminders"],
        ofOrganizations: [],
        lookUps: [],
        ofNobody: ["notes_figures.counts"],
        refuse: {},
      },
      unrecorded: {
        "notes.count_notes": "figures, which are counted anew at any time",
        "notes.keep_reminder": "jobs.remind records the reminder",
      },
      refusedToGateway: [
        "select * from notes.notes",
        "select notes.count_notes()",
        "select gateway.note_figures()",
        "select api.create_note('x')",
        `select jobs.remind('{}')`,
      ],
    },
    () => createDatabaseOf(all),
  );

  test("its locks have places that no other service's locks have", () => {
    const places = all.flatMap((service) =>
      [...sqlReadme(service, "Locks").matchAll(/^\| (\d+) \| `([\w.]+)` \| \S.+ \|$/gm)].map(([, place]) => place),
    );
    expect(new Set(places).size).toBe(places.length);
    expect(sqlReadme(notes, "Locks")).toContain("`notes.notes`");
  });
});
