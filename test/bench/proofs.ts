import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";
import pg from "pg";
import { readConfig } from "../../src/config.ts";
import { ownDatabases } from "../../src/db/databases.ts";
import { Operator } from "../../src/db/operator.ts";
import { prepareDatabase } from "../../src/prepare-database.ts";
import { newOrganization } from "../support/gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median } from "./measurement.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = 8;
const SIGN_SECONDS = 4;
const CONNECTIONS = 32;
const run = promisify(execFile);

/** Proofs per second over HTTP (JSON, live token, fsync on) against signing alone on the same cores. */
export async function proofs(): Promise<Measurement[]> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-"));
  const masterKey = randomBytes(32).toString("hex");
  const config = readConfig({
    ...process.env,
    SELO_DATA_DIR: dataDir,
    SELO_MASTER_KEY: masterKey,
    DATABASE_URL: "",
    DATABASE_ADMIN_URL: "",
    DATABASE_WORKER_URL: "",
  });
  const databases = await ownDatabases(config, () => {});
  await prepareDatabase(config, databases, () => {});
  const operator = await Operator.connect(databases.adminUrl);
  const organization = await newOrganization(operator, { credits: 10_000_000 });
  const gateway = spawn(
    "node",
    [...(process.env.BENCH_NODE_OPTIONS?.split(" ") ?? []), "--import", "tsx", "src/cli.ts", "gateway", "--json"],
    {
      env: { ...process.env, SELO_MASTER_KEY: masterKey, DATABASE_URL: databases.appUrl, PORT: "0", LOG_LEVEL: "warn" },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const [line] = (await once(gateway.stdout, "data")) as [Buffer];
    const { port } = JSON.parse(line.toString()) as { port: number };
    const load = () => registerProofs(`http://127.0.0.1:${port}/api/v1/proofs`, organization.live);
    await load(); // warm-up
    // As autovacuum does within a minute: until then plans for an empty table are in use.
    await analyze(databases.adminUrl);
    const rates: number[] = [];
    const ratios: number[] = [];
    const alone: number[] = [];
    const p50: number[] = [];
    const p99: number[] = [];
    const cpu = { gateway: 0, postgres: 0, load: 0, proofs: 0 };
    const postmaster = Number(fs.readFileSync(path.join(dataDir, "pg18", "postmaster.pid"), "utf8").split("\n")[0]);
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await run("node", [
        "--import",
        "tsx",
        "test/bench/sign-alone.ts",
        String(SIGN_SECONDS * 1_000),
      ]);
      const limit = Number(stdout);
      const before = {
        gateway: cpuMilliseconds(gateway.pid ?? 0),
        postgres: cpuMilliseconds(postmaster),
        load: process.cpuUsage(),
      };
      const result = await load();
      const used = process.cpuUsage(before.load);
      cpu.gateway += cpuMilliseconds(gateway.pid ?? 0) - before.gateway;
      cpu.postgres += cpuMilliseconds(postmaster) - before.postgres;
      cpu.load += (used.user + used.system) / 1_000;
      cpu.proofs += result.count;
      rates.push(result.rate);
      alone.push(limit);
      ratios.push(result.rate / limit);
      p50.push(result.p50);
      p99.push(result.p99);
    }
    return [
      {
        figure: `proofs/s over HTTP (JSON, live token, ${CONNECTIONS} connections, fsync on)`,
        value: median(rates).toFixed(0),
        peer: `signing alone ${median(alone).toFixed(0)}/s`,
        ratio: median(ratios).toFixed(2),
        p50: `${median(p50).toFixed(1)} ms`,
        p99: `${median(p99).toFixed(1)} ms`,
      },
      {
        figure: "… CPU per proof: gateway (both signatures and their check included) / Postgres / load generator",
        value: [cpu.gateway, cpu.postgres, cpu.load]
          .map((milliseconds) => `${(milliseconds / cpu.proofs).toFixed(2)} ms`)
          .join(" / "),
      },
    ];
  } finally {
    gateway.kill("SIGTERM");
    await once(gateway, "exit");
    await operator.close();
    await databases.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

async function analyze(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query("analyze");
  await client.end();
}

async function registerProofs(
  url: string,
  token: string,
): Promise<{ rate: number; count: number; p50: number; p99: number }> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: [
      {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        setupRequest: (request: object) => ({
          ...request,
          body: JSON.stringify({ sha256: randomBytes(32).toString("hex"), label: "benchmark" }),
        }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} errors`);
  return {
    rate: result["2xx"] / result.duration,
    count: result["2xx"],
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
