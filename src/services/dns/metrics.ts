import { Counter, Gauge, type Registry } from "prom-client";
import type { Nameservers } from "../../adapters/nameserver/nameservers.ts";

/** PowerDNS' own figures, by its names for them. */
type ReadStatistics = () => Promise<ReadonlyMap<string, number> | null>;

/** Metrics of DNS hosting. */
export function dnsMetrics(registers: Registry[]) {
  const changes = new Counter({
    name: "selo_dns_changes_total",
    help: "Requests to this process that changed what nameservers serve.",
    registers,
  });
  const flushes = new Counter({
    name: "selo_dns_flushes_total",
    help: "Requests to nameservers to forget their answers about changed zones: confirmed, late.",
    labelNames: ["outcome"],
    registers,
  });
  const told = new Counter({
    name: "selo_dns_zones_told_total",
    help: "Zones that gateways and workers asked the nameserver of this process to forget: forgotten, failed.",
    labelNames: ["outcome"],
    registers,
  });
  for (const outcome of ["forgotten", "failed"]) told.inc({ outcome }, 0);
  /** Gateway and worker of one process see a nameserver each for itself. */
  const watched = new Set<Pick<Nameservers, "states">>();
  new Gauge({
    name: "selo_dns_nameserver_late",
    help: "1 while a nameserver (the address of its control) is late, else 0. Changes do not wait for a nameserver that was late three times in a row.",
    labelNames: ["nameserver"],
    registers,
    collect() {
      this.reset();
      const states = [...watched].flatMap(({ states }) => [...states]);
      for (const [nameserver] of states) this.set({ nameserver }, 0);
      for (const [nameserver, state] of states) if (state !== "answering") this.set({ nameserver }, 1);
    },
  });
  const left = new Counter({
    name: "selo_dns_aliases_left_total",
    help: "Requests to this process after which ALIAS names were left for a worker to settle.",
    registers,
  });
  let read: ReadStatistics | null = null;
  /** One reading for all figures of a scrape. */
  let reading: Promise<ReadonlyMap<string, number> | null> | null = null;
  const known = (): Promise<ReadonlyMap<string, number> | null> => {
    reading ??= (read?.() ?? Promise.resolve(null))
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  const figure = (name: string, help: string, ofPowerDns: readonly string[], factor = 1) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // An old figure, or a zero, would look like a fact. A reset would write a zero.
        this.remove();
        const statistics = await known();
        if (statistics) this.set(factor * ofPowerDns.reduce((sum, each) => sum + (statistics.get(each) ?? 0), 0));
      },
    });
  /** Figures of PowerDNS by labels: `packet hit` with its name for it. */
  const figures = (name: string, help: string, labelNames: string[], byLabels: Readonly<Record<string, string>>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        const statistics = await known();
        if (!statistics) return;
        for (const [labels, ofPowerDns] of Object.entries(byLabels)) {
          const values = labels.split(" ");
          this.set(
            Object.fromEntries(labelNames.map((label, place) => [label, values[place] ?? ""])),
            statistics.get(ofPowerDns) ?? 0,
          );
        }
      },
    });
  figure("selo_dns_queries", "Questions that the nameserver of this process was asked since it started.", [
    "udp-queries",
    "tcp-queries",
  ]);
  figure("selo_dns_zones", "Zones that the nameserver of this process serves.", ["zone-cache-size"]);
  figure(
    "selo_dns_failures",
    "Questions that the nameserver of this process answered with SERVFAIL since it started.",
    ["servfail-packets"],
  );
  figure(
    "selo_dns_answer_seconds",
    "Recent average time that the nameserver of this process took for an answer.",
    ["latency"],
    1e-6,
  );
  figures(
    "selo_dns_cache_lookups",
    "Look-ups in the caches of the nameserver of this process since it started: of whole answers (packet), and of rows (query).",
    ["cache", "outcome"],
    {
      "packet hit": "packetcache-hit",
      "packet miss": "packetcache-miss",
      "query hit": "query-cache-hit",
      "query miss": "query-cache-miss",
    },
  );
  figures("selo_dns_cache_entries", "Entries in the caches of the nameserver of this process.", ["cache"], {
    packet: "packetcache-size",
    query: "query-cache-size",
  });
  return {
    changed: () => changes.inc(),
    aliasesLeft: () => left.inc(),
    flushed: (confirmed: number, late: number) => {
      flushes.inc({ outcome: "confirmed" }, confirmed);
      flushes.inc({ outcome: "late" }, late);
    },
    /** Shows nameservers in the metrics, until the answered function is called. */
    watchNameservers: (nameservers: Pick<Nameservers, "states">): (() => void) => {
      watched.add(nameservers);
      return () => void watched.delete(nameservers);
    },
    /** The control server of this process was asked to have a zone forgotten. */
    told: (outcome: "forgotten" | "failed") => told.inc({ outcome }),
    /** Figures of the nameserver that runs in this process; null when it ends. */
    readStatistics: (statistics: ReadStatistics | null) => {
      read = statistics;
    },
  };
}

export type DnsMetrics = ReturnType<typeof dnsMetrics>;
