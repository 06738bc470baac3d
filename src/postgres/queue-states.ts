/** How much of a queue is in which state, and how long the oldest waiting one has been due; null when none waits. */
export interface QueueState {
  readonly [state: string]: number | null;
  readonly oldest_seconds: number | null;
}

/** What waits in Postgres, see platform.queue_states_of_all: jobs, and by its name each queue of a service. */
export interface QueueStates {
  readonly [queue: string]: QueueState | readonly JobStates[];
  readonly jobs: readonly JobStates[];
}

interface JobStates {
  readonly task: string;
  /** Due, and no worker has taken it yet. */
  readonly waiting: number;
  /** Due later: attempts after a failed one as well. */
  readonly scheduled: number;
  readonly running: number;
  /** Out of attempts. */
  readonly failed: number;
  /** How long the oldest waiting one has been due; null when none waits. */
  readonly oldest_seconds: number | null;
}
