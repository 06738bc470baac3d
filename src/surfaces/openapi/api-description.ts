import type { Operation } from "../operation.ts";
import type { RecordedExample } from "./examples/recorded-example.ts";
import type { Rows } from "./resources.ts";
import type { Schema } from "./schema.ts";

/** What a service says about its part of the API beyond its paths. */
export interface ApiDescription {
  /** Headings of `/docs`, and what stands below each. */
  readonly tags: Readonly<Record<string, string>>;
  /** What texts of its columns look like, and what JSON in them holds: names that the tag `@format` has, beside those of `members.ts`. */
  readonly formats?: Readonly<Record<string, Schema>>;
  /** What `ownRoutes` of the service serve, as operations: they are described, and served there. */
  readonly ownPaths?: readonly Operation[];
  /** The schemas that its routes name in `answers`, and those that these refer to. */
  readonly schemas: (rows: Rows) => Readonly<Record<string, Schema>>;
  /** What the service posts to addresses of its callers: `webhooks` of OpenAPI 3.1. */
  readonly webhooks?: (
    read: ReadRows,
    recorded: readonly RecordedExample[],
  ) => Promise<Readonly<Record<string, object>>>;
  /** Parameters that `webhooks` refers to. */
  readonly parameters?: Readonly<Record<string, object>>;
}

/** Reads rows of the database that the description is generated from. */
export type ReadRows = <Row>(query: string) => Promise<Row[]>;
