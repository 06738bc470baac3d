/** Asks our nameserver and others the same questions in turns, each on one core, and compares what they answer in a second and what an answer costs. */
import { execFileSync } from "node:child_process";
import os from "node:os";
import type { DnsServer } from "../../src/adapters/resolver/exchange.ts";
import { cpuMilliseconds, endedChildrenMilliseconds } from "./cpu-time.ts";
import type { DnsBench } from "./dns-bench.ts";
import { type Answered, dnsperf } from "./dnsperf.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import type { PeerProcess } from "./nameserver-processes.ts";
import type { PeerPrograms } from "./nameserver-programs.ts";
import type { Questions } from "./nameserver-questions.ts";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
/** Each program that answers gets this core, with Postgres, and dnsperf the other: they would take each other's time. `BENCH_PIN=no` leaves that to Linux. */
const isPinned = process.env.BENCH_PIN !== "no" && os.availableParallelism() > 1;
const [SERVER_CORE, DNSPERF_CORE] = isPinned ? [0, 1] : [null, null];
/** How many threads of a program answer. */
export const SERVER_THREADS = SERVER_CORE === null ? os.availableParallelism() : 1;

/** How a server is asked, and what counts as its time. */
export interface Compared extends DnsServer {
  readonly name: string;
  /** Whose processor time counts. */
  readonly pids: readonly number[];
  /** How often it is asked all cold questions. Servers without caches answer them within a second: they are asked more often. */
  readonly passes: number;
  /** The response code for a name that does not exist. */
  readonly missing: "NXDOMAIN" | "NOERROR";
}

export interface Comparison {
  readonly bench: DnsBench;
  readonly programs: PeerPrograms;
  readonly ours: Compared;
  /** NSD and Knot. */
  readonly peers: readonly Compared[];
  /** Whether signatures are asked for. */
  readonly isDnssec: boolean;
  /** Empties the caches of ours before cold questions. */
  readonly forget: () => Promise<void>;
}

/** PowerDNS of a bench, with its Postgres. */
export const ourServer = (bench: DnsBench): Compared => ({
  name: "PowerDNS",
  ...bench.nameserver,
  pids: [bench.powerDnsPid, bench.gateway.postmasterPid],
  passes: 1,
  missing: "NXDOMAIN",
});

/** NSD or Knot. */
export const peerServer = (
  name: string,
  { host, port, pid }: PeerProcess,
  options: Partial<Pick<Compared, "passes" | "missing">> = {},
): Compared => ({ name, host, port, pids: [pid], passes: 5, missing: "NXDOMAIN", ...options });

/** Puts the programs that answer on their core. */
export function pinServers({ ours, peers }: Comparison): void {
  for (const { pids } of [ours, ...peers]) for (const pid of pids) pin(pid);
}

interface Run {
  readonly perSecond: number;
  readonly bytes: number;
  /** Microseconds for each answer: of the server, and of dnsperf. */
  readonly cpu: number;
  readonly asking: number;
}

/** The servers in turns. */
export async function compared(
  { bench, programs, ours, peers, isDnssec, forget }: Comparison,
  { figure, file, isCold, exist }: Questions,
): Promise<Measurement[]> {
  const runs = new Map<Compared, Run[]>();
  const shares: { readonly hits: number; readonly signatures: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const server of [ours, ...peers]) {
      const isOurs = server === ours;
      if (isOurs && isCold) await forget();
      const ask = (how: Parameters<typeof dnsperf>[3]) => dnsperf(programs, server, file, how, isDnssec, DNSPERF_CORE);
      // The caches are filled, and the first questions of a process are slower.
      if (!isCold) await ask({ seconds: 1 });
      const asked = endedChildrenMilliseconds(process.pid);
      const before = { cpu: cpuOf(server), statistics: isOurs ? await bench.powerDns.statistics() : null };
      const answered = await ask(isCold ? { passes: server.passes } : { seconds: SECONDS });
      requireAnswers(server, answered, exist ? "NOERROR" : server.missing);
      const { perSecond, count, bytes } = answered;
      const cpu = ((cpuOf(server) - before.cpu) / count) * 1_000;
      const asking = ((endedChildrenMilliseconds(process.pid) - asked) / count) * 1_000;
      runs.set(server, [...(runs.get(server) ?? []), { perSecond, bytes, cpu, asking }]);
      if (before.statistics === null) continue;
      const after = await bench.powerDns.statistics();
      const grown = (name: string) => (after.get(name) ?? 0) - (before.statistics?.get(name) ?? 0);
      const questions = grown("udp-queries");
      shares.push({ hits: grown("packetcache-hit") / questions, signatures: grown("signatures") / questions });
    }
  const of = (server: Compared, part: keyof Run) => median((runs.get(server) ?? []).map((one) => one[part]));
  const all = (part: keyof Run, digits = 1) => [ours, ...peers].map((server) => of(server, part).toFixed(digits));
  const shown = (server: Compared) => `${server.name} ${of(server, "perSecond").toFixed(0)}/s`;
  const cost = (server: Compared) => `${server.name} ${of(server, "cpu").toFixed(1)} µs`;
  const share = (part: "hits" | "signatures") => median(shares.map((one) => one[part]));
  const signing = isDnssec ? `; ${share("signatures").toFixed(2)} signatures made for each` : "";
  const sizes = isDnssec ? `; bytes of an answer: ${inWords(all("bytes", 0))}` : "";
  return [
    {
      figure: `${figure}; packet cache ${(share("hits") * 100).toFixed(0)} %${signing}`,
      value: shown(ours),
      peer: [...peers.map(shown), ...(isCold ? [] : ["aim: 0.5 of the slower"])].join(", "),
      ratio: (of(ours, "perSecond") / Math.min(...peers.map((peer) => of(peer, "perSecond")))).toFixed(2),
    },
    {
      figure: "… processor time for each",
      value: isCold ? `${cost(ours)} with Postgres` : cost(ours),
      peer: `${peers.map(cost).join(", ")}; dnsperf takes ${inWords(all("asking"))} µs for its own part${sizes}`,
      ratio: (Math.max(...peers.map((peer) => of(peer, "cpu"))) / of(ours, "cpu")).toFixed(2),
    },
  ];
}

const inWords = (all: readonly string[]) => `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;

function requireAnswers({ name }: Compared, { count, lost, codes }: Answered, code: string): void {
  if (lost > 0.001 || codes[code] !== count)
    throw new Error(`${name} answered ${JSON.stringify(codes)} and lost ${(lost * 100).toFixed(2)} %`);
}

/** With children that have ended: Postgres' connections come and go. */
const cpuOf = ({ pids }: Compared) =>
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
