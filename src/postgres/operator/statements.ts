import type pg from "pg";
import { decodeDatabaseError } from "../errors.ts";

/** Statements on one connection. Their errors are decoded. */
export class Statements {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  async one<Row>(text: string, values: unknown[] = []): Promise<Row> {
    const [row] = await this.many<Row>(text, values);
    if (row === undefined) throw new Error("the statement answered no row");
    return row;
  }

  async many<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#client.query(text, values)).rows as Row[];
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }
}
