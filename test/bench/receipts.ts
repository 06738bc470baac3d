import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 5;
const CONNECTIONS = 8;
const run = promisify(execFile);

/** Receipts as PDF over HTTP, against rendering them alone. */
export async function receipts(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  try {
    const proofs = await registerProofs(gateway, 500);
    const fetchReceipts = () =>
      load(
        {
          method: "GET",
          url: gateway.url,
          headers: { authorization: `Bearer ${gateway.organization.live}` },
          path: () => `/api/v1/proofs/${proofs[Math.floor(Math.random() * proofs.length)]?.id}/receipt`,
        },
        CONNECTIONS,
        SECONDS,
      );
    await gateway.analyze();
    await fetchReceipts();
    const rounds: { alone: number; load: Load }[] = [];
    const cpu = { gateway: 0, count: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await run("node", ["test/bench/render-alone.ts", "3000"]);
      const before = cpuMilliseconds(gateway.pid);
      const result = await fetchReceipts();
      cpu.gateway += cpuMilliseconds(gateway.pid) - before;
      cpu.count += result.count;
      rounds.push({ alone: Number(stdout), load: result });
    }
    return [
      {
        figure: `receipts/s over HTTP (PDF with QR code and attachment, ${CONNECTIONS} connections; CPU of the gateway ${(cpu.gateway / cpu.count).toFixed(1)} ms each)`,
        value: median(rounds.map(({ load: { rate } }) => rate)).toFixed(0),
        peer: `rendering alone ${median(rounds.map(({ alone }) => alone)).toFixed(0)}/s`,
        ratio: median(rounds.map(({ alone, load: { rate } }) => rate / alone)).toFixed(2),
        p50: `${median(rounds.map(({ load: { p50 } }) => p50)).toFixed(1)} ms`,
        p99: `${median(rounds.map(({ load: { p99 } }) => p99)).toFixed(1)} ms`,
      },
    ];
  } finally {
    await gateway.stop();
  }
}
