import type { Logger } from "pino";
import type { MasterKeyring } from "../src/adapters/crypto/master-keyring.ts";
import type { AuditReader } from "../src/postgres/audit-reader.ts";
import type { Jobs } from "../src/postgres/jobs.ts";

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
