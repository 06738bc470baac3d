import type pg from "pg";
import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import type { Actor } from "./database.ts";
import { decodeDatabaseError, isTransient } from "./errors.ts";
import { Turns } from "./turns.ts";

const ADAPTOR = "selo";
const MOST_ATTEMPTS = 5;

declare global {
  namespace GraphileConfig {
    interface PgAdaptors {
      [ADAPTOR]: { adaptorSettings: undefined; makePgServiceOptions: Record<string, never>; client: PgClient };
    }
  }
  namespace Grafast {
    interface RequestContext {
      /** In whose context the request reads; null for anyone's. */
      actor: Actor | null;
      /** X-Request-Id. */
      requestId: string;
    }
    interface Context {
      withPgClient: WithPgClient;
      pgSettings: Record<string, string | undefined> | null;
    }
  }
}

/** PostGraphile's view of the database. */
export type ReadService = GraphileConfig.PgServiceConfiguration<typeof ADAPTOR>;

type Settings = Readonly<Record<string, string | undefined>>;

/**
 * What PostGraphile asks of Postgres: reads of schema api, each in a read-only transaction with the context of its
 * request; one token has half of the connections for them. Nothing can be written this way, so a read that met the repeatable step (or a deadlock) simply runs again.
 */
export function readService(pool: pg.Pool): ReadService {
  const turns = new Turns(Math.floor(pool.options.max / 2));
  const withPgClient: WithPgClient = (settings, read) =>
    turns.run(settings?.["app.token_id"] ?? "anyone", () => readOnly(pool, settings ?? {}, read));
  return {
    name: "main",
    schemas: ["api"],
    withPgClientKey: "withPgClient",
    pgSettingsKey: "pgSettings",
    pgSettings: ({ actor, requestId }) => {
      if (actor === undefined) throw new Error("a read without an actor");
      // As platform.enter_origin writes it.
      const application_name = `selo gateway ${requestId}`;
      if (actor === null) return { application_name };
      return {
        application_name,
        "app.tenant_id": actor.tenantId,
        "app.environment": actor.environment,
        "app.token_id": actor.tokenId,
        "app.scopes": actor.scopes.join(" "),
      };
    },
    adaptorSettings: undefined,
    adaptor: {
      createWithPgClient: () => withPgClient,
      makePgService: () => {
        throw new Error("the one service of the gateway is made by readService");
      },
    },
  };
}

async function readOnly<Result>(
  pool: pg.Pool,
  settings: Settings,
  read: (client: PgClient) => Result | Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(pool, settings, read);
    } catch (error) {
      if (attempt < MOST_ATTEMPTS && isTransient(error)) continue;
      throw decodeDatabaseError(error);
    }
  }
}

async function transaction<Result>(
  pool: pg.Pool,
  settings: Settings,
  read: (client: PgClient) => Result | Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect();
  let broken = false;
  try {
    // One round trip: a simple query may hold several statements.
    const values = Object.entries(settings)
      .map(
        ([name, value]) =>
          `set_config(${connection.escapeLiteral(name)}, ${connection.escapeLiteral(value ?? "")}, true)`,
      )
      .join(", ");
    await connection.query(`begin read only${values === "" ? "" : `; select ${values}`}`);
    const result = await read(client(connection));
    await connection.query("commit");
    return result;
  } catch (error) {
    await connection.query("rollback").catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    connection.release(broken);
  }
}

function client(connection: pg.PoolClient): PgClient {
  return {
    async query<Row>({ text, values, arrayMode }: PgClientQuery): Promise<PgClientResult<Row>> {
      // Not prepared by name: poolers in transaction mode and the repeatable step are then no special case.
      const query = { text, ...(values ? { values } : {}) };
      const result = arrayMode
        ? await connection.query({ ...query, rowMode: "array" as const })
        : await connection.query(query);
      return { rows: result.rows as Row[], rowCount: result.rowCount };
    },
    withTransaction() {
      throw new Error("GraphQL writes through gateway.call only");
    },
  };
}
