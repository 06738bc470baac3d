import type pg from "pg";
import type { PgClient, PgClientQuery, PgClientResult, WithPgClient } from "postgraphile/@dataplan/pg";
import type { Actors } from "./actors.ts";
import { decodeDatabaseError, isTransient, isUnknownStatement } from "./errors.ts";
import { type Reader, Reads } from "./reads.ts";

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
  /** Registers the reader of a request. */
  readonly pgSettings: (request: Partial<Grafast.RequestContext>) => Record<string, string | undefined>;
};

/**
 * PostGraphile's reads of schema api, each in a read-only transaction that its reader has entered. Nothing can be written this way, so a read
 * that met the repeatable step of a migration (or a deadlock) runs again.
 * @param actors knows the actor of a credential; the reads of one actor take turns
 */
export function readService(pool: pg.Pool, actors: Actors): ReadService {
  const reads = new Reads(pool);
  // PostGraphile passes a settings object along with each request. Ours is empty and identifies the reader of the request.
  const readers = new WeakMap<object, Reader>();
  const clientOf = (reader: Reader | null): PgClient => ({
    query: async <Row>({ text, values = [], arrayMode = false }: PgClientQuery): Promise<PgClientResult<Row>> => {
      const actor = actors.keyOf(reader?.credentialHash ?? null);
      const { rows, rowCount } = await tried((attempt) =>
        reads.read(actor, { reader, text, values, arrayMode, attempt }),
      );
      return { rows: rows as Row[], rowCount };
    },
    withTransaction() {
      throw new Error("GraphQL writes through gateway.call only");
    },
  });
  const withPgClient: WithPgClient = async (settings, read) =>
    read(clientOf(settings === null ? null : (readers.get(settings) ?? null)));
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

async function tried<Result>(read: (attempt: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read(attempt);
    } catch (error) {
      if (attempt < MOST_ATTEMPTS && (isTransient(error) || isUnknownStatement(error))) continue;
      throw decodeDatabaseError(error);
    }
  }
}
