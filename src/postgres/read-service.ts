import type pg from "pg";
import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import type { Actors } from "./actors.ts";
import { type Origin, originJson } from "./call.ts";
import { decodeDatabaseError, isReplaced, isTransient, isUnknownStatement } from "./errors.ts";
import { KeptStatements, Repeated } from "./kept-statements.ts";
import { isUsable, PipelinedStatements, type Statement } from "./pipelined-statements.ts";
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
 * @param actors whose turns they are
 */
export function readService(pool: pg.Pool, actors: Actors): ReadService {
  const turns = new Turns(Math.floor(pool.options.max / 2));
  const reads = new Reads(pool);
  // PostGraphile hands down settings for each request; ours are empty and stand for its reader.
  const readers = new WeakMap<object, Reader>();
  const withPgClient: WithPgClient = (settings, read) => {
    const reader = settings === null ? null : (readers.get(settings) ?? null);
    return turns.run(actors.keyOf(reader?.credentialHash ?? null), () =>
      tried((attempt) => read(reads.client(reader, attempt))),
    );
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

async function tried<Result>(read: (attempt: number) => Result | Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(attempt);
    } catch (error) {
      if (attempt < MOST_ATTEMPTS && (isTransient(error) || isUnknownStatement(error))) continue;
      throw decodeDatabaseError(error);
    }
  }
}

/** Begins a read of PostGraphile itself; gateway.enter says the same. `set transaction read only` would warn that no block was begun. */
const READ_ONLY: Statement = { text: "select set_config('transaction_read_only', 'on', true)" };
/** With the credential as a parameter, never in the text, which every session of the same login can see (pg_stat_activity). */
const enter = ({ credentialHash, origin }: Reader): Statement => ({
  text: "select from gateway.enter($1, $2)",
  values: [credentialHash, JSON.stringify(originJson(origin))],
});

/** Reads over the connections of a pool. */
class Reads {
  readonly #pool: pg.Pool;
  readonly #kept = new WeakMap<pg.PoolClient, KeptStatements>();
  #repeated: Promise<Repeated> | null = null;
  /** False once a pooler has lost a statement that was prepared. */
  #keeps = true;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** @param reader null for PostGraphile itself */
  client(reader: Reader | null, attempt: number): PgClient {
    return {
      query: async <Row>({ text, values = [], arrayMode }: PgClientQuery): Promise<PgClientResult<Row>> => {
        const statements = [reader === null ? READ_ONLY : enter(reader), { text, values }];
        const read = new PipelinedStatements(statements, arrayMode ? "array" : undefined);
        try {
          const result = await this.#run(read, attempt);
          return { rows: result.rows as Row[], rowCount: result.rowCount };
        } finally {
          if (reader?.credentialHash && read.succeeded >= 1) reader.admit();
        }
      },
      withTransaction() {
        throw new Error("GraphQL writes through gateway.call only");
      },
    };
  }

  async #run(read: PipelinedStatements, attempt: number): Promise<pg.QueryResult> {
    // Another attempt may have another connection, which also prepared the statement before the database changed.
    const isKept = attempt === 1 && this.#keeps && (await this.#isRepeated(read));
    const connection = await this.#pool.connect();
    const kept = isKept ? this.#keptOf(connection) : null;
    try {
      const result = await read.run(connection, kept);
      connection.release(!isUsable(connection, null));
      return result;
    } catch (error) {
      if (isUnknownStatement(error)) this.#keeps = false;
      if (isReplaced(error)) kept?.clear();
      connection.release(!isUsable(connection, error));
      throw error;
    }
  }

  async #isRepeated({ statements }: PipelinedStatements): Promise<boolean> {
    this.#repeated ??= partitionedViews(this.#pool).then((views) => new Repeated(views));
    try {
      return (await this.#repeated).has(statements.at(-1)?.text ?? "");
    } catch {
      // The read itself will say what is wrong, or the next one succeeds.
      this.#repeated = null;
      return false;
    }
  }

  #keptOf(connection: pg.PoolClient): KeptStatements {
    const kept = this.#kept.get(connection) ?? new KeptStatements();
    this.#kept.set(connection, kept);
    return kept;
  }
}

/** Views of schema api that read partitioned tables, themselves or through other views. */
async function partitionedViews(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    with recursive reading (relation) as (
      select oid from pg_catalog.pg_class where relkind = 'p'
      union
      select rule.ev_class
      from reading
      join pg_catalog.pg_depend as dependency on dependency.refobjid = reading.relation
        and dependency.refclassid = 'pg_catalog.pg_class'::regclass and dependency.classid = 'pg_catalog.pg_rewrite'::regclass
      join pg_catalog.pg_rewrite as rule on rule.oid = dependency.objid
    )
    select relname as name from reading
    join pg_catalog.pg_class on pg_class.oid = reading.relation
    where relnamespace = to_regnamespace('api') and relkind = 'v'`);
  return rows.map(({ name }) => name);
}
