import { Histogram, type Registry } from "prom-client";
import { REQUEST_BUCKETS } from "../../surfaces/metrics/metrics.ts";

/** Metrics of deliveries. */
export function deliveryMetrics(registers: Registry[]) {
  const attempts = new Histogram({
    name: "selo_webhook_attempt_duration_seconds",
    help: "Histogram of webhook delivery attempts by this process: succeeded, failed.",
    labelNames: ["outcome"],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  return {
    attempted: (outcome: "succeeded" | "failed", seconds: number) => attempts.observe({ outcome }, seconds),
  };
}

export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>;
