import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 5;
const CONNECTIONS = 32;
const run = promisify(execFile);

/** Public verification by code and by digest, both signatures each time, against verifying alone on the same cores. */
export async function publicProofs(): Promise<Measurement[]> {
  // The limit for each address would end the benchmark in its first second; each request is still counted in Postgres.
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  try {
    const proofs = await registerProofs(gateway, 2_000);
    const any = () => proofs[Math.floor(Math.random() * proofs.length)];
    const byCode = () =>
      load(
        { method: "GET", url: gateway.url, path: () => `/api/v1/public/proofs/${any()?.verification_code}` },
        CONNECTIONS,
        SECONDS,
      );
    const byDigest = () =>
      load(
        {
          method: "POST",
          url: `${gateway.url}/api/v1/public/proofs/verify`,
          headers: { "content-type": "application/json" },
          body: () => JSON.stringify({ sha256: any()?.sha256 }),
        },
        CONNECTIONS,
        SECONDS,
      );
    await gateway.analyze();
    await byCode();
    await byDigest();
    const rounds: { alone: number; code: Load; digest: Load }[] = [];
    const cpu = { gateway: 0, postgres: 0, count: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await run("node", ["test/bench/verify-alone.ts", "3000"]);
      const before = [cpuMilliseconds(gateway.pid), cpuMilliseconds(gateway.postmasterPid)] as const;
      const [code, digest] = [await byCode(), await byDigest()];
      cpu.gateway += cpuMilliseconds(gateway.pid) - before[0];
      cpu.postgres += cpuMilliseconds(gateway.postmasterPid) - before[1];
      cpu.count += code.count + digest.count;
      rounds.push({ alone: Number(stdout), code, digest });
    }
    const row = (figure: string, pick: (round: (typeof rounds)[number]) => Load): Measurement => ({
      figure,
      value: median(rounds.map((round) => pick(round).rate)).toFixed(0),
      peer: `verifying alone ${median(rounds.map(({ alone }) => alone)).toFixed(0)}/s`,
      ratio: median(rounds.map((round) => pick(round).rate / round.alone)).toFixed(2),
      p50: `${median(rounds.map((round) => pick(round).p50)).toFixed(1)} ms`,
      p99: `${median(rounds.map((round) => pick(round).p99)).toFixed(1)} ms`,
    });
    return [
      row(
        `GET /public/proofs/{code}, both signatures verified, requests/s (${CONNECTIONS} connections)`,
        ({ code }) => code,
      ),
      row("POST /public/proofs/verify by digest, the same", ({ digest }) => digest),
      {
        figure: "… CPU per verification: gateway / Postgres",
        value: [cpu.gateway, cpu.postgres].map((each) => `${(each / cpu.count).toFixed(2)} ms`).join(" / "),
      },
    ];
  } finally {
    await gateway.stop();
  }
}
