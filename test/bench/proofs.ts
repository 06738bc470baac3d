import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { load, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 8;
const SIGN_SECONDS = 4;
const CONNECTIONS = 32;
const run = promisify(execFile);

/** Proofs per second over HTTP (JSON, live token, fsync on) against signing alone on the same cores. */
export async function proofs(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  try {
    const register = () =>
      load(
        {
          method: "POST",
          url: `${gateway.url}/api/v1/proofs`,
          headers: { authorization: `Bearer ${gateway.organization.live}`, "content-type": "application/json" },
          body: () => JSON.stringify({ sha256: randomBytes(32).toString("hex"), label: "benchmark" }),
        },
        CONNECTIONS,
        SECONDS,
      );
    await register(); // warm-up
    await gateway.analyze();
    const rates: number[] = [];
    const ratios: number[] = [];
    const alone: number[] = [];
    const p50: number[] = [];
    const p99: number[] = [];
    const cpu = { gateway: 0, postgres: 0, load: 0, proofs: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await run("node", ["test/bench/sign-alone.ts", String(SIGN_SECONDS * 1_000)]);
      const limit = Number(stdout);
      const before = {
        gateway: cpuMilliseconds(gateway.pid),
        postgres: cpuMilliseconds(gateway.postmasterPid),
        load: process.cpuUsage(),
      };
      const result = await register();
      const used = process.cpuUsage(before.load);
      cpu.gateway += cpuMilliseconds(gateway.pid) - before.gateway;
      cpu.postgres += cpuMilliseconds(gateway.postmasterPid) - before.postgres;
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
    await gateway.stop();
  }
}
