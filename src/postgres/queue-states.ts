/** What waits in Postgres, see platform.queue_states_of_all. */
export interface QueueStates {
  readonly jobs: readonly {
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
  }[];
  /** Proofs on their way through the second verification. */
  readonly unverified_proofs: {
    readonly waiting: number;
    readonly failed: number;
    readonly oldest_seconds: number | null;
  };
  /** Deliveries of webhooks; each counted up to 10,000. */
  readonly webhook_deliveries: {
    readonly waiting: number;
    readonly leased: number;
    readonly scheduled: number;
    readonly oldest_seconds: number | null;
  };
}
