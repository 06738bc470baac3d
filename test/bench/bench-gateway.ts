import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import type { Readable } from "node:stream";
import autocannon from "autocannon";
import pg from "pg";
import { readConfig } from "../../src/main/config.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import { WORKER_HEAP } from "../../src/main/worker-heap.ts";
import { ownDatabases } from "../../src/postgres/databases.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { newOrganization, type TestOrganization } from "../support/gateway.ts";
import { type Probe, probeOf, probeOptions } from "./probe.ts";

/** A gateway in a separate process, on a separate embedded Postgres with fsync on, without a worker. */
export interface BenchGateway {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** Another one after Postgres was started again. */
  readonly postmasterPid: number;
  /** Superuser. */
  readonly adminUrl: string;
  /** The address of a service's own login. */
  loginUrl(login: string): string;
  /** The environment of its programs. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly organization: TestOrganization;
  /** Another one, with so many signature credits. */
  newOrganization(credits: number): Promise<TestOrganization>;
  readonly probe: Probe;
  /** Another gateway on the same Postgres, with other settings; its address. Ends with the first. */
  startAnother(env: Readonly<Record<string, string>>): Promise<string>;
  /** Beside it, `selo worker` as a separate process; ends with the gateway. */
  startWorker(): Promise<BenchWorker>;
  /** As autovacuum does within a minute: until then plans for an empty table are in use. */
  analyze(): Promise<void>;
  stop(): Promise<void>;
}

/** `selo worker`. */
export interface BenchWorker {
  readonly pid: number;
  readonly probe: Probe;
}

/** What runs: the sources, or what `npm run build` made of them. */
export const PROGRAM = process.env.BENCH_PROGRAM ?? "src/main/cli.ts";
/** /readyz compares what database and gateway have. */
const PUBLIC_URL = "http://selo.test";

export async function startBenchGateway(env: Readonly<Record<string, string>> = {}): Promise<BenchGateway> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-"));
  const masterKey = randomBytes(32).toString("hex");
  const config = readConfig({
    ...process.env,
    SELO_DATA_DIR: dataDir,
    SELO_MASTER_KEY: masterKey,
    PUBLIC_URL,
    DATABASE_URL: "",
    DATABASE_ADMIN_URL: "",
    DATABASE_WORKER_URL: "",
  });
  const databases = await ownDatabases(config, () => {});
  await prepareDatabase(config, databases, () => {});
  const operator = await Operator.connect(databases.adminUrl);
  const organization = await newOrganization(operator, { credits: 10_000_000 });
  const processes: ChildProcess[] = [];
  const environment = {
    ...process.env,
    SELO_MASTER_KEY: masterKey,
    PUBLIC_URL,
    DATABASE_URL: databases.appUrl,
    DATABASE_WORKER_URL: databases.workerUrl,
    PORT: "0",
    STORAGE_FOLDER: path.join(dataDir, "objects"),
    LOG_LEVEL: "warn",
    TOKEN_REQUESTS_PER_MINUTE: "10000000",
    ...env,
  };
  const run = async (command: "gateway" | "worker", more: Readonly<Record<string, string>> = {}) => {
    // Given, or the worker would become another Node and lose the channel of its probe.
    const heap = command === "worker" ? WORKER_HEAP : [];
    const options = [...heap, ...(process.env.BENCH_NODE_OPTIONS?.split(" ") ?? [])];
    const child = spawn("node", [...options, ...probeOptions, PROGRAM, command, "--json"], {
      env: { ...environment, ...more },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    processes.push(child);
    return { child, ready: await readyLine(child.stdout as Readable) };
  };
  const {
    child: gateway,
    ready: { port },
  } = await run("gateway");
  return {
    url: `http://127.0.0.1:${port}`,
    pid: gateway.pid ?? 0,
    get postmasterPid() {
      return Number(fs.readFileSync(path.join(dataDir, "pg18", "postmaster.pid"), "utf8").split("\n")[0]);
    },
    adminUrl: databases.adminUrl,
    loginUrl: (login) => {
      if (databases.loginUrl === null) throw new Error("the benchmark has an embedded Postgres");
      return databases.loginUrl(login);
    },
    environment,
    organization,
    newOrganization: (credits) => newOrganization(operator, { credits }),
    probe: probeOf(gateway),
    startAnother: async (more) => `http://127.0.0.1:${(await run("gateway", more)).ready.port}`,
    async startWorker() {
      const { child } = await run("worker");
      return { pid: child.pid ?? 0, probe: probeOf(child) };
    },
    async analyze() {
      const client = new pg.Client({ connectionString: databases.adminUrl });
      await client.connect();
      await client.query("analyze");
      await client.end();
    },
    async stop() {
      for (const child of processes.reverse()) {
        child.kill("SIGTERM");
        if (child.exitCode === null) await once(child, "exit");
      }
      await operator.close();
      await databases.close();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** What a process says when it is ready; what it logs before goes by. */
async function readyLine(stdout: Readable): Promise<{ readonly port?: number }> {
  return new Promise((resolve, reject) => {
    const lines = readline.createInterface(stdout);
    lines.on("line", (line) => {
      const said = JSON.parse(line) as { readonly port?: number; readonly level?: number };
      if (said.level === undefined) resolve(said);
      else console.error(line);
    });
    lines.on("close", () => reject(new Error("the process ended before it was ready")));
  });
}

/** What a load of requests gave. */
export interface Load {
  /** Requests a second. */
  readonly rate: number;
  readonly count: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface LoadRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made anew for every request. */
  readonly path?: () => string;
  readonly body?: () => string;
}

/** Sends requests over so many connections for so many seconds; fails when one is not answered 2xx. */
export async function load(request: LoadRequest, connections: number, seconds: number): Promise<Load> {
  const result = await autocannon({
    url: request.url,
    connections,
    duration: seconds,
    requests: [
      {
        method: request.method,
        headers: request.headers ?? {},
        setupRequest: (prepared: object) => ({
          ...prepared,
          ...(request.path ? { path: request.path() } : {}),
          ...(request.body ? { body: request.body() } : {}),
        }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${request.method} ${request.path?.() ?? request.url}: ${result.non2xx} answers were not 2xx (${JSON.stringify(result.statusCodeStats)}), ${result.errors} errors`,
    );
  return {
    rate: result["2xx"] / result.duration,
    count: result["2xx"],
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** Registers so many digests and answers their proofs, as far as benchmarks read them. */
export async function registerProofs(
  gateway: BenchGateway,
  count: number,
): Promise<{ readonly id: string; readonly sha256: string; readonly verification_code: string }[]> {
  const proofs = [];
  while (proofs.length < count) {
    const batch = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await fetch(`${gateway.url}/api/v1/proofs`, {
          method: "POST",
          headers: { authorization: `Bearer ${gateway.organization.live}`, "content-type": "application/json" },
          body: JSON.stringify({
            sha256: randomBytes(32).toString("hex"),
            label: "benchmark",
            file_name: "contract.pdf",
          }),
        });
        return (await response.json()) as { id: string; sha256: string; verification_code: string };
      }),
    );
    proofs.push(...batch);
  }
  return proofs;
}
