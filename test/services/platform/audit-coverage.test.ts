// What `selo audit verify` covers: each service names every column of its tables in audit_coverage, and each column that a
// check is named for is edited here, as a superuser, for that check to find it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { columnEdit } from "../../support/column-edit.ts";
import { productFacts } from "../../support/service-facts.ts";
import type { Edit } from "../../support/tamper.ts";
import { AuditStage } from "./audit-stage.ts";

let stage: AuditStage;
beforeAll(async () => {
  stage = await AuditStage.open();
}, 120_000);
afterAll(() => stage?.close());

test("untouched, everything is as it was recorded", async () => {
  expect(await stage.faults()).toEqual([]);
});

test("every column of every table that keeps data has one row, and no row names what is not there", async () => {
  const columns = await stage.rows<{ name: string }>(
    `select relation.oid::regclass || '.' || attname as name
     from pg_class as relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
     where relation.relkind in ('r', 'p') and not relation.relispartition
       and relation.relnamespace in (select oid from pg_namespace where nspowner = 'selo_owner'::regrole)`,
  );
  const named = stage.coverage.map(({ table_name, column_name }) => `${table_name}.${column_name}`);
  expect(named.sort()).toEqual(columns.map(({ name }) => name).sort());
  for (const { how, check_name, table_name } of stage.coverage) {
    expect(how).toMatch(/[a-z]{3}/);
    if (check_name !== null) expect(table_name).not.toMatch(/^(gateway|secrets)\./);
  }
});

const audits = productFacts.flatMap(({ audit }) => audit ?? []);
/** Which rows are edited, where not the first. */
const ROWS: Readonly<Record<string, readonly string[]>> = Object.assign({}, ...audits.map(({ rows }) => rows));
/** Edits that are not those of their column's type. */
const EDITS: Readonly<Record<string, string>> = Object.assign({}, ...audits.map(({ edits }) => edits));
/** Personal data that anybody may see erased. */
const ERASED: ReadonlySet<string> = new Set(audits.flatMap(({ erased = [] }) => erased));

test("what services say of tables and columns is of some that a check is named for", () => {
  const covered = stage.coverage.filter(({ check_name }) => check_name !== null);
  const tables = new Set(covered.map(({ table_name }) => table_name));
  const columns = new Set(covered.map(({ table_name, column_name }) => `${table_name}.${column_name}`));
  expect(Object.keys(ROWS).filter((table) => !tables.has(table))).toEqual([]);
  expect([...Object.keys(EDITS), ...ERASED].filter((column) => !columns.has(column))).toEqual([]);
});

test("a value taken out of any column that a check is named for is found", async () => {
  const keys = await stage.rows<{ name: string }>(
    `select attrelid::regclass || '.' || attname as name from pg_index
     join pg_attribute on attrelid = indrelid and attnum = any (indkey::smallint[]) where indisprimary`,
  );
  const missed: string[] = [];
  for (const { table_name, column_name, check_name } of stage.coverage) {
    const name = `${table_name}.${column_name}`;
    if (check_name === null || keys.some((key) => key.name === name)) continue;
    for (const which of ROWS[table_name] ?? ["true"]) {
      const one = `ctid = (select ctid from ${table_name} where ${which} and ${column_name} is not null order by ctid limit 1)`;
      const [there] = await stage.rows<{ there: boolean }>(
        `select exists (select from ${table_name} where ${one}) as there`,
      );
      // Erasing personal data is what anybody may see: nothing else may be taken away.
      if (!there?.there || ERASED.has(name)) continue;
      const edit: Edit = [`update ${table_name} set ${column_name} = null where ${one}`, []];
      const { isFound, said } = await stage.foundBy(check_name, table_name, edit);
      if (!isFound && said.length === 0) missed.push(`${name} (${which})`);
    }
  }
  expect(missed).toEqual([]);
}, 600_000);

test("an edit of any column that a check is named for is found by that check", async () => {
  const missed: string[] = [];
  const seen = new Set<string>();
  for (const { table_name, column_name, check_name } of stage.coverage) {
    if (check_name === null) continue;
    const name = `${table_name}.${column_name}`;
    const [type] = await stage.rows<{ type: string }>(
      "select format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attname = $2",
      [table_name, column_name],
    );
    const change = EDITS[name] ?? columnEdit(column_name, type?.type ?? "");
    for (const which of ROWS[table_name] ?? ["true"]) {
      const one = `ctid = (select ctid from ${table_name} where ${which} order by ctid limit 1)`;
      const edit: Edit = [`update ${table_name} set ${column_name} = ${change} where ${one}`, []];
      const { isFound, said } = await stage.foundBy(check_name, table_name, edit);
      if (isFound) seen.add(check_name);
      else missed.push(`${name} (${which}): ${said.join("; ")}`);
    }
  }
  expect(missed).toEqual([]);
  expect([...seen].sort()).toEqual([...new Set(stage.coverage.flatMap(({ check_name }) => check_name ?? []))].sort());
}, 600_000);
