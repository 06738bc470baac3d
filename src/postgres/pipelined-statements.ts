import pg from "pg";
import type { KeptStatements } from "./kept-statements.ts";

export interface Statement {
  readonly text: string;
  /** null, text, or a buffer; anything else as its text. */
  readonly values?: readonly unknown[];
}

// Members of pg's classes that its types leave out.
declare module "pg" {
  interface ClientBase {
    /** Of the last answer: I outside of a transaction. */
    getTransactionStatus(): string | null;
  }
  interface Query {
    callback: (error: Error | null, result: pg.QueryResult) => void;
    handleDataRow(message: unknown): void;
    handleCommandComplete(message: unknown, connection: pg.Connection): void;
    handleError(error: Error, connection: pg.Connection): void;
  }
}

/**
 * Statements that Postgres gets in one piece and runs as one transaction: all up to a Sync are one (PostgreSQL, "Pipelining", 54.2.4). What fails
 * fails the rest, and nothing of it stays. The result is that of the last one.
 */
export class PipelinedStatements extends pg.Query {
  /** How many have succeeded. */
  succeeded = 0;
  readonly statements: readonly { readonly text: string; readonly values: (Buffer | string | null)[] }[];
  #kept: KeptStatements | null = null;
  /** Those that are prepared on the way. */
  readonly #new: string[] = [];

  /** @param rowMode of the result */
  constructor(statements: readonly Statement[], rowMode: "array" | undefined) {
    super({ text: "", ...(rowMode === undefined ? {} : { rowMode }) });
    this.statements = statements.map(({ text, values = [] }) => ({ text, values: values.map(asParameter) }));
    // In pg's types it is a field.
    this.submit = (connection) => this.#send(connection);
  }

  /**
   * Runs them, once.
   * @param kept the statements that the connection keeps prepared, these from now on among them; null to keep none of these
   * @throws what failed; {@link isUsable} says whether the connection can be used again
   */
  run(connection: pg.ClientBase, kept: KeptStatements | null): Promise<pg.QueryResult> {
    this.#kept = kept;
    return new Promise((resolve, reject) => {
      this.callback = (error, result) => (error ? reject(error) : resolve(result));
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
    for (const [place, { text, values }] of this.statements.entries()) {
      const { name, isNew } = this.#kept?.named(text) ?? { name: "", isNew: true };
      if (isNew) {
        connection.parse({ name, text, types: [] }, true);
        this.#new.push(text);
      }
      connection.bind({ statement: name, values }, true);
      if (this.#isLast(place)) connection.describe({ type: "P", name: "" }, true);
      connection.execute(null, true);
    }
    connection.sync();
  }

  override handleDataRow(message: unknown): void {
    if (this.#isLast(this.succeeded)) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isLast(this.succeeded)) super.handleCommandComplete(message, connection);
    this.succeeded++;
  }

  override handleError(error: Error, connection: pg.Connection): void {
    // What follows a failure was not prepared.
    for (const text of this.#new) this.#kept?.drop(text);
    super.handleError(error, connection);
  }

  #isLast(place: number): boolean {
    return place === this.statements.length - 1;
  }
}

/**
 * Whether a connection can be used after statements: it can unless it was lost, given up by Postgres (a severity of FATAL or PANIC), or left in a transaction.
 * @param failure of the statements; null after a success
 */
export function isUsable(connection: pg.ClientBase, failure: unknown): boolean {
  if (failure === null) return connection.getTransactionStatus() === "I";
  return failure instanceof pg.DatabaseError && failure.severity === "ERROR";
}

function asParameter(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (typeof value === "object") throw new TypeError("a parameter of a statement must be text, a number or a buffer");
  return String(value);
}
