import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/** Statements as a superuser who lifts the triggers, each of one row: somebody with the disk in hand. */
export async function tamper(database: TestDatabase, ...statements: [string, unknown[]][]): Promise<void> {
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
