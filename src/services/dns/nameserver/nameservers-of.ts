import type { Logger } from "pino";
import { Nameservers } from "../../../adapters/nameserver/nameservers.ts";
import type { Config } from "../../../config/config.ts";
import type { Metrics } from "../../../surfaces/metrics/metrics.ts";
import { dnsMetrics } from "../metrics.ts";
import { dnsSettings } from "../settings.ts";
import { controlAccess } from "./control-access.ts";

/** A process that tells nameservers of changes: a gateway, or a worker. */
interface Telling {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Registers a function that runs when the process ends. */
  readonly onClose: (close: () => Promise<void>) => void;
}

const known = new WeakMap<Telling, Nameservers>();

/** The nameservers of the settings. All parts of a process have the same ones, so that all know which one is late. They end with the process. */
export function nameserversOf(telling: Telling): Nameservers {
  const { config, log, metrics, onClose } = telling;
  const before = known.get(telling);
  if (before !== undefined) return before;
  const nameservers = new Nameservers({
    access: () => controlAccess(config),
    named: config.of(dnsSettings).NAMESERVER_CONTROL_URLS?.length ?? 1,
    log: (message) => log.warn(message),
  });
  const unwatch = metrics.of(dnsMetrics).watchNameservers(nameservers);
  onClose(async () => {
    unwatch();
    await nameservers.stop();
  });
  known.set(telling, nameservers);
  return nameservers;
}
