import type pg from "pg";
import { unauthenticated } from "../app-error.ts";
import { Actors } from "./actors.ts";
import { type AnyCommand, commandFacts, commandName } from "./any-command.ts";
import { type Answer, type Call, originJson } from "./call.ts";
import { type DatabaseFailure, decodeDatabaseError, isTransient } from "./errors.ts";
import type { QueueStates } from "./queue-states.ts";
import { ReadBatcher } from "./read-batcher.ts";
import { Turns } from "./turns.ts";

/** What /readyz compares. */
export interface Readiness {
  /** Name of the newest migration the database has. */
  readonly lastMigration: string | null;
  /** The public address it puts into links. */
  readonly publicUrl: string | null;
  /** Whether it holds the demo organization. */
  readonly hasDemo: boolean;
}

/** Requests of a key in its window. */
export interface RequestCount {
  readonly count: number;
  /** Until the window ends. */
  readonly seconds: number;
}

/** The same, of an actor. */
export interface ActorRequestCount extends RequestCount {
  /** Kind and id. */
  readonly actor: string;
}

/** A platform key whose seals are accepted, with its encrypted seed. */
export interface StoredSigningKey {
  readonly keyId: string;
  readonly environment: "live" | "test";
  readonly algorithm: "Ed25519" | "ML-DSA-87";
  readonly publicKey: Buffer;
  readonly sealedSeed: Buffer;
  /** Retired: a moment ago, so that what was prepared before can still be sealed. */
  readonly status: "active" | "retired";
}

/** What the gateway asks of Postgres. Every method throws AppError for documented errors and for an unreachable server. */
export class Database {
  readonly #pool: pg.Pool;
  readonly #reads: ReadBatcher;
  /** Callers without a token never hold up those with one. */
  readonly #publicReads: ReadBatcher;
  readonly #lists: Turns;
  /** Learned where requests are counted, which comes before they take a turn. */
  readonly actors = new Actors();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#reads = new ReadBatcher(this);
    this.#publicReads = new ReadBatcher(this);
    this.#lists = new Turns(Math.floor(pool.options.max / 4));
  }

  /** Runs one command in one round trip; one that may take seconds in the turns of lists: nobody's may have all connections. */
  call(call: Call): Promise<Answer> {
    return commandFacts(call.command).slow ? this.list(call) : this.#call(call);
  }

  async #call(call: Call): Promise<Answer> {
    const [answer] = await this.query<Answer>(
      "select status, body, replayed from gateway.call($1, $2, $3, $4, $5, $6, $7)",
      [
        call.credentialHash,
        commandName(call.command),
        JSON.stringify(call.arguments),
        call.status ?? 200,
        call.idempotency?.key ?? null,
        call.idempotency?.requestHash ?? null,
        originJson(call.origin),
      ],
    );
    if (answer === undefined) throw new Error("gateway.call answered no row");
    return answer;
  }

  /** The same for a command that reads one thing: it may travel with other reads of the moment, see {@link ReadBatcher}. */
  read(call: Call): Promise<Answer> {
    return (call.credentialHash === null ? this.#publicReads : this.#reads).read(call);
  }

  /** The same for a command that reads a list, which may take its time: one actor has a quarter of the connections for them. */
  list(call: Call): Promise<Answer> {
    return this.#lists.run(this.actors.keyOf(call.credentialHash), () => this.#call(call));
  }

  /** Several calls in one round trip and one transaction; each answers or fails for itself. */
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
   * Asks whether a credential is good; with a command, also whether it may call it.
   * @throws AppError 401 unauthenticated, 403 missing_scope
   */
  async authorize(credentialHash: Buffer, command: AnyCommand | null = null): Promise<void> {
    await this.query("select from gateway.authorize($1, $2)", [
      credentialHash,
      command === null ? null : commandName(command),
    ]);
  }

  /** Counts requests of a key; answers how many there were in the window, and in how many seconds it ends. */
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
   * The same for requests of an actor, by whichever of its credentials; says which actor it is.
   * @throws AppError 401 unauthenticated when there is no such credential
   */
  async countActorRequests(
    credentialHash: Buffer,
    requests: number,
    windowSeconds: number,
  ): Promise<ActorRequestCount> {
    const [counted] = await this.query<{
      readonly [Member in keyof ActorRequestCount]: ActorRequestCount[Member] | null;
    }>("select actor, count, seconds from gateway.count_actor_requests($1, $2, $3)", [
      credentialHash,
      requests,
      windowSeconds,
    ]);
    const { actor = null, count = null, seconds = null } = counted ?? {};
    if (actor === null || count === null || seconds === null) throw unauthenticated();
    this.actors.learn(credentialHash, actor);
    return { actor, count, seconds };
  }

  /** Writes that the actors of these credentials were just there. */
  async recordActorUse(credentialHashes: readonly Buffer[]): Promise<void> {
    await this.query("select gateway.record_actor_use($1)", [credentialHashes]);
  }

  /** The keys whose seals are accepted now, of both environments. */
  signingKeys(): Promise<StoredSigningKey[]> {
    return this.query<StoredSigningKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey", sealed_seed as "sealedSeed", status from gateway.signing_keys()`,
    );
  }

  async readiness(): Promise<Readiness> {
    const [state] = await this.query<Readiness>(
      `select last_migration as "lastMigration", public_url as "publicUrl", has_demo as "hasDemo" from gateway.readiness()`,
    );
    if (state === undefined) throw new Error("gateway.readiness answered no row");
    return state;
  }

  async queueStates(): Promise<QueueStates> {
    const [row] = await this.query<{ states: QueueStates }>("select gateway.queue_states() as states");
    if (row === undefined) throw new Error("gateway.queue_states answered no row");
    return row.states;
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return (await this.#pool.query(text, values)).rows as Row[];
      } catch (error) {
        if (attempt < 5 && isTransient(error)) continue;
        throw decodeDatabaseError(error);
      }
    }
  }
}
