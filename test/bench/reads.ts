import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Load, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { cpuMilliseconds } from "./cpu-time.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const SECONDS = 5;
const CONNECTIONS = 32;
const PROOFS = 2_000;

/** One proof by its id over HTTP, against a bare node:http and pg handler that answers the same from one indexed select. */
export async function reads(): Promise<Measurement[]> {
  const gateway = await startBenchGateway();
  const ids = (await registerProofs(gateway, PROOFS)).map(({ id }) => id);
  const bare = spawn("node", ["test/bench/bare-read.ts", gateway.adminUrl], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(bare.stdout, "data")) as [Buffer];
    const nextId = () => ids[Math.floor(Math.random() * ids.length)] ?? "";
    const ours = () =>
      load(
        {
          method: "GET",
          url: gateway.url,
          headers: { authorization: `Bearer ${gateway.organization.live}` },
          path: () => `/api/v1/proofs/${nextId()}`,
        },
        CONNECTIONS,
        SECONDS,
      );
    const peer = () =>
      load(
        {
          method: "GET",
          url: `http://127.0.0.1:${port.toString().trim()}`,
          path: () => `/${gateway.organization.id}/${nextId()}`,
        },
        CONNECTIONS,
        SECONDS,
      );
    await gateway.analyze();
    await ours();
    await peer();
    const results: { ours: Load; peer: Load }[] = [];
    const cpu = { gateway: 0, postgres: 0, count: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const limit = await peer();
      const before = [cpuMilliseconds(gateway.pid), cpuMilliseconds(gateway.postmasterPid)] as const;
      const result = await ours();
      cpu.gateway += cpuMilliseconds(gateway.pid) - before[0];
      cpu.postgres += cpuMilliseconds(gateway.postmasterPid) - before[1];
      cpu.count += result.count;
      results.push({ ours: result, peer: limit });
    }
    return [
      {
        figure: `GET /proofs/{id} over HTTP, requests/s (${CONNECTIONS} connections)`,
        value: median(results.map((each) => each.ours.rate)).toFixed(0),
        peer: `bare node:http + pg, one indexed select ${median(results.map((each) => each.peer.rate)).toFixed(0)}/s`,
        ratio: median(results.map((each) => each.ours.rate / each.peer.rate)).toFixed(2),
        p50: `${median(results.map((each) => each.ours.p50)).toFixed(1)} ms`,
        p99: `${median(results.map((each) => each.ours.p99)).toFixed(1)} ms`,
      },
      {
        figure: "… CPU per read: gateway / Postgres",
        value: [cpu.gateway, cpu.postgres].map((each) => `${(each / cpu.count).toFixed(2)} ms`).join(" / "),
      },
    ];
  } finally {
    bare.kill("SIGTERM");
    await gateway.stop();
  }
}
