import { joined } from "../joined.ts";
import type { MeasuredService } from "./measured-service.ts";
import { Metrics } from "./metrics.ts";

/** The metrics of a process, with the queues of its services. */
export function metricsOf(services: readonly Pick<MeasuredService, "queues">[]): Metrics {
  return new Metrics(
    joined(
      services.map(({ queues = {} }) => queues),
      "a queue",
    ),
  );
}

/** Makes the services' metrics at the start, so that each exists before anything happens. */
export async function loadMetrics(
  services: readonly Pick<MeasuredService, "metrics">[],
  metrics: Metrics,
): Promise<void> {
  for (const service of services) if (service.metrics !== undefined) metrics.of(await service.metrics());
}
