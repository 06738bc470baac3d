import type { Logger } from "pino";
import type { MasterKeyring } from "../src/adapters/crypto/master-keyring.ts";
import type { AuditReader } from "../src/postgres/audit-reader.ts";
import type { Jobs } from "../src/postgres/jobs.ts";

/** The objects that a task works with. */
export interface TaskContext {
  readonly jobs: Jobs;
  /** Opens a reader for a verification of the audit trail; close it when done. */
  readonly openAudit: () => Promise<AuditReader>;
  readonly masterKeys: MasterKeyring;
  readonly log: Logger;
  /** Whether no attempt follows by itself when this one fails. */
  readonly isLastAttempt: boolean;
  /** Aborted when the worker stops. Long tasks end then, and run again later. */
  readonly stopping: AbortSignal;
}

/** A job. It parses its payload, reads the state again, may run twice, and ends quietly if nothing is left to do. */
export type WorkerTask = (payload: unknown, context: TaskContext) => Promise<void>;
