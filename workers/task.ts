import type { Logger } from "pino";
import type { MasterKeyring } from "../src/adapters/crypto/master-keyring.ts";
import type { Config } from "../src/main/config.ts";
import type { AuditReader } from "../src/postgres/audit-reader.ts";
import type { Jobs } from "../src/postgres/jobs.ts";
import type { ConnectionSettings } from "../src/postgres/pool.ts";
import type { Metrics } from "../src/surfaces/metrics/metrics.ts";

/** What a task works with. */
export interface TaskContext {
  readonly jobs: Jobs;
  /** For a verification of the audit trail; close it when done. */
  readonly openAudit: () => Promise<AuditReader>;
  readonly masterKeys: MasterKeyring;
  readonly log: Logger;
  /** Aborted when the worker is to stop: long tasks end then, and run again. */
  readonly stopping: AbortSignal;
}

/** A job: parses its payload, reads state again, may run twice, ends quietly when there is nothing left to do. */
export type WorkerTask = (payload: unknown, context: TaskContext) => Promise<void>;

/** What a worker has when it starts. */
export interface WorkerHouse {
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
