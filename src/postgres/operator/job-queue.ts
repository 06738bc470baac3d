import type { QueueStates } from "../queue-states.ts";
import type { Statements } from "./statements.ts";

/** A job whose attempts are used up. */
export interface FailedJob {
  readonly id: number;
  readonly task: string;
  readonly attempts: number;
  /** The words of the last error, on one line. */
  readonly error: string | null;
  readonly created_at: Date;
  readonly failed_at: Date;
}

/** What the worker has to do, and what it could not. Throws AppError as Database does. */
export class JobQueue {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async states(): Promise<QueueStates> {
    return (await this.#statements.one<{ states: QueueStates }>("select platform.queue_states() as states")).states;
  }

  /** Jobs whose attempts are used up. */
  failed(): Promise<FailedJob[]> {
    return this.#statements.many<FailedJob>(
      "select id, task, attempts, error, created_at, failed_at from platform.failed_jobs()",
    );
  }

  /** @param ids null for all that failed; @returns those that will run again */
  retry(ids: readonly number[] | null): Promise<Pick<FailedJob, "id" | "task">[]> {
    return this.#statements.many("select id, task from platform.retry_jobs($1)", [ids]);
  }
}
