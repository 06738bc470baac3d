import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DnsServer } from "../../src/adapters/resolver/exchange.ts";
import { cpuMilliseconds, endedChildrenMilliseconds } from "./cpu-time.ts";
import { type DnsBench, startDnsBench } from "./dns-bench.ts";
import { type Answered, dnsperf } from "./dnsperf.ts";
import { largeZone, largeZoneSets } from "./large-zone.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { type PeerProcess, startKnot, startNsd, type ZoneFile } from "./nameserver-processes.ts";
import { type PeerPrograms, peerPrograms } from "./nameserver-programs.ts";

const RECORDS = 50_000;
const ZONE = "large.test";
const SMALL_ZONE = "small.test";
const HOT_NAMES = 10;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
/** NSD and Knot answer the whole file within half a second. Nothing is cached there, so they are asked more often. */
const PEER_PASSES = 5;
/** Each program that answers gets this core, with Postgres, and dnsperf the other: they would take each other's time. `BENCH_PIN=no` leaves that to Linux. */
const isPinned = process.env.BENCH_PIN !== "no" && os.availableParallelism() > 1;
const [SERVER_CORE, DNSPERF_CORE] = isPinned ? [0, 1] : [null, null];

/** What is asked. */
interface Questions {
  readonly figure: string;
  readonly file: string;
  readonly isCold: boolean;
  readonly code: "NOERROR" | "NXDOMAIN";
}

interface Server extends DnsServer {
  readonly name: string;
  /** Whose processor time counts. */
  readonly pids: readonly number[];
}

/** Questions a second that PowerDNS answers, from caches and from Postgres, beside NSD and Knot with the files that the export writes. Aim: from caches, half of what the slower of both answers. */
export async function nameserver(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-questions-"));
  const programs = await peerPrograms();
  const bench = await startDnsBench();
  const peers: PeerProcess[] = [];
  try {
    const zones = await exported(bench, folder);
    await bench.gateway.analyze();
    const threads = SERVER_CORE === null ? os.availableParallelism() : 1;
    const nsd = await startNsd(programs, path.join(folder, "nsd"), zones, threads);
    peers.push(nsd);
    const knot = await startKnot(programs, path.join(folder, "knot"), zones, threads);
    peers.push(knot);
    const { postmasterPid } = bench.gateway;
    const servers: Server[] = [
      { name: "PowerDNS", ...bench.nameserver, pids: [bench.powerDnsPid, postmasterPid] },
      { name: "NSD", ...nsd, pids: [nsd.pid] },
      { name: "Knot", ...knot, pids: [knot.pid] },
    ];
    for (const { pids } of servers) for (const pid of pids) pin(pid);
    const rows: Measurement[] = [];
    for (const questions of writeQuestions(folder)) rows.push(...(await compared(bench, programs, servers, questions)));
    return rows;
  } finally {
    for (const peer of peers) await peer.stop();
    await bench.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the zones, and writes the files that NSD and Knot serve. */
async function exported(bench: DnsBench, folder: string): Promise<ZoneFile[]> {
  const texts = { [SMALL_ZONE]: largeZone(HOT_NAMES), [ZONE]: largeZone(RECORDS) };
  const zones: ZoneFile[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const id = await bench.importZone(name, text);
    const file = path.join(folder, `${name}.zone`);
    fs.writeFileSync(file, (await bench.ask("GET", `/zones/${id}/export`)).text);
    zones.push({ name, file });
  }
  return zones;
}

function writeQuestions(folder: string): Questions[] {
  const write = (name: string, lines: readonly string[]) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
  };
  const missing = (count: number, zone: string) =>
    Array.from({ length: count }, (_, place) => `missing-${place}.${zone} A`);
  const sets = shuffled(largeZoneSets(ZONE, RECORDS));
  const hot = largeZoneSets(SMALL_ZONE, HOT_NAMES);
  return [
    {
      figure: `hot: ${hot.length} sets over and over`,
      file: write("hot", hot),
      isCold: false,
      code: "NOERROR",
    },
    {
      figure: `hot: ${HOT_NAMES} names that do not exist, over and over`,
      file: write("hot-missing", missing(HOT_NAMES, ZONE)),
      isCold: false,
      code: "NXDOMAIN",
    },
    {
      figure: `cold: each of ${sets.length.toLocaleString("en")} sets once, caches empty`,
      file: write("cold", sets),
      isCold: true,
      code: "NOERROR",
    },
    {
      figure: `cold: each of ${sets.length.toLocaleString("en")} names that do not exist once, caches empty`,
      file: write("cold-missing", missing(sets.length, ZONE)),
      isCold: true,
      code: "NXDOMAIN",
    },
  ];
}

/** The same order in each run: places of a multiplicative hash. */
function shuffled(lines: readonly string[]): string[] {
  const placed = lines.map((line, place) => [Math.imul(place, 2_654_435_761) >>> 0, line] as const);
  return placed.sort(([one], [other]) => one - other).map(([, line]) => line);
}

/** The servers in turns. */
async function compared(
  bench: DnsBench,
  programs: PeerPrograms,
  servers: readonly Server[],
  { figure, file, isCold, code }: Questions,
): Promise<Measurement[]> {
  const runs = new Map<string, { readonly perSecond: number; readonly cpu: number; readonly asking: number }[]>();
  const hits: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const server of servers) {
      const isOurs = server.name === "PowerDNS";
      if (isOurs && isCold) for (const zone of [ZONE, SMALL_ZONE]) await bench.powerDns.purge(zone);
      // The caches are filled, and the first questions of a process are slower.
      if (!isCold) await dnsperf(programs, server, file, { seconds: 1 }, DNSPERF_CORE);
      const asked = endedChildrenMilliseconds(process.pid);
      const before = { cpu: cpuOf(server), statistics: isOurs ? await bench.powerDns.statistics() : null };
      const how = isCold ? { passes: isOurs ? 1 : PEER_PASSES } : { seconds: SECONDS };
      const answered = await dnsperf(programs, server, file, how, DNSPERF_CORE);
      requireAnswers(server, answered, code);
      const cpu = ((cpuOf(server) - before.cpu) / answered.count) * 1_000;
      const asking = ((endedChildrenMilliseconds(process.pid) - asked) / answered.count) * 1_000;
      runs.set(server.name, [...(runs.get(server.name) ?? []), { perSecond: answered.perSecond, cpu, asking }]);
      if (before.statistics !== null) {
        const after = await bench.powerDns.statistics();
        const grown = (name: string) => (after.get(name) ?? 0) - (before.statistics?.get(name) ?? 0);
        hits.push(grown("packetcache-hit") / grown("udp-queries"));
      }
    }
  const of = (name: string, part: "perSecond" | "cpu" | "asking") =>
    median((runs.get(name) ?? []).map((one) => one[part]));
  const shown = (name: string) => `${name} ${of(name, "perSecond").toFixed(0)}/s`;
  const cost = (name: string) => `${name} ${of(name, "cpu").toFixed(1)} µs`;
  return [
    {
      figure: `${figure}; packet cache ${(median(hits) * 100).toFixed(0)} %`,
      value: shown("PowerDNS"),
      peer: [shown("NSD"), shown("Knot"), ...(isCold ? [] : ["aim: 0.5 of the slower"])].join(", "),
      ratio: (of("PowerDNS", "perSecond") / Math.min(of("NSD", "perSecond"), of("Knot", "perSecond"))).toFixed(2),
    },
    {
      figure: "… processor time for each",
      value: isCold ? `${cost("PowerDNS")} with Postgres` : cost("PowerDNS"),
      peer: `${cost("NSD")}, ${cost("Knot")}; dnsperf takes ${of("PowerDNS", "asking").toFixed(1)}, ${of("NSD", "asking").toFixed(1)} and ${of("Knot", "asking").toFixed(1)} µs for its own part`,
      ratio: (Math.max(of("NSD", "cpu"), of("Knot", "cpu")) / of("PowerDNS", "cpu")).toFixed(2),
    },
  ];
}

function requireAnswers({ name }: Server, { count, lost, codes }: Answered, code: string): void {
  if (lost > 0.001 || codes[code] !== count)
    throw new Error(`${name} answered ${JSON.stringify(codes)} and lost ${(lost * 100).toFixed(2)} %`);
}

/** With children that have ended: Postgres' connections come and go. */
const cpuOf = ({ pids }: Server) =>
  pids.reduce((sum, pid) => sum + cpuMilliseconds(pid) + endedChildrenMilliseconds(pid), 0);

/** Puts a process, its threads and its children on the core of servers; what they start later inherits that. */
function pin(pid: number): void {
  if (SERVER_CORE === null) return;
  const children = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
  execFileSync("taskset", ["-a", "-c", "-p", String(SERVER_CORE), String(pid)], { stdio: "ignore" });
  for (const child of children) pin(child);
}
