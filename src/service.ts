import type { Command } from "commander";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { WorkerTask } from "../workers/task.ts";
import type { MasterKeyring } from "./adapters/crypto/master-keyring.ts";
import type { Config } from "./main/config.ts";
import type { CommandName } from "./postgres/generated/commands.ts";
import type { Jobs } from "./postgres/jobs.ts";
import type { ConnectionSettings } from "./postgres/pool.ts";
import type { RangeCheck } from "./services/platform/range-check.ts";
import type { SealedColumn } from "./services/platform/sealed-column.ts";
import type { GraphqlParts, ResolverClass } from "./surfaces/graphql/context.ts";
import type { Metrics } from "./surfaces/metrics/metrics.ts";
import type { ExampleRequest } from "./surfaces/openapi/examples/example-request.ts";
import type { RestParts } from "./surfaces/rest/handler.ts";
import type { Route } from "./surfaces/rest/route.ts";

/** What every service's handlers and resolvers work with. */
export interface CommonParts extends RestParts, GraphqlParts {}

/**
 * What a service gives the house: data, and functions that import what they need when they are called.
 * `Parts` is what its handlers and resolvers work with. `main/gateway.ts` makes the parts of all services.
 */
export interface Service<Parts = never> {
  /** Its folder, its schema in the database, and the beginning of its jobs' names. */
  readonly name: string;
  /** Its folder of SQL; `sql/<name>` unless given, see `postgres/migrate/sql-source.ts`. */
  readonly sqlFolder?: URL;
  /** Its documented paths, in the order of `/docs`. */
  readonly routes?: readonly Route<Parts>[];
  /** Paths of their own kind, such as a stream, under the same prefix as the routes. */
  readonly ownRoutes?: (app: FastifyInstance, parts: Parts) => Promise<void>;
  /** Classes of TypeGraphQL, for what SQL cannot do. */
  readonly resolvers?: () => Promise<readonly ResolverClass[]>;
  /** The command whose GraphQL mutation takes files, and how long one may be. */
  readonly uploads?: { readonly command: CommandName; readonly mostBytes: (parts: Parts) => number };
  /** Requests whose real answers the documentation shows, in the order in which they are made. */
  readonly examples?: () => Promise<readonly ExampleRequest[]>;
  /** Its columns of secrets: any bytea named sealed_…; a test compares. */
  readonly sealedColumns?: () => Promise<readonly SealedColumn[]>;
  /** What SQL cannot verify of its records, by the walk of the audit that passes them: `proofs` of `signature.audit_walk_proofs`. */
  readonly rangeChecks?: Readonly<Record<string, () => Promise<RangeCheck>>>;
  /** Its words of the command line. */
  readonly commands?: readonly CommandGroup[];
  /** Its jobs, by the second part of their names in the queue: `seal_audit` of `platform__seal_audit`. */
  readonly tasks?: Readonly<Record<string, ServiceTask>>;
  /** What runs as long as a worker does, beside its jobs. */
  readonly beside?: (house: WorkerHouse) => Promise<Beside>;
}

/** What commands are given. */
export interface CommandHouse {
  readonly services: readonly Service[];
}

/** Words of the command line and what stands under them, loaded when one of them is typed. */
export interface CommandGroup {
  /** Each word, with what `selo --help` says of it. */
  readonly words: Readonly<Record<string, string>>;
  /** Adds the commands of these words to a program. */
  readonly load: () => Promise<(program: Command, house: CommandHouse) => void>;
}

/** What a worker has when it starts. */
export interface WorkerHouse {
  readonly services: readonly Service[];
  readonly config: Config;
  readonly connection: ConnectionSettings;
  readonly jobs: Jobs;
  readonly masterKeys: MasterKeyring;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** A job as its service gives it. */
export interface ServiceTask {
  /** Its code, loaded when a worker starts; null where this worker lacks what it needs: its jobs then wait for another. */
  readonly load: (house: WorkerHouse) => Promise<WorkerTask | null>;
  /** When it runs by itself; absent: when somebody adds it to the queue. */
  readonly schedule?: Schedule;
}

export interface Schedule {
  /** Five fields as in a crontab, in UTC; or which setting says them. */
  readonly at: string | ((config: Pick<Config, "auditSealSchedule">) => string);
  /** How often a run is attempted. */
  readonly attempts: number;
}

/** What runs beside the jobs. */
export interface Beside {
  /** Takes nothing new, and finishes what is under way. */
  stop(): Promise<void>;
}
