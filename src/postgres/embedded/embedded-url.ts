import pg from "pg";
import { clientConfig } from "../pool.ts";
import type { EmbeddedPostgres } from "./embedded.ts";

/** The address of a database of the embedded Postgres through its socket, for one login. */
export function embeddedUrl(
  postgres: Pick<EmbeddedPostgres, "host" | "port">,
  login: string,
  password: string,
  database: string,
): string {
  return `postgres://${login}:${encodeURIComponent(password)}@${encodeURIComponent(postgres.host)}:${postgres.port}/${database}`;
}

/** Makes a database unless it exists. */
export async function createDatabase(postgres: EmbeddedPostgres, name: string): Promise<void> {
  const url = embeddedUrl(postgres, "postgres", postgres.password, "postgres");
  const client = new pg.Client(clientConfig({ url, role: null, applicationName: "selo start" }));
  await client.connect();
  try {
    const found = await client.query("select from pg_database where datname = $1", [name]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
