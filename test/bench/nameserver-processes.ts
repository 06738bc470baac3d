/** NSD and Knot on loopback with zone files, as ordinary processes with their own folders. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askDns } from "../../src/adapters/nameserver/ask.ts";
import { anyFreePort } from "../../src/adapters/programs/free-port.ts";
import type { DnsServer } from "../../src/adapters/resolver/exchange.ts";
import type { PeerPrograms } from "./nameserver-programs.ts";

const START_MS = 30_000;

/** A zone and its file. */
export interface ZoneFile {
  readonly name: string;
  readonly file: string;
}

export interface PeerProcess extends DnsServer {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Debian's NSD limits answers to 200 a second and address, unless it is told otherwise. */
export function startNsd(
  programs: PeerPrograms,
  folder: string,
  zones: readonly ZoneFile[],
  threads: number,
): Promise<PeerProcess> {
  return start(programs, { program: programs.nsd, args: ["-d", "-c"], folder, zones }, (port) => [
    "server:",
    ...[
      `ip-address: 127.0.0.1@${port}`,
      `server-count: ${threads}`,
      "reuseport: yes",
      "rrl-ratelimit: 0",
      'username: ""',
      'chroot: ""',
      'pidfile: ""',
      'database: ""',
      `zonesdir: "${folder}"`,
      `zonelistfile: "${folder}/zone.list"`,
      `xfrdfile: "${folder}/xfrd.state"`,
      `xfrdir: "${folder}"`,
      `logfile: "${folder}/log"`,
    ].map((line) => `  ${line}`),
    "remote-control:",
    "  control-enable: no",
    ...zones.flatMap(({ name, file }) => ["zone:", `  name: ${name}`, `  zonefile: "${file}"`]),
  ]);
}

/** @param isSigning whether it signs each answer when it is asked (module onlinesign), with one ECDSA P-256 key a zone, as we do */
export function startKnot(
  programs: PeerPrograms,
  folder: string,
  zones: readonly ZoneFile[],
  threads: number,
  isSigning = false,
): Promise<PeerProcess> {
  fs.mkdirSync(path.join(folder, "db"), { recursive: true });
  return start(programs, { program: programs.knotd, args: ["-c"], folder, zones }, (port) => [
    "server:",
    ...[`rundir: "${folder}"`, `listen: 127.0.0.1@${port}`, `udp-workers: ${threads}`].map((line) => `  ${line}`),
    "log:",
    `  - target: "${folder}/log"`,
    "    any: warning",
    "database:",
    `  storage: "${folder}/db"`,
    ...(isSigning ? ONLINE_SIGNING : []),
    "zone:",
    ...zones.flatMap(({ name, file }) => [
      `  - domain: ${name}`,
      `    file: "${file}"`,
      "    zonefile-sync: -1",
      "    journal-content: none",
      ...(isSigning ? ["    module: mod-onlinesign/online"] : []),
    ]),
  ]);
}

const ONLINE_SIGNING = [
  "policy:",
  "  - id: online",
  "    algorithm: ecdsap256sha256",
  "    single-type-signing: on",
  "mod-onlinesign:",
  "  - id: online",
  "    policy: online",
];

async function start(
  { env }: PeerPrograms,
  run: {
    readonly program: string;
    readonly args: readonly string[];
    readonly folder: string;
    readonly zones: readonly ZoneFile[];
  },
  settings: (port: number) => readonly string[],
): Promise<PeerProcess> {
  const { program, args, folder, zones } = run;
  fs.mkdirSync(folder, { recursive: true });
  const server = { host: "127.0.0.1", port: await anyFreePort() };
  const config = path.join(folder, "config");
  fs.writeFileSync(config, `${settings(server.port).join("\n")}\n`);
  const child = spawn(program, [...args, config], { env, stdio: ["ignore", "ignore", "inherit"] });
  try {
    await untilItServes(child, server, zones);
  } catch (error) {
    const log = path.join(folder, "log");
    if (fs.existsSync(log)) console.error(fs.readFileSync(log, "utf8"));
    await ended(child);
    throw error;
  }
  return { ...server, pid: child.pid ?? 0, stop: () => ended(child) };
}

async function untilItServes(child: ChildProcess, server: DnsServer, zones: readonly ZoneFile[]): Promise<void> {
  for (const deadline = performance.now() + START_MS; ; await pause(50)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${child.spawnfile} ended`);
    const replies = zones.map(({ name }) =>
      askDns(server, { name, type: "SOA" }, { attempts: 1, timeoutMs: 500 }).then(
        ({ status, answers }) => status === "NOERROR" && answers.length === 1,
        () => false,
      ),
    );
    if ((await Promise.all(replies)).every(Boolean)) return;
    if (performance.now() > deadline) throw new Error(`${child.spawnfile} does not serve its zones`);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}
