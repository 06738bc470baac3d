import type pg from "pg";
import { AppError, unauthenticated } from "../errors/app-error.ts";
import { Actors } from "./actors.ts";
import { type AnyCommand, commandFacts, commandName } from "./any-command.ts";
import { type Answer, type Call, originJson } from "./call.ts";
import { type DatabaseFailure, decodeDatabaseError, isRefusal, isTransient } from "./errors.ts";
import type { QueueStates } from "./queue-states.ts";
import { ReadBatcher } from "./read-batcher.ts";
import { Turns } from "./turns.ts";

/** The values that /readyz compares. */
export interface Readiness {
  /** Name of the newest migration in the database. */
  readonly lastMigration: string | null;
  /** The public address in the links that the database makes. */
  readonly publicUrl: string | null;
  /** Whether it holds the demo organization. */
  readonly hasDemo: boolean;
}

/** What failed in the last 90 days. */
export interface FaultRecord {
  /** Since when faults are recorded; null before the first observation. */
  readonly since: string | null;
  /** Whether faults were recorded for all of the 90 days. */
  readonly is_whole: boolean;
  /** How many older faults are left out of `faults`. */
  readonly more: number;
  /** The newest first. */
  readonly faults: readonly Fault[];
}

/** A fault of a component; see platform.faults. */
export interface Fault {
  readonly component: string;
  readonly extent: "whole" | "part";
  readonly began_at: string;
  /** Null while it lasts. */
  readonly ended_at: string | null;
  /** How long it took, or has taken so far. */
  readonly seconds: number;
}

/** Number of requests of a key in its window. */
export interface RequestCount {
  readonly count: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

/** Number of requests of an actor. */
export interface ActorRequestCount extends RequestCount {
  /** Kind and id of the actor. */
  readonly actor: string;
}

/** A platform key whose seals are accepted, with its encrypted seed. */
export interface StoredSigningKey {
  readonly keyId: string;
  readonly environment: "live" | "test";
  readonly algorithm: "Ed25519" | "ML-DSA-87";
  readonly publicKey: Buffer;
  readonly sealedSeed: Buffer;
  /** A retired key here was retired a moment ago, so that evidence prepared before can still be sealed. */
  readonly status: "active" | "retired";
}

/** A certificate that seals PDFs, with its encrypted private key. */
export interface StoredSealCertificate {
  readonly certificateId: string;
  readonly environment: "live" | "test";
  /** DER. */
  readonly certificate: Buffer;
  readonly sealedKey: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** The operator's own certificate that seals PDFs of live, as it is published. */
export interface OwnSealCertificate {
  /** DER in base64. */
  readonly certificate: string;
  /** Those that issued it, each the one before. */
  readonly chain: readonly string[];
  readonly not_before: string;
  readonly not_after: string;
}

/** How long a command that writes for long waits for those of the same actor: ten times the half second that a bulk takes, and room. */
const SLOW_WRITE_PATIENCE_MS = 20_000;

/** The gateway's statements. Every method throws AppError for documented errors and for an unreachable server. */
export class Database {
  readonly #pool: pg.Pool;
  readonly #reads: ReadBatcher;
  /** Separate, so that callers without a token never delay callers with one. */
  readonly #publicReads: ReadBatcher;
  readonly #lists: Turns;
  /** One at a time of an actor: a command that writes for long keeps a core busy, and the others are for other actors. */
  readonly #slowWrites = new Turns(1, SLOW_WRITE_PATIENCE_MS);
  /** Learned when requests are counted, which happens before their callers take a turn. */
  readonly actors = new Actors();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#reads = new ReadBatcher(this);
    this.#publicReads = new ReadBatcher(this);
    this.#lists = new Turns(Math.floor(pool.options.max / 4));
  }

  /**
   * Runs one command in one round trip. A slow command waits its turn, so that no caller can occupy all connections: one that reads, or that has
   * a limit of its own, among lists; one that writes, alone of its actor.
   */
  call(call: Call): Promise<Answer> {
    const { slow, writes, seconds } = commandFacts(call.command);
    if (!slow) return this.#call(call);
    return writes && seconds === undefined
      ? this.#slowWrites.run(this.actors.keyOf(call.credentialHash), () => this.#call(call))
      : this.list(call);
  }

  async #call(call: Call): Promise<Answer> {
    const text = "select status, body, replayed from gateway.call($1, $2, $3, $4, $5, $6, $7)";
    const values = [
      call.credentialHash,
      commandName(call.command),
      JSON.stringify(call.arguments),
      call.status ?? 200,
      call.idempotency?.key ?? null,
      call.idempotency?.requestHash ?? null,
      originJson(call.origin),
    ];
    const { seconds } = commandFacts(call.command);
    const [answer] =
      seconds === undefined
        ? await this.query<Answer>(text, values)
        : await this.#queryWithin<Answer>(seconds, text, values);
    if (answer === undefined) throw new Error("gateway.call answered no row");
    return answer;
  }

  /** Runs a command that reads one item. It may share a round trip with other reads, see {@link ReadBatcher}. */
  read(call: Call): Promise<Answer> {
    return (call.credentialHash === null ? this.#publicReads : this.#reads).read(call);
  }

  /** Runs a command that reads a list, which may be slow: one actor may use a quarter of the connections for lists. */
  list(call: Call): Promise<Answer> {
    return this.#lists.run(this.actors.keyOf(call.credentialHash), () => this.#call(call));
  }

  /** Runs several calls in one round trip and one transaction. Each has its own answer or error. */
  async callMany(calls: readonly Call[]): Promise<(Answer | { readonly failure: DatabaseFailure })[]> {
    const rows = await this.query<Answer & { failure: DatabaseFailure | null }>(
      "select status, body, replayed, failure from gateway.call_many($1) order by place",
      [
        JSON.stringify(
          calls.map((call) => ({
            credential_hash: call.credentialHash?.toString("hex") ?? null,
            command: commandName(call.command),
            arguments: call.arguments,
            status: call.status ?? 200,
            idempotency_key: call.idempotency?.key ?? null,
            request_hash: call.idempotency?.requestHash.toString("hex") ?? null,
            origin: originJson(call.origin),
          })),
        ),
      ],
    );
    return rows.map(({ failure, ...answer }) => (failure === null ? answer : { failure }));
  }

  /**
   * Checks that a credential is valid, and, with a command, that it may call the command.
   * @param organization the number of the organization that the credential must belong to
   * @throws AppError 401 unauthenticated, 403 missing_scope, 403 forbidden
   */
  async authorize(
    credentialHash: Buffer,
    command: AnyCommand | null = null,
    organization: string | null = null,
  ): Promise<void> {
    await this.query("select from gateway.authorize($1, $2, $3)", [
      credentialHash,
      command === null ? null : commandName(command),
      organization,
    ]);
  }

  /** Counts requests of a key. Returns the number in the window, and the seconds until the window ends. */
  async countRequests(key: Buffer, requests: number, windowSeconds: number): Promise<RequestCount> {
    const [counted] = await this.query<RequestCount>("select count, seconds from gateway.count_requests($1, $2, $3)", [
      key,
      requests,
      windowSeconds,
    ]);
    if (counted === undefined) throw new Error("gateway.count_requests answered no row");
    return counted;
  }

  /**
   * Counts requests of an actor with any of its credentials, and tells which actor it is.
   * @throws AppError 401 unauthenticated for an unknown credential, 401 session_expired for a session that ran out
   */
  async countActorRequests(
    credentialHash: Buffer,
    requests: number,
    windowSeconds: number,
  ): Promise<ActorRequestCount> {
    const [counted] = await this.query<
      { readonly [Member in keyof ActorRequestCount]: ActorRequestCount[Member] | null } & {
        readonly refusal: string | null;
      }
    >("select actor, count, seconds, refusal from gateway.count_actor_requests($1, $2, $3)", [
      credentialHash,
      requests,
      windowSeconds,
    ]);
    const { actor = null, count = null, seconds = null, refusal = null } = counted ?? {};
    if (refusal === "session_expired")
      throw new AppError(401, "session_expired", "The session has run out. Sign in again.");
    if (actor === null || count === null || seconds === null) throw unauthenticated();
    this.actors.learn(credentialHash, actor);
    return { actor, count, seconds };
  }

  /** Those of these credentials that are valid. */
  async knownCredentials(credentialHashes: readonly Buffer[]): Promise<Buffer[]> {
    const [row] = await this.query<{ known: Buffer[] }>("select gateway.known_credentials($1) as known", [
      credentialHashes,
    ]);
    return row?.known ?? [];
  }

  /** Records that the actors of these credentials were active just now. */
  async recordActorUse(credentialHashes: readonly Buffer[]): Promise<void> {
    await this.query("select gateway.record_actor_use($1)", [credentialHashes]);
  }

  /** The keys whose seals are accepted now, of both environments. */
  signingKeys(): Promise<StoredSigningKey[]> {
    return this.query<StoredSigningKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey", sealed_seed as "sealedSeed", status from gateway.signing_keys()`,
    );
  }

  /** The certificates that seal PDFs now, of both environments. */
  sealCertificates(): Promise<StoredSealCertificate[]> {
    return this.query<StoredSealCertificate>(
      `select certificate_id as "certificateId", environment, certificate, sealed_key as "sealedKey", not_before as "notBefore", not_after as "notAfter" from gateway.seal_certificates()`,
    );
  }

  async readiness(): Promise<Readiness> {
    const [state] = await this.query<Readiness>(
      `select last_migration as "lastMigration", public_url as "publicUrl", has_demo as "hasDemo" from gateway.readiness()`,
    );
    if (state === undefined) throw new Error("gateway.readiness answered no row");
    return state;
  }

  async faults(): Promise<FaultRecord> {
    const [row] = await this.query<{ faults: FaultRecord }>("select gateway.faults() as faults");
    if (row === undefined) throw new Error("gateway.faults answered no row");
    return row.faults;
  }

  async queueStates(): Promise<QueueStates> {
    const [row] = await this.query<{ states: QueueStates }>("select gateway.queue_states() as states");
    if (row === undefined) throw new Error("gateway.queue_states answered no row");
    return row.states;
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#queryOnce<Row>(text, values);
      } catch (error) {
        if (attempt < 5 && isTransient(error)) continue;
        throw decodeDatabaseError(error);
      }
    }
  }

  /**
   * Unlike pool.query, keeps the connection of a refused call: a new one must first compile the functions and plan their statements, which takes some
   * 50 ms of Postgres. After any other failure the connection may be bad (lost, a server that became read-only, plans of replaced functions) and is closed.
   */
  async #queryOnce<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      return (await client.query(text, values)).rows as Row[];
    } catch (error) {
      if (!isRefusal(error))
        broken = error instanceof Error ? error : new Error("a failed statement", { cause: error });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** One statement that may take so many seconds, in its own transaction: a pooler may give the next one another connection. */
  async #queryWithin<Row>(seconds: number, text: string, values: unknown[]): Promise<Row[]> {
    const limit = seconds * 1_000;
    let client: pg.PoolClient | null = null;
    let broken: Error | undefined;
    try {
      client = await this.#pool.connect();
      await client.query(`begin; set local statement_timeout = ${limit}`);
      // pg knows this member, and its types do not.
      const query = { text, values, query_timeout: limit + 5_000 } as pg.QueryConfig;
      const { rows } = await client.query(query);
      await client.query("commit");
      return rows as Row[];
    } catch (error) {
      await client?.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
      throw decodeDatabaseError(error);
    } finally {
      client?.release(broken);
    }
  }
}
