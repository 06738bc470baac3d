import type pg from "pg";
import { MigrationError } from "./migration-error.ts";

export const NOT_MIGRATED = "the database is not migrated: run selo migrate first";

/**
 * Stops a process that starts on a database that was never migrated.
 * @param routine a routine that the process calls, with its parameters' types
 * @throws MigrationError
 */
export async function requireMigrated(pool: pg.Pool, routine: string): Promise<void> {
  const { rows } = await pool.query<{ there: boolean }>("select to_regprocedure($1) is not null as there", [routine]);
  if (rows[0]?.there !== true) throw new MigrationError(NOT_MIGRATED);
}
