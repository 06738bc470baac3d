import { type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 5;
const CONNECTIONS = 8;

/** Receipts as PDF over HTTP. */
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
    const rounds: Load[] = [];
    const before = cpuMilliseconds(gateway.pid);
    for (let round = 0; round < ROUNDS; round++) rounds.push(await fetchReceipts());
    const cpu = (cpuMilliseconds(gateway.pid) - before) / rounds.reduce((sum, { count }) => sum + count, 0);
    return [
      {
        figure: `receipts/s over HTTP (PDF with QR code and attachment, ${CONNECTIONS} connections), CPU of the gateway ${cpu.toFixed(1)} ms each`,
        value: median(rounds.map(({ rate }) => rate)).toFixed(0),
        p50: `${median(rounds.map(({ p50 }) => p50)).toFixed(1)} ms`,
        p99: `${median(rounds.map(({ p99 }) => p99)).toFixed(1)} ms`,
      },
    ];
  } finally {
    await gateway.stop();
  }
}
