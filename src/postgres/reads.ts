import type pg from "pg";
import { type Origin, originJson } from "./call.ts";
import { isReplaced, isTimeout, isUnknownStatement } from "./errors.ts";
import { KeptStatements } from "./kept-statements.ts";
import { ALONE, KnownReads, type Manner } from "./known-reads.ts";
import { isOfStatement, isUsable, PipelinedReads, type Read, type Statement, statementOf } from "./pipelined-reads.ts";
import { Turns } from "./turns.ts";

/** Most reads in one message. The last read waits for all others, so only quick reads share a message. */
const MOST_TOGETHER = 10;

/** The caller of a read. */
export interface Reader {
  /** SHA-256 of the bearer token; null for a public read. */
  readonly credentialHash: Buffer | null;
  readonly origin: Origin;
  /** Called each time Postgres has accepted the token. */
  admit(): void;
}

/** A statement to read, its caller, and the form of its rows. */
export interface Question {
  /** null for reads of PostGraphile itself. */
  readonly reader: Reader | null;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether rows are arrays. Otherwise rows are objects. */
  readonly arrayMode: boolean;
  /** Starts at 1. A kept plan may be the cause of a failure, so every later attempt is read alone, with a new plan. */
  readonly attempt: number;
}

interface Waiting extends Read, Manner {
  readonly question: Question;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (failure: unknown) => void;
}

/** Begins a read of PostGraphile itself; gateway.enter does the same. `set transaction read only` would warn that there is no transaction block. */
const READ_ONLY = "select set_config('transaction_read_only', 'on', true)";

/**
 * Reads over the connections of a pool. Each read enters as its own caller. One actor gets at most half of the connections at once. A read is sent
 * at once while its actor has a free turn. Quick reads of an actor that wait for a turn share one message: waking Postgres costs more than a quick read.
 */
export class Reads {
  readonly #pool: pg.Pool;
  readonly #turns: Turns;
  /** Reads that wait for a turn, by actor, oldest first. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #kept = new WeakMap<pg.PoolClient, KeptStatements>();
  #known: Promise<KnownReads> | null = null;
  /** False once a pooler has lost a prepared statement. */
  #keeps = true;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#turns = new Turns(Math.floor(pool.options.max / 2));
  }

  /**
   * @param actor key of the caller's turns
   * @throws TypeError for a value other than text, number or buffer; also any failure of the turn, the connection or Postgres
   */
  async read(actor: string, question: Question): Promise<pg.QueryResult> {
    const { text, values, attempt } = question;
    const statement = statementOf(text, values);
    const begin = beginning(question);
    const manner = attempt === 1 ? ((await this.#knownReads())?.mannerOf(text) ?? ALONE) : ALONE;
    return new Promise((resolve, reject) => {
      this.#enqueue(actor, { question, statement, begin, ...manner, resolve, reject });
    });
  }

  #enqueue(actor: string, waiting: Waiting): void {
    const queue = this.#waiting.get(actor) ?? new Set();
    this.#waiting.set(actor, queue.add(waiting));
    const run = async () => {
      // The turn of another read may have taken this read along.
      if (queue.has(waiting)) await this.#run(actor, this.#takeAlong(actor, queue, waiting));
    };
    this.#turns.run(actor, run).catch((error: unknown) => {
      if (!queue.has(waiting)) return;
      this.#take(actor, queue, waiting);
      waiting.reject(error);
    });
  }

  /** The read that has the turn, and quick reads that share its message. */
  #takeAlong(actor: string, queue: Set<Waiting>, first: Waiting): Waiting[] {
    const taken = [first];
    if (first.isQuick)
      for (const each of queue) {
        if (taken.length === MOST_TOGETHER) break;
        if (each !== first && each.isQuick && each.question.arrayMode === first.question.arrayMode) taken.push(each);
      }
    for (const each of taken) this.#take(actor, queue, each);
    return taken;
  }

  #take(actor: string, queue: Set<Waiting>, waiting: Waiting): void {
    queue.delete(waiting);
    if (queue.size === 0) this.#waiting.delete(actor);
  }

  /** Answers each read. The failure of a statement concerns one read only: the reads after it are sent again. */
  async #run(actor: string, reads: readonly Waiting[]): Promise<void> {
    const pipelined = new PipelinedReads(reads, reads[0]?.question.arrayMode ? "array" : undefined);
    const failure = await this.#send(pipelined);
    for (const { question } of reads.slice(0, pipelined.begun))
      if (question.reader?.credentialHash) question.reader.admit();
    // After any other failure no result is complete for certain, such as one with a row that pg could not read.
    const answered = failure === null || isOfStatement(failure) ? pipelined.results : [];
    for (const [place, result] of answered.entries()) reads[place]?.resolve(result);
    const open = reads.slice(answered.length);
    const [failed, ...after] = open;
    if (failed === undefined) return;
    if (!isOfStatement(failure)) {
      for (const { reject } of open) reject(failure ?? new Error("a read without an answer"));
    } else if (isTimeout(failure) && reads.length > 1) {
      // Alone, each read has the whole time of a read, and waits for nobody else's.
      for (const each of open) this.#enqueue(actor, { ...each, isQuick: false });
    } else {
      failed.reject(failure);
      if (after.length > 0) await this.#run(actor, after);
    }
  }

  /** Never throws. @returns the failure; null for success */
  async #send(pipelined: PipelinedReads): Promise<unknown> {
    let connection: pg.PoolClient;
    try {
      connection = await this.#pool.connect();
    } catch (error) {
      return error;
    }
    const kept = this.#keeps ? this.#keptOf(connection) : null;
    const begun = performance.now();
    let failure: unknown = null;
    try {
      await pipelined.run(connection, kept);
    } catch (error) {
      failure = error;
      if (isUnknownStatement(error)) this.#keeps = false;
      if (isReplaced(error)) kept?.clear();
    }
    connection.release(!isUsable(connection, failure));
    await this.#remember(pipelined, performance.now() - begun);
    return failure;
  }

  /** @param milliseconds of the whole message: which of its reads was slow is found out when each is read alone */
  async #remember({ reads, results }: PipelinedReads, milliseconds: number): Promise<void> {
    const known = await this.#knownReads();
    for (const [place, { statement }] of reads.slice(0, results.length + 1).entries()) {
      if (place < results.length) known?.took(statement.text, milliseconds);
      else known?.failed(statement.text);
    }
  }

  /** null if the catalog cannot be read: then the read itself fails with the reason, or the next read succeeds. */
  async #knownReads(): Promise<KnownReads | null> {
    this.#known ??= partitionedViews(this.#pool).then((views) => new KnownReads(views));
    try {
      return await this.#known;
    } catch {
      this.#known = null;
      return null;
    }
  }

  #keptOf(connection: pg.PoolClient): KeptStatements {
    const kept = this.#kept.get(connection) ?? new KeptStatements();
    this.#kept.set(connection, kept);
    return kept;
  }
}

/** The credential is a parameter, never part of the text: every session of the same login sees texts (pg_stat_activity). */
function beginning({ reader }: Question): Statement {
  if (reader === null) return statementOf(READ_ONLY);
  const { credentialHash, origin } = reader;
  return statementOf("select from gateway.enter($1, $2)", [credentialHash, JSON.stringify(originJson(origin))]);
}

/** Views of schema api that read partitioned tables, directly or through other views. */
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
