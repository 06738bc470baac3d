import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/** A superuser's statement with its values. */
export type Edit = [statement: string, values: unknown[]];

/** Statements as a superuser who lifts the triggers, each of one row: somebody with the disk in hand. */
export async function tamper(database: TestDatabase, ...statements: Edit[]): Promise<void> {
  const client = await database.admin.connect();
  try {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    for (const [text, values] of statements) {
      const { rowCount } = await client.query(text, values);
      expect(rowCount).toBe(1);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

/** Does something after a superuser's statements; the tables that they change are then as they were. */
export async function whileTampered<Result>(
  database: TestDatabase,
  tables: readonly string[],
  edits: readonly Edit[],
  work: () => Promise<Result>,
): Promise<Result> {
  const copyOf = (table: string) => `kept_${table.replace(".", "_")}`;
  for (const table of tables)
    await database.admin.query(
      `drop table if exists ${copyOf(table)}; create table ${copyOf(table)} as table ${table}`,
    );
  try {
    await tamper(database, ...edits);
    return await work();
  } finally {
    for (const table of tables) {
      const client = await database.admin.connect();
      await client.query(
        `begin; set local session_replication_role = replica; delete from ${table};
         insert into ${table} overriding system value table ${copyOf(table)}; drop table ${copyOf(table)}; commit`,
      );
      client.release();
    }
  }
}
