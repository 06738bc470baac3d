import type { QueueStates } from "../queue-states.ts";
import type { Statements } from "./statements.ts";

/** A job without attempts left. */
export interface FailedJob {
  readonly id: number;
  readonly task: string;
  readonly attempts: number;
  /** The message of the last error, on one line. */
  readonly error: string | null;
  readonly created_at: Date;
  readonly failed_at: Date;
}

/** The worker's jobs, and its failed jobs. Throws AppError as Database does. */
export class JobQueue {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async states(): Promise<QueueStates> {
    return (await this.#statements.one<{ states: QueueStates }>("select platform.queue_states() as states")).states;
  }

  /** Jobs without attempts left. */
  failed(): Promise<FailedJob[]> {
    return this.#statements.many<FailedJob>(
      "select id, task, attempts, error, created_at, failed_at from platform.failed_jobs()",
    );
  }

  /** @param ids null for all failed jobs; @returns the jobs that will run again */
  retry(ids: readonly number[] | null): Promise<Pick<FailedJob, "id" | "task">[]> {
    return this.#statements.many("select id, task from platform.retry_jobs($1)", [ids]);
  }
}
