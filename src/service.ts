import type { Command } from "commander";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { z } from "zod";
import type { WorkerTask } from "../workers/task.ts";
import type { MasterKeyring } from "./adapters/crypto/master-keyring.ts";
import type { Config } from "./config.ts";
import type { AuditFault, AuditLane, AuditRange } from "./postgres/audit-reader.ts";
import type { AddedCommand } from "./postgres/command.ts";
import type { Jobs } from "./postgres/jobs.ts";
import type { Operator } from "./postgres/operator/operator.ts";
import type { ConnectionSettings } from "./postgres/pool.ts";
import type { MailKind } from "./services/platform/mails/mail-kind.ts";
import type { PlatformSigners } from "./services/platform/operations/platform-signers.ts";
import type { GraphqlParts } from "./surfaces/graphql/context.ts";
import type { HttpTimeouts } from "./surfaces/http/server.ts";
import type { MakeMetrics, Metrics } from "./surfaces/metrics/metrics.ts";
import type { QueueGauges } from "./surfaces/metrics/queue-metrics.ts";
import type { ApiDescription } from "./surfaces/openapi/api-description.ts";
import type { ExampleRequest } from "./surfaces/openapi/examples/example-request.ts";
import type { Operation } from "./surfaces/operation.ts";
import type { RestParts } from "./surfaces/rest/request.ts";
import type { RestSurface } from "./surfaces/rest/surface.ts";

/** What every service's operations work with. */
export interface CommonParts extends RestParts, GraphqlParts {
  /** The platform's keys, to seal evidence with. */
  readonly signers: PlatformSigners;
  /** To seal and open a service's own secrets. */
  readonly masterKeys: MasterKeyring;
}

/** What a service's own operations work with beyond {@link CommonParts}. */
export type Own<Parts extends CommonParts> = Omit<Parts, keyof CommonParts>;

/** What a gateway has when it starts. */
export interface GatewayHouse {
  readonly config: Config;
  readonly timeouts: HttpTimeouts;
  /** Registers what is to be done when the gateway has stopped. */
  readonly onClose: (close: () => Promise<void>) => void;
}

/**
 * What a service gives the house: data, and functions that import what they need when they are called.
 * `Parts` is what its operations work with.
 */
export interface Service<Parts = never> {
  /** Its folder, its schema in the database, and the beginning of its jobs' names. */
  readonly name: string;
  /** Of a service outside `sql/`: its commands, generated beside it. */
  readonly addedCommands?: Readonly<Record<string, AddedCommand>>;
  /** Makes its own parts, when a gateway starts. */
  readonly parts?: (common: CommonParts, house: GatewayHouse) => Promise<object>;
  /** Its folder of SQL; `sql/<name>` unless given, see `postgres/migrate/sql-source.ts`. */
  readonly sqlFolder?: URL;
  /** What it can be asked, in the order of `/docs`. */
  readonly operations?: readonly Operation<Parts>[];
  /** Paths of their own kind, such as a stream, below the prefix of their surface. */
  readonly ownRoutes?: readonly ((app: FastifyInstance, parts: Parts) => Promise<void>)[];
  /** The surface those belong to; the main one where it is absent. */
  readonly ownRoutesSurface?: RestSurface;
  /** What the description of the API says of it beyond its paths. */
  readonly openapi?: () => Promise<ApiDescription>;
  /** Requests whose real answers the documentation shows, in the order in which they are made. */
  readonly examples?: () => Promise<readonly ExampleRequest[]>;
  /** What a caller does about each error code that its migrations register, for /guides/errors; CommonMark. */
  readonly errorHelp?: () => Promise<Readonly<Record<string, string>>>;
  /** Its mails, by the kind that their rows in platform.mails name. */
  readonly mails?: () => Promise<Readonly<Record<string, MailKind>>>;
  /** What it counts in every process. */
  readonly metrics?: () => Promise<MakeMetrics<unknown>>;
  /** Its queues that `/metrics` shows, by their members of platform.queue_states. */
  readonly queues?: Readonly<Record<string, QueueGauges>>;
  /** Its columns of secrets: any bytea named sealed_…; a test compares. */
  readonly sealedColumns?: () => Promise<readonly SealedColumn[]>;
  /** What SQL cannot verify of its records, by the walk of the audit that passes them: `proofs` of `signature.audit_walk_proofs`. */
  readonly rangeChecks?: Readonly<Record<string, () => Promise<RangeCheck>>>;
  /** Its words of the command line. */
  readonly commands?: readonly CommandGroup[];
  /** Its variables of the environment, each made by `setting()`. */
  readonly settings?: z.ZodObject;
  /** Its jobs, by the second part of their names in the queue: `seal_audit` of `platform__seal_audit`. */
  readonly tasks?: Readonly<Record<string, ServiceTask>>;
  /** What runs as long as a worker does, beside its jobs. */
  readonly beside?: readonly ((house: WorkerHouse) => Promise<Beside>)[];
}

/** What commands are given. */
export interface CommandHouse {
  readonly services: readonly Service[];
  /** Reads the environment. */
  readonly config: () => Config;
  /** @throws ConfigError without a master key */
  readonly masterKeys: () => Promise<MasterKeyring>;
  /** Runs work on the configured database, as the operator of the deployment. */
  readonly withOperator: <Result>(work: (operator: Operator) => Promise<Result>) => Promise<Result>;
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

/** A column of secrets that are encrypted under a master key; `selo keys reencrypt` works through those of all services. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** What the value of a row is sealed for, from the members of the row's primary key. */
  readonly purpose: (key: Readonly<Record<string, unknown>>) => string;
}

/** What a check of ranges is told. */
export interface RangeCheckOptions {
  /** Number of a seal: what it covers is left out; 0 for nothing. */
  readonly since: number;
  /** Public keys by their names. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly onFault: (fault: AuditFault) => void;
  /** Called for each signature whose key is not among them. */
  readonly onUnknownKey: (keyId: string) => void;
}

/** What SQL cannot verify of a range that a walk passed: signatures. Answers how many records it verified. */
export type RangeCheck = (lane: AuditLane, range: AuditRange, options: RangeCheckOptions) => Promise<number>;
