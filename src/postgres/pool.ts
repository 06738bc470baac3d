import pg from "pg";
import { PATIENCE_MS } from "./patience.ts";

/** Where and as whom to connect. `role` is taken on when the login is another one, such as an administrator in development. */
export interface ConnectionSettings {
  readonly url: string;
  readonly role: "selo_app" | "selo_worker" | null;
  readonly applicationName: string;
  /** After so long a statement is given up, here and in Postgres; none for administration. */
  readonly statementTimeoutMs?: number;
}

/** `int8` as numbers: every bigint of ours (counts, balances, sizes) is held below 2^53 by a check or a limit. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === pg.types.builtins.INT8) return (text: string) => Number(text);
    return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
  }) as typeof pg.types.getTypeParser,
};

/** The pieces of a connection that pg's Client and Pool share. */
export function clientConfig(settings: ConnectionSettings): pg.ClientConfig {
  const login = loginOf(settings.url);
  return {
    connectionString: settings.url,
    application_name: settings.applicationName,
    types,
    keepAlive: true,
    ...(settings.statementTimeoutMs === undefined
      ? {}
      : // Postgres first, so that it is Postgres who says so; the client's own limit is for a server that hangs.
        {
          statement_timeout: settings.statementTimeoutMs,
          lock_timeout: settings.statementTimeoutMs / 3,
          query_timeout: settings.statementTimeoutMs + 5_000,
        }),
    connectionTimeoutMillis: PATIENCE_MS,
    // The role as a start-up option, not a statement per request: alternating roles halves throughput.
    options: settings.role !== null && login !== settings.role ? `-c role=${settings.role}` : "",
  };
}

/** A pool that outlives broken idle connections; `onIdleError` hears of them. */
export function createPool(settings: ConnectionSettings, size: number, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(settings), max: size, idleTimeoutMillis: 30_000 });
  // Connections that are still closing when Postgres itself stops are no news.
  pool.on("error", (error) => {
    if (!pool.ending) onIdleError(error);
  });
  // A connection may also break while it is lent out; its query fails by itself.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The user a connection address logs in as; null when it names none. */
export function loginOf(url: string): string | null {
  const address = new URL(url);
  return decodeURIComponent(address.username) || address.searchParams.get("user");
}

/** The password a connection address carries; null when it carries none. */
export function passwordOf(url: string): string | null {
  return decodeURIComponent(new URL(url).password) || null;
}
