import pg from "pg";
import type { KeptStatements } from "./kept-statements.ts";

export interface Statement {
  readonly text: string;
  /** In the form in which they are sent. */
  readonly values: readonly (Buffer | string | null)[];
}

/**
 * @param values null, text or buffers; numbers and booleans are sent as text
 * @throws TypeError for another value
 */
export function statementOf(text: string, values: readonly unknown[] = []): Statement {
  return { text, values: values.map(asParameter) };
}

/** A statement to read, and the statement that enters as its caller. */
export interface Read {
  readonly begin: Statement;
  readonly statement: Statement;
  /** Whether the connection keeps both statements prepared. */
  readonly isKept: boolean;
}

// Members of pg's classes that its types leave out.
declare module "pg" {
  interface ClientBase {
    /** Status in the last answer of Postgres: I is outside of a transaction. */
    getTransactionStatus(): string | null;
  }
  interface Query {
    /** Result of the statement that Postgres is answering. */
    _result: pg.QueryResult;
    callback: (error: Error | null) => void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: pg.Connection): void;
    handleError(error: Error, connection: pg.Connection): void;
  }
}

/**
 * Each of several reads in a message has a second, so that the message ends long before pg's own time limit for it. Otherwise pg would give up the
 * connection while Postgres goes on reading. A time limit that is set in a transaction holds for its next statements.
 */
const TOGETHER_LIMIT = statementOf("select set_config('statement_timeout', '1s', true)");

/**
 * Reads in one message, which Postgres runs as one transaction: all statements up to a Sync are one transaction (PostgreSQL, "Pipelining", 54.2.4).
 * A failed read ends the transaction. The results of the reads before it are valid, since no read writes. The reads after it must be sent again.
 */
export class PipelinedReads extends pg.Query {
  readonly reads: readonly Read[];
  /** Results of the first reads, up to the failed read. */
  readonly results: pg.QueryResult[] = [];
  /** Number of statements that succeeded; each read has two. The statement that sets the time limit does not count. */
  #succeeded: number;
  #kept: KeptStatements | null = null;
  /** Texts of the statements that this message prepares. */
  readonly #new: string[] = [];

  readonly #limit: Statement | null;

  /** @param rowMode of the results */
  constructor(reads: readonly Read[], rowMode: "array" | undefined) {
    super({ text: "", ...(rowMode === undefined ? {} : { rowMode }) });
    this.reads = reads;
    this.#limit = reads.length > 1 ? TOGETHER_LIMIT : null;
    this.#succeeded = this.#limit === null ? 0 : -1;
    // In pg's types it is a field.
    this.submit = (connection) => this.#send(connection);
  }

  /** Number of reads that entered. The last of them may have failed. */
  get begun(): number {
    return Math.max(0, Math.ceil(this.#succeeded / 2));
  }

  /**
   * Sends the reads, once.
   * @param kept the prepared statements of the connection; null to prepare nothing
   * @throws the failure of the read after {@link results}, or of the connection; {@link isUsable} says whether the connection can be used again
   */
  run(connection: pg.ClientBase, kept: KeptStatements | null): Promise<void> {
    this.#kept = kept;
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
      connection.query(this);
    });
  }

  #send(connection: pg.Connection): void {
    // pg makes one write of each protocol message, and each write costs as much as one write of all messages.
    connection.stream.cork();
    try {
      this.#write(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  #write(connection: pg.Connection): void {
    for (const name of this.#kept?.takeDropped() ?? []) connection.close({ type: "S", name }, true);
    if (this.#limit !== null) {
      this.#bind(connection, this.#limit, this.#kept);
      connection.execute(null, true);
    }
    for (const { begin, statement, isKept } of this.reads) {
      const kept = isKept ? this.#kept : null;
      this.#bind(connection, begin, kept);
      connection.execute(null, true);
      this.#bind(connection, statement, kept);
      connection.describe({ type: "P", name: "" }, true);
      connection.execute(null, true);
    }
    connection.sync();
  }

  #bind(connection: pg.Connection, { text, values }: Statement, kept: KeptStatements | null): void {
    const { name, isNew } = kept?.named(text) ?? { name: "", isNew: true };
    if (isNew) {
      connection.parse({ name, text, types: [] }, true);
      this.#new.push(text);
    }
    connection.bind({ statement: name, values: [...values] }, true);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isReading) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isReading) {
      super.handleCommandComplete(message, connection);
      this.results.push(this._result);
    }
    this.#succeeded++;
  }

  override handleError(error: Error, connection: pg.Connection): void {
    // Postgres did not prepare the statements after the failure.
    for (const text of this.#new) this.#kept?.drop(text);
    super.handleError(error, connection);
  }

  /** Whether Postgres is answering the statement of a read; the statement before it entered. */
  get #isReading(): boolean {
    return this.#succeeded % 2 === 1;
  }
}

/**
 * Whether a connection can be used after reads. It cannot if it was lost, if Postgres gave it up (severity FATAL or PANIC), or if it is still in a transaction.
 * @param failure of the reads; null for success
 */
export function isUsable(connection: pg.ClientBase, failure: unknown): boolean {
  return failure === null ? connection.getTransactionStatus() === "I" : isOfStatement(failure);
}

/** Whether a failure concerns one statement only, so that the connection can take others. */
export function isOfStatement(failure: unknown): boolean {
  return failure instanceof pg.DatabaseError && failure.severity === "ERROR";
}

function asParameter(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (typeof value === "object") throw new TypeError("a parameter of a statement must be text, a number or a buffer");
  return String(value);
}
