import type { Nameservers } from "../../adapters/nameserver/nameservers.ts";
import { operationsOf } from "../../surfaces/operation.ts";
import type { CommonParts } from "../started-service.ts";
import type { AliasTargets } from "./aliases/alias-targets.ts";
import type { Delegations } from "./delegation/delegation-checks.ts";
import type { DnsMetrics } from "./metrics.ts";
import type { QuickScans } from "./quick-scan/quick-scan.ts";
import type { ZoneFiles } from "./zone-file/zone-file-thread.ts";

/** The objects that this service's operations work with. */
export interface DnsParts extends CommonParts {
  /** NAMESERVER_NAMES; null if the service names none. */
  readonly nameserverNames: readonly string[] | null;
  /** Names that belong to the service itself: those of its nameservers, of its address and of its mail. */
  readonly ownHosts: readonly string[];
  /** The nameservers that this process tells of changes. */
  readonly nameservers: Nameservers;
  readonly dnsMetrics: DnsMetrics;
  /** Asks the public DNS for targets of ALIAS records. */
  readonly aliasTargets: AliasTargets;
  /** Asks the public DNS. */
  readonly delegations: Delegations;
  /** Asks the present nameservers of domains for common names. */
  readonly quickScans: QuickScans;
  /** Reads and writes zone files. */
  readonly zoneFiles: ZoneFiles;
}

export const operation = operationsOf<DnsParts>();
