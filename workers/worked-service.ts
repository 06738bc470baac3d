import type { Logger } from "pino";
import type { MasterKeyring } from "../src/adapters/crypto/master-keyring.ts";
import type { ObjectStore } from "../src/adapters/storage/object-store.ts";
import type { Config } from "../src/config/config.ts";
import type { Jobs } from "../src/postgres/jobs.ts";
import type { OperatedService } from "../src/postgres/operator/operated-service.ts";
import type { ConnectionSettings } from "../src/postgres/pool.ts";
import type { MailKind } from "../src/surfaces/mail/mail-kind.ts";
import type { MeasuredService } from "../src/surfaces/metrics/measured-service.ts";
import type { Metrics } from "../src/surfaces/metrics/metrics.ts";
import type { WorkerTask } from "./task.ts";

/** What workers read of a service. */
export interface WorkedService extends OperatedService, MeasuredService {
  /** Its jobs, by the second part of their names in the queue: `seal_audit` of `platform__seal_audit`. */
  readonly tasks?: Readonly<Record<string, ServiceTask>>;
  /** What runs beside the jobs for as long as a worker runs. */
  readonly beside?: readonly ((context: WorkerContext) => Promise<Beside>)[];
  /**
   * Checks that a worker makes each minute for the record of faults of the page `/status`, by the component in platform.faults. `needs` of the service's pages names
   * the components, too. A check throws, or answers `failed`, when the component fails.
   */
  readonly watched?: (context: WorkerContext) => Promise<Readonly<Record<string, () => Promise<WatchedState>>>>;
  /** Its mails, by the kind in platform.mails. */
  readonly mails?: () => Promise<Readonly<Record<string, MailKind>>>;
}

/** The objects that a worker has when it starts. */
export interface WorkerContext {
  readonly services: readonly WorkedService[];
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
  readonly load: (context: WorkerContext) => Promise<WorkerTask | null>;
  /** When it runs by itself. Absent: it runs only when somebody adds it to the queue. */
  readonly schedule?: Schedule;
}

export interface Schedule {
  /** The five fields of a crontab, in UTC, or a function that reads them from a setting. */
  readonly at: string | ((config: Pick<Config, "of">) => string);
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

/** What a check of {@link WorkedService.watched} found: `part` where some of it works. */
export type WatchedState = "ok" | "part" | "failed";
