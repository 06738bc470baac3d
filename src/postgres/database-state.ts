import pg from "pg";
import { decodeDatabaseError } from "./errors.ts";
import { clientConfig } from "./pool.ts";

/** The observed state of a database. */
export interface DatabaseState {
  /** The server's version, such as `18.4`. */
  readonly version: string;
  /** Whether a worker is connected. */
  readonly worker: boolean;
}

/**
 * Inspects a database as its administrator, migrated or not.
 * @throws AppError 503 unavailable if the database cannot be reached
 */
export async function databaseState(adminUrl: string): Promise<DatabaseState> {
  const client = new pg.Client(clientConfig({ url: adminUrl, role: null, applicationName: "selo status" }));
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<DatabaseState>(`
      select split_part(current_setting('server_version'), ' ', 1) as version,
        exists (select from pg_stat_activity where datname = current_database() and application_name = 'selo worker') as worker`);
    const [state] = rows;
    if (state === undefined) throw new Error("a query without a condition answered no row");
    return state;
  } catch (error) {
    throw decodeDatabaseError(error);
  } finally {
    await client.end().catch(() => {});
  }
}
