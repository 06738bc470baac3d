import type { Logger } from "pino";
import type { Nameservers } from "../../../adapters/nameserver/nameservers.ts";
import type { Config } from "../../../config/config.ts";
import type { Metrics } from "../../../surfaces/metrics/metrics.ts";
import { dnsMetrics } from "../metrics.ts";
import { nameserversOf } from "./flush-zone.ts";

/** What nameservers need of the worker that they belong to. */
interface OfWorker {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly onClose: (close: () => Promise<void>) => void;
}

const known = new WeakMap<OfWorker, Nameservers>();

/** The nameservers that the jobs of a worker tell of changes, which it stops when it ends. One for all of its jobs, so that all know which one is late. */
export function workerNameservers(worker: OfWorker): Nameservers {
  const { config, log, metrics, onClose } = worker;
  const before = known.get(worker);
  if (before !== undefined) return before;
  const nameservers = nameserversOf(config, (message) => log.warn(message));
  const unwatch = metrics.of(dnsMetrics).watchNameservers(nameservers);
  onClose(async () => {
    unwatch();
    await nameservers.stop();
  });
  known.set(worker, nameservers);
  return nameservers;
}
