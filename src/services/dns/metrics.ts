import { Counter, Gauge, type Registry } from "prom-client";

/** PowerDNS' own figures, by its names for them. */
type ReadStatistics = () => Promise<ReadonlyMap<string, number>>;

/** Metrics of DNS hosting. */
export function dnsMetrics(registers: Registry[]) {
  const changes = new Counter({
    name: "selo_dns_changes_total",
    help: "Requests to this process that changed what nameservers serve.",
    registers,
  });
  const flushes = new Counter({
    name: "selo_dns_flushes_total",
    help: "Answers about changed zones that nameservers were asked to forget: confirmed, late.",
    labelNames: ["outcome"],
    registers,
  });
  const left = new Counter({
    name: "selo_dns_aliases_left_total",
    help: "Requests to this process after which ALIAS names were left for a worker to settle.",
    registers,
  });
  let read: ReadStatistics | null = null;
  const figure = (name: string, help: string, ofPowerDns: readonly string[]) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // An old figure, or a zero, would look like a fact.
        this.reset();
        const known = await read?.().catch(() => null);
        if (known) this.set(ofPowerDns.reduce((sum, each) => sum + (known.get(each) ?? 0), 0));
      },
    });
  figure("selo_dns_queries", "Questions that the nameserver of this process was asked since it started.", [
    "udp-queries",
    "tcp-queries",
  ]);
  figure("selo_dns_zones", "Zones that the nameserver of this process serves.", ["zone-cache-size"]);
  return {
    changed: () => changes.inc(),
    aliasesLeft: () => left.inc(),
    flushed: (confirmed: number, late: number) => {
      flushes.inc({ outcome: "confirmed" }, confirmed);
      flushes.inc({ outcome: "late" }, late);
    },
    /** Figures of the nameserver that runs in this process; null when it ends. */
    readStatistics: (statistics: ReadStatistics | null) => {
      read = statistics;
    },
  };
}

export type DnsMetrics = ReturnType<typeof dnsMetrics>;
