import type { Statements } from "./statements.ts";

/** The number of secrets of one column under one master key. */
export interface SealedCount {
  /** The table, with its schema. */
  readonly table: string;
  readonly column: string;
  /** Id of the master key: 8 hexadecimal digits. */
  readonly masterKeyId: string;
  readonly count: number;
}

/** Secrets in the database, each encrypted under a master key. Throws AppError as Database does. */
export class SealedValues {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The number of secrets of each sealed column, by master key. */
  async count(): Promise<SealedCount[]> {
    return this.#statements.many<SealedCount>(
      `select table_name as "table", column_name as "column", master_key_id as "masterKeyId", count
       from platform.count_sealed_values()`,
    );
  }

  /** A page of a column's secrets that are encrypted under another master key, each with its row's primary key. */
  list(
    { table, column }: Pick<SealedCount, "table" | "column">,
    masterKeyId: string,
    after: Buffer,
    limit: number,
  ): Promise<{ readonly key: Readonly<Record<string, unknown>>; readonly sealed: Buffer }[]> {
    return this.#statements.many("select key, sealed from platform.list_sealed_values($1, $2, $3, $4, $5)", [
      table,
      column,
      masterKeyId,
      after,
      limit,
    ]);
  }

  /** @returns the number of replaced secrets; secrets that changed meanwhile are not replaced */
  async replace(
    { table, column }: Pick<SealedCount, "table" | "column">,
    again: readonly { readonly old: Buffer; readonly new: Buffer }[],
  ): Promise<number> {
    const { replaced } = await this.#statements.one<{ replaced: number }>(
      "select platform.reencrypt_sealed_values($1, $2, $3, $4) as replaced",
      [table, column, again.map((secret) => secret.old), again.map((secret) => secret.new)],
    );
    return replaced;
  }
}
