import pg from "pg";
import type { KeptStatements } from "./kept-statements.ts";

export interface Statement {
  readonly text: string;
  /** As they are sent. */
  readonly values: readonly (Buffer | string | null)[];
}

/**
 * @param values null, text, or a buffer; numbers and booleans as their text
 * @throws TypeError for another value
 */
export function statementOf(text: string, values: readonly unknown[] = []): Statement {
  return { text, values: values.map(asParameter) };
}

/** What is read, and the statement that says who reads it. */
export interface Read {
  readonly begin: Statement;
  readonly statement: Statement;
  /** Whether the connection keeps both prepared. */
  readonly isKept: boolean;
}

// Members of pg's classes that its types leave out.
declare module "pg" {
  interface ClientBase {
    /** Of the last answer: I outside of a transaction. */
    getTransactionStatus(): string | null;
  }
  interface Query {
    /** Of the statement that is being answered. */
    _result: pg.QueryResult;
    callback: (error: Error | null) => void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: pg.Connection): void;
    handleError(error: Error, connection: pg.Connection): void;
  }
}

/**
 * Reads that Postgres gets in one piece and runs as one transaction: all statements up to a Sync are one (PostgreSQL, "Pipelining", 54.2.4).
 * A read that fails ends the transaction. The results of those before it are good, since nothing is written; those after it have to be sent again.
 */
export class PipelinedReads extends pg.Query {
  readonly reads: readonly Read[];
  /** Of the reads that succeeded: the first ones. */
  readonly results: pg.QueryResult[] = [];
  /** Of the statements, two for each read. */
  #succeeded = 0;
  #kept: KeptStatements | null = null;
  /** Texts of the statements that this message prepares. */
  readonly #new: string[] = [];

  /** @param rowMode of the results */
  constructor(reads: readonly Read[], rowMode: "array" | undefined) {
    super({ text: "", ...(rowMode === undefined ? {} : { rowMode }) });
    this.reads = reads;
    // In pg's types it is a field.
    this.submit = (connection) => this.#send(connection);
  }

  /** How many reads have begun. The last of them may have failed. */
  get begun(): number {
    return Math.ceil(this.#succeeded / 2);
  }

  /**
   * Runs them, once.
   * @param kept what the connection keeps prepared; null to keep nothing
   * @throws the failure of the read after {@link results}, or of the connection; {@link isUsable} says whether it can be used again
   */
  run(connection: pg.ClientBase, kept: KeptStatements | null): Promise<void> {
    this.#kept = kept;
    return new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve());
      connection.query(this);
    });
  }

  #send(connection: pg.Connection): void {
    // pg makes one write of each message, and each costs as much as all of them.
    connection.stream.cork();
    try {
      this.#write(connection);
    } finally {
      connection.stream.uncork();
    }
  }

  #write(connection: pg.Connection): void {
    for (const name of this.#kept?.takeDropped() ?? []) connection.close({ type: "S", name }, true);
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
    // What follows a failure was not prepared.
    for (const text of this.#new) this.#kept?.drop(text);
    super.handleError(error, connection);
  }

  /** Whether the statement that is being answered reads; the one before it began the read. */
  get #isReading(): boolean {
    return this.#succeeded % 2 === 1;
  }
}

/**
 * Whether a connection can be used after reads: it can unless it was lost, given up by Postgres (a severity of FATAL or PANIC), or left in a transaction.
 * @param failure of the reads; null after a success
 */
export function isUsable(connection: pg.ClientBase, failure: unknown): boolean {
  return failure === null ? connection.getTransactionStatus() === "I" : isOfStatement(failure);
}

/** Whether a failure is that of one statement, after which the connection takes others. */
export function isOfStatement(failure: unknown): boolean {
  return failure instanceof pg.DatabaseError && failure.severity === "ERROR";
}

function asParameter(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (typeof value === "object") throw new TypeError("a parameter of a statement must be text, a number or a buffer");
  return String(value);
}
