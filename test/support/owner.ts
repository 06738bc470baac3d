import pg from "pg";
import type { TestDatabase } from "./database.ts";

/** Connections that act as selo_owner, whom forced row-level security holds to the tenant of the context. */
export function ownerPool(database: TestDatabase): pg.Pool {
  const pool = new pg.Pool({ connectionString: database.adminUrl, options: "-c role=selo_owner", max: 32 });
  pool.on("error", () => {});
  // The end of the pool does not wait for its connections to close, and the database may be dropped meanwhile.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Statements in one transaction in the context of a tenant and environment; rolled back when they fail. */
export async function inContext<Result>(
  pool: pg.Pool,
  tenantId: string,
  environment: "live" | "test",
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select platform.enter_context($1, $2, null, null, null)", [tenantId, environment]);
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}
