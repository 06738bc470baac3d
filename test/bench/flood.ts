import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { type BenchGateway, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

/** What others ask meanwhile, paced, so that the cores have time to spare and a wait shows. */
const READS_A_SECOND = 200;
/** How long {@link pacedReads} takes. */
export const READ_SECONDS = 10;
const FLOOD = 10_000;
const run = promisify(execFile);

/** 10,000 requests from one address to a public path within ten seconds: what another organization's reads take with and without. */
export async function flood(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ TRUST_PROXY: "1" });
  try {
    const ids = (await registerProofs(gateway, 500)).map(({ id }) => id);
    await gateway.analyze();
    await pacedReads(gateway, ids);
    const quiet: number[][] = [];
    const flooded: number[][] = [];
    let refused = 0;
    for (let round = 0; round < ROUNDS; round++) {
      quiet.push(await pacedReads(gateway, ids));
      const [reads, limited] = await Promise.all([
        pacedReads(gateway, ids),
        floodFrom(gateway, `198.51.100.${round + 1}`),
      ]);
      flooded.push(reads);
      refused += limited;
    }
    const at = (rounds: number[][], share: number) =>
      median(rounds.map((times) => times[Math.floor(times.length * share)] ?? 0));
    const pair = (share: number) => `${at(flooded, share).toFixed(2)} ms, without ${at(quiet, share).toFixed(2)} ms`;
    return [
      {
        figure: `GET /proofs/{id} of another organization while one address sends ${FLOOD} public requests in ${READ_SECONDS} s (${refused / ROUNDS} refused)`,
        value: `${READS_A_SECOND}/s`,
        ratio: (at(flooded, 0.5) / at(quiet, 0.5)).toFixed(2),
        p50: pair(0.5),
        p99: pair(0.99),
      },
    ];
  } finally {
    await gateway.stop();
  }
}

/** Reads proofs for {@link READ_SECONDS}. @returns milliseconds of each answer, ascending */
export function pacedReads(gateway: BenchGateway, ids: readonly string[]): Promise<number[]> {
  const headers = { authorization: `Bearer ${gateway.organization.live}` };
  return paced(READS_A_SECOND, READ_SECONDS, async (sent) => {
    const response = await fetch(`${gateway.url}/api/v1/proofs/${ids[sent % ids.length]}`, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a read was answered ${response.status}`);
  });
}

/** Asks so often a second, however long the answers take. @returns milliseconds of each answer, ascending */
export async function paced(
  perSecond: number,
  seconds: number,
  ask: (sent: number) => Promise<void>,
): Promise<number[]> {
  const timed = async (sent: number) => {
    const began = performance.now();
    await ask(sent);
    return performance.now() - began;
  };
  const started = performance.now();
  const pending: Promise<number>[] = [];
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    await until(started + (sent * 1_000) / perSecond);
    pending.push(timed(sent));
  }
  return (await Promise.all(pending)).sort((left, right) => left - right);
}

/** In its own process, or the requests that are timed would wait for the flood's own sender. @returns how many were refused */
async function floodFrom(gateway: BenchGateway, address: string): Promise<number> {
  const { stdout } = await run(
    path.join(import.meta.dirname, "node_modules/.bin/autocannon"),
    [
      ...["--json", "--connections", "20", "--amount", String(FLOOD), "--overallRate", String(FLOOD / READ_SECONDS)],
      ...["--headers", `x-forwarded-for: ${address}`, `${gateway.url}/api/v1/public/platform-key`],
    ],
    { maxBuffer: 10_000_000 },
  );
  return (JSON.parse(stdout) as { readonly "4xx": number })["4xx"];
}

/** Waits until a time of `performance.now()`. */
export async function until(time: number): Promise<void> {
  const wait = time - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}
