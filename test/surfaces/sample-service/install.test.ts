// Its SQL is installed, backed up and restored beside the product's, and refused where it is not as a service may bring it.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { prepareDatabase, writeSettings } from "../../../src/main/prepare-database.ts";
import { expectedCatalog } from "../../../src/postgres/migrate/catalog-dump.ts";
import { migrate } from "../../../src/postgres/migrate/migrate.ts";
import { includesMigrations, lastMigrations, readSqlSource } from "../../../src/postgres/migrate/sql-source.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { services } from "../../../src/services/services.ts";
import { backUp, backupFolder, restore } from "../../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { newOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { notes } from "./service.ts";
import { countNotes } from "./store.ts";

const all = [...services, notes];
const PRODUCT = lastMigrations(readSqlSource().migrations);
const OWN = readSqlSource(all)
  .migrations.map(({ name }) => name)
  .filter((name) => name.startsWith("notes-"));

const folder = backupFolder();
const open: TestDatabase[] = [];
let database: TestDatabase;
let applied: string[];

async function newDatabase(options?: { readonly empty: boolean }): Promise<TestDatabase> {
  const made = await createTestDatabase(options);
  open.push(made);
  return made;
}

const config = (to: TestDatabase) =>
  readConfig({ SELO_MASTER_KEY: TEST_MASTER_KEY, PUBLIC_URL: "http://selo.test", DATABASE_URL: to.appUrl }, all);
const prepare = (to: TestDatabase) =>
  prepareDatabase(config(to), { ...to, description: "", close: async () => {} }, () => {}, all);
const notesIn = async ({ admin }: TestDatabase) => (await admin.query("select * from notes.notes order by id")).rows;

async function withOperator<Result>(to: TestDatabase, work: (operator: Operator) => Promise<Result>): Promise<Result> {
  const operator = await Operator.connect(to.adminUrl);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

/** The service as a version of it that has these files of SQL, too. */
function withFiles(version: string, files: Readonly<Record<string, string>>) {
  const directory = path.join(folder.path, version);
  fs.cpSync(notes.sqlFolder as URL, directory, { recursive: true });
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(directory, name), text);
  return { ...notes, sqlFolder: pathToFileURL(directory) };
}

beforeAll(async () => {
  database = await newDatabase();
  applied = await prepare(database);
  const { live } = await withOperator(database, (operator) => newOrganization(operator));
  await database.admin.query(`select gateway.call($1, 'create_note', '{"text": "Call Acme"}', 201)`, [
    createHash("sha256").update(live).digest(),
  ]);
  await withOperator(database, countNotes);
  await backUp(database, folder.file("backup"));
});
afterAll(async () => {
  for (const each of open) await each.drop();
  folder.remove();
});

test("its migrations are applied after the product's, once", async () => {
  expect(applied).toEqual([...OWN, "repeatable"]);
  expect(await prepare(database)).toEqual([]);
});

test("the newest migrations are told by row of numbers: of the product, and of the service", async () => {
  const { rows } = await database.admin.query("select last_migration from gateway.readiness()");
  const last: string = rows[0].last_migration;
  expect(last).toBe(`${PRODUCT},${OWN.at(-1)}`);
  expect(lastMigrations(readSqlSource(all).migrations)).toBe(last);
  expect(includesMigrations(last, PRODUCT)).toBe(true);
  expect(includesMigrations(last, `${PRODUCT},${OWN[0]}`)).toBe(true);
  expect(includesMigrations(last, `${PRODUCT},notes-9999-later`)).toBe(false);
  expect(includesMigrations(`0001-platform,notes-9999-later`, last)).toBe(false);
  expect(includesMigrations(PRODUCT, last)).toBe(false);
});

test("a backup holds its notes and not its figures, and is restored with them", async () => {
  const target = await newDatabase({ empty: true });
  const { manifest, upgraded } = await restore(target, folder.file("backup"), readSqlSource(all));
  const names = manifest.tables.map(({ name }) => name).filter((name) => name.startsWith("notes"));
  expect(names).toEqual(["notes.keys", "notes.notes", "notes.reminders"]);
  expect(upgraded).toEqual(["repeatable"]);
  expect(await notesIn(target)).toEqual(await notesIn(database));
  expect(await notesIn(target)).toHaveLength(1);
  const figures = "select from notes_figures.counts";
  expect((await database.admin.query(figures)).rowCount).toBe(2);
  expect((await target.admin.query(figures)).rowCount).toBe(0);
});

test("a version with a newer migration restores the backup; the older version stops at the name of that migration", async () => {
  const later = readSqlSource([
    ...services,
    withFiles("later", {
      "migrations/notes-9999-later.sql":
        "insert into platform.scopes (name, grants) values ('notes:archive', 'archive notes');",
    }),
  ]);
  const target = await newDatabase({ empty: true });
  expect((await restore(target, folder.file("backup"), later)).upgraded).toEqual(["notes-9999-later", "repeatable"]);
  expect(await notesIn(target)).toEqual(await notesIn(database));
  // What its migration did to reference data is recorded, though the product's newest migration is the same.
  const { faults } = await withOperator(target, async (operator) => {
    await writeSettings(config(target), operator, all);
    return verifyAll(operator, { services: all, structure: expectedCatalog(all) });
  });
  expect(faults).toEqual([]);
  const { adminUrl } = target;
  await expect(migrate({ adminUrl, serviceUrls: [], source: readSqlSource(all) })).rejects.toThrow("notes-9999-later");
});

test("a version without the service refuses the backup", async () => {
  const target = await newDatabase({ empty: true });
  await expect(restore(target, folder.file("backup"))).rejects.toThrow("service notes (schema notes)");
});

test("a migration outside its row of numbers is refused when the source is read", () => {
  const wrong = withFiles("wrong-row", { "migrations/0099-wrong.sql": "select 1;" });
  expect(() => readSqlSource([wrong])).toThrow("0099-wrong.sql");
});

test("an unknown line of roles.sql is refused when the source is read", () => {
  const wrong = withFiles("wrong-role", { "roles.sql": "--! login selo_notes\n--! user somebody\n" });
  expect(() => readSqlSource([wrong])).toThrow("--! user somebody is not a login, schema or derived schema");
});

test("a name that is no schema's is refused when the source is read", () => {
  expect(() => readSqlSource([{ ...notes, name: "a b" }])).toThrow("cannot be the name of a schema");
});
