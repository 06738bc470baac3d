import type { Logger } from "pino";
import type { Jobs } from "../src/db/jobs.ts";

/** What a task works with. */
export interface TaskContext {
  readonly jobs: Jobs;
  readonly masterKey: Buffer;
  readonly log: Logger;
}

/** A job: parses its payload, reads state again, may run twice, ends quietly when there is nothing left to do. */
export type WorkerTask = (payload: unknown, context: TaskContext) => Promise<void>;
