import type pg from "pg";
import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import type { Actors } from "./actors.ts";
import { type Origin, originJson } from "./call.ts";
import { decodeDatabaseError, isTransient } from "./errors.ts";
import { Turns } from "./turns.ts";

const ADAPTOR = "selo";
const MOST_ATTEMPTS = 5;

/** Who reads. */
export interface Reader {
  /** SHA-256 of the bearer token; null for what anyone may read. */
  readonly credentialHash: Buffer | null;
  readonly origin: Origin;
  /** Told each time Postgres has found the token good. */
  admit(): void;
}

declare global {
  namespace GraphileConfig {
    interface PgAdaptors {
      [ADAPTOR]: { adaptorSettings: undefined; makePgServiceOptions: Record<string, never>; client: PgClient };
    }
  }
  namespace Grafast {
    interface RequestContext {
      reader: Reader;
    }
    interface Context {
      withPgClient: WithPgClient;
      pgSettings: Record<string, string | undefined> | null;
    }
  }
}

/** PostGraphile's view of the database. */
export type ReadService = Omit<GraphileConfig.PgServiceConfiguration<typeof ADAPTOR>, "pgSettings"> & {
  /** Who reads in a request. */
  readonly pgSettings: (request: Partial<Grafast.RequestContext>) => Record<string, string | undefined>;
};

/**
 * What PostGraphile asks of Postgres: reads of schema api, each in a read-only transaction that its reader has entered;
 * one actor has half of the connections for them. Nothing can be written this way, so a read that met the repeatable step
 * (or a deadlock) simply runs again.
 * @param pool of connections that pipeline
 * @param actors whose turns they are
 */
export function readService(pool: pg.Pool, actors: Actors): ReadService {
  if (!pool.options.pipeline) throw new Error("reads need a pool whose connections pipeline");
  const turns = new Turns(Math.floor(pool.options.max / 2));
  // PostGraphile hands down settings for each request; ours are empty and stand for its reader.
  const readers = new WeakMap<object, Reader>();
  const withPgClient: WithPgClient = (settings, read) => {
    const reader = settings === null ? null : (readers.get(settings) ?? null);
    return new Promise((resolve, reject) => {
      // The answer leaves before the turn ends: a turn holds its connection until that is back.
      const turn = turns.run(actors.keyOf(reader?.credentialHash ?? null), async () => {
        const underWay: Promise<unknown>[] = [];
        resolve(await tried(read, client(pool, reader, underWay)));
        await Promise.all(underWay);
      });
      turn.catch(reject);
    });
  };
  return {
    name: "main",
    schemas: ["api"],
    withPgClientKey: "withPgClient",
    pgSettingsKey: "pgSettings",
    pgSettings: ({ reader }) => {
      if (reader === undefined) throw new Error("a read without a reader");
      const settings = {};
      readers.set(settings, reader);
      return settings;
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

async function tried<Result>(read: (client: PgClient) => Result | Promise<Result>, client: PgClient): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(client);
    } catch (error) {
      if (attempt < MOST_ATTEMPTS && isTransient(error)) continue;
      throw decodeDatabaseError(error);
    }
  }
}

/** @param underWay gets what ends when a connection is back in the pool; never rejected */
function client(pool: pg.Pool, reader: Reader | null, underWay: Promise<unknown>[]): PgClient {
  return {
    async query<Row>({ text, values, arrayMode }: PgClientQuery): Promise<PgClientResult<Row>> {
      // Not prepared by name: poolers in transaction mode and the repeatable step are then no special case.
      const query = { text, ...(values ? { values } : {}), ...(arrayMode ? { rowMode: "array" as const } : {}) };
      const result = await transaction(pool, reader, query, underWay);
      return { rows: result.rows as Row[], rowCount: result.rowCount };
    },
    withTransaction() {
      throw new Error("GraphQL writes through gateway.call only");
    },
  };
}

/**
 * One statement in a transaction of its own, in one round trip: all four are sent before the first is answered. What fails
 * fails the rest, and the commit then rolls back. The credential travels as a parameter, never in the text, which every
 * session of the same login can see (pg_stat_activity).
 *
 * The answer does not wait for the commit. The transaction wrote nothing, and its one statement read from one snapshot: the commit could
 * fail only with the connection, and would make nothing of the answer untrue. The connection is then given up, and no answer fails.
 */
async function transaction(
  pool: pg.Pool,
  reader: Reader | null,
  query: pg.QueryConfig,
  underWay: Promise<unknown>[],
): Promise<pg.QueryResult> {
  const connection = await pool.connect();
  const [begun, entered, answered, ended] = inOneWrite(connection, () => [
    connection.query("begin read only"),
    reader === null
      ? null
      : connection.query("select from gateway.enter($1, $2)", [reader.credentialHash, originJson(reader.origin)]),
    connection.query(query),
    connection.query("commit"),
  ]);
  const back = ended.then(
    () => connection.release(),
    () => connection.release(true),
  );
  underWay.push(back);
  const outcomes = await Promise.allSettled([begun, entered, answered]);
  if (reader !== null && reader.credentialHash !== null && outcomes[1].status === "fulfilled") reader.admit();
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed === undefined) return answered;
  // Another attempt takes no second connection.
  await back;
  throw failed.reason;
}

/** What is sent meanwhile leaves in one write: pg makes one of each statement, and each costs as much as all of them. */
function inOneWrite<Sent>(connection: pg.PoolClient, send: () => Sent): Sent {
  // Of pg's types only Client has it, which those of a pool are.
  const { stream } = (connection as unknown as pg.Client).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
