import type { Operation } from "../operation.ts";
import type { RecordedExample } from "./examples/recorded-example.ts";
import type { Introduced } from "./introduced.ts";
import type { Rows } from "./resources.ts";
import type { Formats, Schema } from "./schema.ts";

/** A service's part of the API description beyond its paths. */
export interface ApiDescription extends Introduced {
  /** Headings of `/docs`, with the text below each. */
  readonly tags: Readonly<Record<string, string>>;
  /** Formats of its columns' texts, and of JSON in columns: the names that the tag `@format` may use beside those of `members.ts`. */
  readonly formats?: Formats;
  /** Its values that change each time the same requests are made, by kind: examples are recorded again when anything else changes. The shapes have no named groups. */
  readonly changing?: Readonly<Record<string, RegExp>>;
  /** The service's `ownRoutes` as operations: described here, served there. */
  readonly ownPaths?: readonly Operation[];
  /** The schemas that its routes name in `answers`, and the schemas that these refer to. */
  readonly schemas: (rows: Rows) => Readonly<Record<string, Schema>>;
  /** Deliveries that the service posts to addresses of its callers: `webhooks` of OpenAPI 3.1. */
  readonly webhooks?: (
    read: ReadRows,
    recorded: readonly RecordedExample[],
  ) => Promise<Readonly<Record<string, object>>>;
  /** Parameters that `webhooks` refer to. */
  readonly parameters?: Readonly<Record<string, object>>;
}

/** Reads rows of the database from which the description is generated. */
export type ReadRows = <Row>(query: string) => Promise<Row[]>;
