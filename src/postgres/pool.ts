import pg from "pg";
import { PATIENCE_MS } from "./patience.ts";

/** Where and as whom to connect. `role` is set if the login is another role, such as an administrator in development. */
export interface ConnectionSettings {
  readonly url: string;
  readonly role: "selo_app" | "selo_worker" | null;
  readonly applicationName: string;
  /** Time limit of a statement, here and in Postgres; none for administration. */
  readonly statementTimeoutMs?: number;
}

/**
 * How long administration waits for a connection. No caller waits for it, and `selo start` loads its code meanwhile: each piece of code blocks
 * the process, on a busy machine for longer than a caller would wait, and then its timer fires before it reads the answer that has arrived.
 */
const ADMINISTRATION_PATIENCE_MS = 60_000;

/**
 * How long an idle connection is kept. The first commands on a new one take five times as long, since Postgres prepares our functions
 * for each connection anew: a caller should meet that after a night, not after half a minute.
 */
const IDLE_MS = 600_000;

/** `int8` as numbers: a check or a limit keeps every bigint of ours (counts, balances, sizes) below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === pg.types.builtins.INT8) return (text: string) => Number(text);
    return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
  }) as typeof pg.types.getTypeParser,
};

/** The settings that pg's Client and Pool share. */
export function clientConfig(settings: ConnectionSettings): pg.ClientConfig {
  const login = loginOf(settings.url);
  return {
    connectionString: settings.url,
    application_name: settings.applicationName,
    types,
    keepAlive: true,
    ...(settings.statementTimeoutMs === undefined
      ? {}
      : // Postgres' limit is shorter, so that Postgres reports the time-out. The client's own limit is for a server that hangs.
        {
          statement_timeout: settings.statementTimeoutMs,
          lock_timeout: settings.statementTimeoutMs / 3,
          query_timeout: settings.statementTimeoutMs + 5_000,
        }),
    connectionTimeoutMillis: settings.role === null ? ADMINISTRATION_PATIENCE_MS : PATIENCE_MS,
    // The role is a start-up option, not a statement for each request: switching roles halves throughput.
    options: settings.role !== null && login !== settings.role ? `-c role=${settings.role}` : "",
  };
}

/** A pool that survives broken idle connections; `onIdleError` is called for each. */
export function createPool(settings: ConnectionSettings, size: number, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...clientConfig(settings), max: size, idleTimeoutMillis: IDLE_MS });
  // Connections that are closing when Postgres itself stops need no report.
  pool.on("error", (error) => {
    if (!pool.ending) onIdleError(error);
  });
  // A connection may also break while it is in use; its query then fails by itself.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** The user of a connection address; null if the address has none. */
export function loginOf(url: string): string | null {
  const address = new URL(url);
  return decodeURIComponent(address.username) || address.searchParams.get("user");
}

/** The password of a connection address; null if the address has none. */
export function passwordOf(url: string): string | null {
  return decodeURIComponent(new URL(url).password) || null;
}
