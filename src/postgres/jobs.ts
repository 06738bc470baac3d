import type pg from "pg";
import type { OwnSealCertificate, StoredSealCertificate, StoredSigningKey } from "./database.ts";
import { decodeDatabaseError } from "./errors.ts";
import type { QueueStates } from "./queue-states.ts";

/** Runs statements, as the worker or as the operator of the deployment. */
export interface Queries {
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** For a statement whose time grows with the data of all organizations. */
  slowQuery<Row>(text: string): Promise<Row[]>;
  /** The keys whose seals are accepted now, of both environments. */
  signingKeys(): Promise<StoredSigningKey[]>;
  /** The certificates that seal PDFs now, of both environments. */
  sealCertificates(): Promise<StoredSealCertificate[]>;
}

/** One environment of one tenant. */
export interface Environment {
  readonly tenantId: string;
  readonly environment: "live" | "test";
}

const SLOW_MS = 30 * 60_000;

/** The worker's statements: functions of schema jobs, in the context of one tenant or across all tenants. Each service has a store.ts for its own. */
export class Jobs {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Runs a job function in the context of one tenant and environment, and returns its unparsed answer. */
  async call({ tenantId, environment }: Environment, jobFunction: string, args: object = {}): Promise<unknown> {
    const [row] = await this.query<{ answer: unknown }>("select jobs.call($1, $2, $3, $4) as answer", [
      tenantId,
      environment,
      jobFunction,
      args,
    ]);
    return row?.answer;
  }

  /** @returns number of graphile-worker's newest migration that breaks older versions; 0 for none */
  async newestBreakingMigration(): Promise<number> {
    const [row] = await this.query<{ newest: number }>(
      "select coalesce(max(id), 0) as newest from graphile_worker.migrations where breaking",
    );
    return row?.newest ?? 0;
  }

  /** The keys whose seals are accepted now, of both environments. */
  signingKeys(): Promise<StoredSigningKey[]> {
    return this.query<StoredSigningKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey", sealed_seed as "sealedSeed", status from jobs.signing_keys()`,
    );
  }

  /** The certificates that seal PDFs now, of both environments. */
  sealCertificates(): Promise<StoredSealCertificate[]> {
    return this.query<StoredSealCertificate>(
      `select certificate_id as "certificateId", environment, certificate, sealed_key as "sealedKey", not_before as "notBefore", not_after as "notAfter" from jobs.seal_certificates()`,
    );
  }

  /** Keeps the operator's own certificate among those that are published. */
  async keepOwnSealCertificate(own: OwnSealCertificate): Promise<void> {
    await this.query("select jobs.keep_own_seal_certificate($1)", [JSON.stringify(own)]);
  }

  async queueStates(): Promise<QueueStates> {
    const [row] = await this.query<{ states: QueueStates }>("select jobs.queue_states() as states");
    if (row === undefined) throw new Error("jobs.queue_states answered no row");
    return row.states;
  }

  /** For a statement whose time grows with the data of all organizations: half an hour instead of a minute. */
  async slowQuery<Row>(text: string): Promise<Row[]> {
    const client = await this.#pool.connect();
    try {
      await client.query(`set statement_timeout = ${SLOW_MS}`);
      return (await client.query({ text, query_timeout: SLOW_MS + 5_000 } as pg.QueryConfig)).rows as Row[];
    } catch (error) {
      throw decodeDatabaseError(error);
    } finally {
      // Closing the connection also drops its settings.
      client.release(true);
    }
  }

  /** For the store of a service: calls a function of schema jobs that works across tenants. @throws AppError as Database does */
  async query<Row>(text: string | pg.QueryConfig, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await (typeof text === "string" ? this.#pool.query(text, values) : this.#pool.query(text))).rows as Row[];
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }
}
