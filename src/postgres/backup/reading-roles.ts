import type pg from "pg";
import { BackupError } from "./backup-error.ts";

/**
 * Statements that let an administrator see every row of our tables, and of graphile-worker's, in this transaction. A
 * superuser sees them anyway.
 */
export async function readingRoles(client: pg.Client): Promise<{ readonly tables: string; readonly jobs: string }> {
  const { rows } = await client.query<{ superuser: boolean; known: boolean }>(
    `select rolsuper as superuser, exists (select from pg_catalog.pg_roles where rolname = 'selo_backup') as known
     from pg_catalog.pg_roles where rolname = current_user`,
  );
  if (rows[0]?.superuser) return { tables: "reset role", jobs: "reset role" };
  if (!rows[0]?.known) throw new BackupError("the role selo_backup does not exist: run selo migrate first");
  return { tables: "set local role selo_backup", jobs: "set local role selo_worker" };
}
