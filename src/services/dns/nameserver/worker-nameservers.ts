import type { Nameservers } from "../../../adapters/nameserver/nameservers.ts";
import type { WorkerHouse } from "../../service.ts";
import { dnsMetrics } from "../metrics.ts";
import { nameserversOf } from "./flush-zone.ts";

const known = new WeakMap<WorkerHouse, Nameservers>();

/** The nameservers that the jobs of a worker tell of changes, which it stops when it ends. One for all of its jobs, so that all know which one is late. */
export function workerNameservers(house: WorkerHouse): Nameservers {
  const { config, log, metrics, onClose } = house;
  const before = known.get(house);
  if (before !== undefined) return before;
  const nameservers = nameserversOf(config, (message) => log.warn(message));
  const unwatch = metrics.of(dnsMetrics).watchNameservers(nameservers);
  onClose(async () => {
    unwatch();
    await nameservers.stop();
  });
  known.set(house, nameservers);
  return nameservers;
}
