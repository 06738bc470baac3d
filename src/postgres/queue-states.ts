/** The number of items in each state, and how long the oldest waiting item has been due; null if none waits. */
export interface QueueState {
  readonly [state: string]: number | null;
  readonly oldest_seconds: number | null;
}

/** The queues in Postgres, see platform.queue_states_of_all: jobs, and each queue of a service by name. */
export interface QueueStates {
  readonly [queue: string]: QueueState | readonly JobStates[];
  readonly jobs: readonly JobStates[];
}

interface JobStates {
  readonly task: string;
  /** Due items that no worker has taken yet. */
  readonly waiting: number;
  /** Items due later, retries included. */
  readonly scheduled: number;
  readonly running: number;
  /** Items without attempts left. */
  readonly failed: number;
  /** How long the oldest waiting item has been due, in seconds; null if none waits. */
  readonly oldest_seconds: number | null;
}
