import type { MakeMetrics } from "./metrics.ts";
import type { QueueGauges } from "./queue-metrics.ts";

/** What `/metrics` reads of a service, in every process. */
export interface MeasuredService {
  /** Its metrics of every process. */
  readonly metrics?: () => Promise<MakeMetrics<unknown>>;
  /** Its queues, by their members in platform.queue_states. */
  readonly queues?: Readonly<Record<string, QueueGauges>>;
}
