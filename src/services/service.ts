import type { Command } from "commander";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { z } from "zod";
import type { WorkerTask } from "../../workers/task.ts";
import type { MasterKeyring } from "../adapters/crypto/master-keyring.ts";
import type { ObjectStore } from "../adapters/storage/object-store.ts";
import type { Config } from "../config/config.ts";
import type { AuditFault, AuditLane, AuditRange } from "../postgres/audit-reader.ts";
import type { AddedCommand } from "../postgres/command.ts";
import type { Jobs } from "../postgres/jobs.ts";
import type { Operator } from "../postgres/operator/operator.ts";
import type { ConnectionSettings } from "../postgres/pool.ts";
import type { GraphqlParts } from "../surfaces/graphql/context.ts";
import type { HttpTimeouts } from "../surfaces/http/server.ts";
import type { AnswerPatience } from "../surfaces/http/stalled-reader.ts";
import type { MakeMetrics, Metrics } from "../surfaces/metrics/metrics.ts";
import type { QueueGauges } from "../surfaces/metrics/queue-metrics.ts";
import type { ApiDescription } from "../surfaces/openapi/api-description.ts";
import type { ExampleRequest } from "../surfaces/openapi/examples/example-request.ts";
import type { Operation } from "../surfaces/operation.ts";
import type { RestParts } from "../surfaces/rest/request.ts";
import type { RestSurface } from "../surfaces/rest/surface.ts";
import type { ServicePages } from "../surfaces/web/service-pages.ts";
import type { PlatformSigners } from "./platform/keys/platform-signers.ts";
import type { MailKind } from "./platform/mails/mail-kind.ts";

/** The objects that every service's operations work with. */
export interface CommonParts extends RestParts, GraphqlParts {
  /** The platform's keys, which seal evidence. */
  readonly signers: PlatformSigners;
  /** Encrypts and decrypts a service's own secrets. */
  readonly masterKeys: MasterKeyring;
  /** Content that is kept outside the database, encrypted; see `adapters/storage/README.md`. */
  readonly objects: ObjectStore;
}

/** States of parts of a deployment, by the names of the parts. */
export type PartStates = Readonly<Record<string, string | readonly string[]>>;

/** What a check of {@link Service.watched} found: `part` where some of it works. */
export type WatchedState = "ok" | "part" | "failed";

/** A service's own objects beyond {@link CommonParts}. */
export type Own<Parts extends CommonParts> = Omit<Parts, keyof CommonParts>;

/** The objects that a gateway has when it starts. */
export interface GatewayHouse {
  readonly config: Config;
  readonly timeouts: HttpTimeouts;
  /** How long files that are answered wait for their readers and sources. */
  readonly patience: AnswerPatience;
  readonly log: Logger;
  /** Registers a function that runs after the gateway has stopped. */
  readonly onClose: (close: () => Promise<void>) => void;
}

/**
 * The definition of a service: data, and functions that import files when they are called.
 * `Parts` is the type of the objects that its operations work with.
 */
export interface Service<Parts = never> {
  /** The name of its folder and of its schema in the database, and the beginning of its jobs' names. */
  readonly name: string;
  /** Only for a service outside `sql/`: its commands, generated beside it. */
  readonly addedCommands?: Readonly<Record<string, AddedCommand>>;
  /** Makes its own parts when a gateway starts. */
  readonly parts?: (common: CommonParts, house: GatewayHouse) => Promise<object>;
  /** The folder of its SQL; `sql/<name>` by default, see `postgres/migrate/sql-source.ts`. */
  readonly sqlFolder?: URL;
  /** Its operations, in the order of `/docs`. */
  readonly operations?: readonly Operation<Parts>[];
  /** Paths that are no ordinary operations, such as a stream, below the prefix of their surface. */
  readonly ownRoutes?: readonly ((app: FastifyInstance, parts: Parts) => Promise<void>)[];
  /** The surface of `ownRoutes`; the main surface by default. */
  readonly ownRoutesSurface?: RestSurface;
  /** Its part of the API description beyond paths. */
  readonly openapi?: () => Promise<ApiDescription>;
  /** What pages know of it. */
  readonly pages?: () => Promise<ServicePages>;
  /** Requests whose real answers the documentation shows, in the order in which they run. */
  readonly examples?: () => Promise<readonly ExampleRequest[]>;
  /** What a caller can do about each error code that its migrations register, for /guides/errors; CommonMark. */
  readonly errorHelp?: () => Promise<Readonly<Record<string, string>>>;
  /** Its mails, by the kind in platform.mails. */
  readonly mails?: () => Promise<Readonly<Record<string, MailKind>>>;
  /** Its metrics of every process. */
  readonly metrics?: () => Promise<MakeMetrics<unknown>>;
  /**
   * States of its parts that `/readyz` says beside the checks, by name; a list where there are several of a kind. The gateway works without these parts, so no
   * state of theirs makes it not ready.
   */
  readonly partStates?: (config: Config, parts: Parts) => Promise<PartStates>;
  /**
   * Checks that a worker makes each minute for the record of faults of the page `/status`, by the component in platform.faults. A check throws, or answers `failed`,
   * when the component fails.
   */
  readonly watched?: (house: WorkerHouse) => Promise<Readonly<Record<string, () => Promise<WatchedState>>>>;
  /** Its queues that `/metrics` shows, by their members in platform.queue_states. */
  readonly queues?: Readonly<Record<string, QueueGauges>>;
  /** Its columns of encrypted secrets: every bytea named sealed_…; a test compares the list with the database. */
  readonly sealedColumns?: () => Promise<readonly SealedColumn[]>;
  /** Checks of its records that SQL cannot make, by the audit walk that passes the records: `proofs` of `signature.audit_walk_proofs`. */
  readonly rangeChecks?: Readonly<Record<string, CountedCheck>>;
  /** Its commands of the command line. */
  readonly commands?: readonly CommandGroup[];
  /** Its environment variables, each made by `setting()`. */
  readonly settings?: z.ZodObject;
  /** Its jobs, by the second part of their names in the queue: `seal_audit` of `platform__seal_audit`. */
  readonly tasks?: Readonly<Record<string, ServiceTask>>;
  /**
   * Makes its derived schemas again from the others, when a backup was restored: a backup holds none of them. Can run again after a crash.
   * Answers lines for people: what it could not make. The keys are null if no master key is configured.
   */
  readonly rebuild?: (operator: Operator, masterKeys: MasterKeyring | null) => Promise<readonly string[]>;
  /** What `npm start` makes for the demo organization, by its member of demo.json: a credential of the service. */
  readonly demo?: Readonly<Record<string, (operator: Operator, organizationId: string) => Promise<string>>>;
  /** Programs that `npm start` runs beside everything, such as a server of another protocol. */
  readonly companions?: readonly ((house: CompanionHouse) => Promise<Companion>)[];
  /** What runs beside the jobs for as long as a worker runs. */
  readonly beside?: readonly ((house: WorkerHouse) => Promise<Beside>)[];
}

/** The objects that commands get. */
export interface CommandHouse {
  readonly services: readonly Service[];
  /** Reads the environment. */
  readonly config: () => Config;
  /** The same for a process without the database's secrets and without documents, such as a nameserver: production does not demand them of it. */
  readonly configApart: () => Config;
  /** Makes the metrics of a process, and serves them on METRICS_PORT as a worker does. */
  readonly serveMetrics: (config: Config) => Promise<{ readonly metrics: Metrics; close(): Promise<void> }>;
  /** @throws ConfigError if there is no master key */
  readonly masterKeys: () => Promise<MasterKeyring>;
  /** The address of a service's own login in the embedded Postgres, if that runs; null for a configured database. */
  readonly loginUrl: (login: string) => Promise<string | null>;
  /** Runs work on the configured database with the rights of the deployment's operator. */
  readonly withOperator: <Result>(work: (operator: Operator) => Promise<Result>) => Promise<Result>;
}

/** The objects that a companion has when `npm start` runs it. */
export interface CompanionHouse {
  readonly config: Config;
  /** The address of a service's own login; null unless the database is the embedded one. */
  readonly loginUrl: ((login: string) => string) | null;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Writes a member of demo.json, such as an address; null if the program does not run. Does nothing in production. */
  readonly tellDemo: (member: string, value: string | null) => void;
}

/** A program beside `npm start`. Its start does not fail, because everything else runs without it: it logs why it does not run, and tries again. */
export interface Companion extends Beside {
  /** The line in the terminal: what it is, and its address or what is missing. */
  readonly line: readonly [name: string, says: string];
}

/** Commands of the command line, loaded when one of their words is typed. */
export interface CommandGroup {
  /** Each word, with its description in `selo --help`. */
  readonly words: Readonly<Record<string, string>>;
  /** Adds the commands of these words to a program. */
  readonly load: () => Promise<(program: Command, house: CommandHouse) => void>;
}

/** The objects that a worker has when it starts. */
export interface WorkerHouse {
  readonly services: readonly Service[];
  readonly config: Config;
  readonly connection: ConnectionSettings;
  readonly jobs: Jobs;
  readonly masterKeys: MasterKeyring;
  readonly objects: ObjectStore;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Registers a function that runs when the jobs under way have ended. */
  readonly onClose: (close: () => Promise<void>) => void;
}

/** A job as its service defines it. */
export interface ServiceTask {
  /** Loads its code when a worker starts. Null if this worker lacks something that the job needs: the job then waits for another worker. */
  readonly load: (house: WorkerHouse) => Promise<WorkerTask | null>;
  /** When it runs by itself. Absent: it runs only when somebody adds it to the queue. */
  readonly schedule?: Schedule;
}

export interface Schedule {
  /** The five fields of a crontab, in UTC, or a function that reads them from a setting. */
  readonly at: string | ((config: Pick<Config, "auditSealSchedule">) => string);
  /** The most attempts of a run. */
  readonly attempts: number;
  /** A lower number goes before all other jobs that wait; 0 by default. */
  readonly priority?: number;
}

/** Work that runs beside the jobs. */
export interface Beside {
  /** Begins nothing new, and finishes the work under way. */
  stop(): Promise<void>;
}

/** A column of secrets that are encrypted under a master key. `selo keys reencrypt` works through the columns of all services. */
export interface SealedColumn {
  /** The table, with its schema. */
  readonly table: string;
  readonly column: string;
  /** The purpose that a row's value is encrypted for, made from the members of the row's primary key. */
  readonly purpose: (key: Readonly<Record<string, unknown>>) => string;
}

/** Options of a range check. */
export interface RangeCheckOptions {
  /** Number of a seal: records that it covers are left out; 0 leaves nothing out. */
  readonly since: number;
  /** Public keys by their names. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly onFault: (fault: AuditFault) => void;
  /** Called for each signature whose key is not in `keys`. */
  readonly onUnknownKey: (keyId: string) => void;
}

/** A range check, and the word under which `selo audit verify` counts the records that it verifies. */
export interface CountedCheck {
  /** Plural, with underscores: `signed_records`. A member of the JSON that the command prints. */
  readonly counts: string;
  readonly load: () => Promise<RangeCheck>;
}

/** Checks what SQL cannot check in a range that a walk passed: signatures. Returns the number of records it verified. */
export type RangeCheck = (lane: AuditLane, range: AuditRange, options: RangeCheckOptions) => Promise<number>;
