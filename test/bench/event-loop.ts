import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { type BenchGateway, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";
import { probeOf, probeOptions } from "./probe.ts";

const SECONDS = 8;
const PROOFS = 200;
const UPLOAD_BYTES = 64 * 1024 ** 2;
const CHUNK = randomBytes(256 * 1024);

/**
 * How long the gateway's event loop stood still at most while everything is asked of it at once: proofs, reads, lists,
 * searches, receipts, GraphQL, uploads of big files, public verification. Processor time of its thread between two turns
 * of the loop says what the gateway does; how long a timer waits says also how busy the machine is, so its peer is a
 * process beside it that does nothing. The aim is 50 ms.
 */
export async function eventLoop(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  const idle = spawn("node", [...probeOptions, "--eval", "setInterval(() => {}, 1000)"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const proofs = await registerProofs(gateway, PROOFS);
    await gateway.probe();
    await probeIdle(idle);
    await everything(gateway, proofs);
    const warmUp = await gateway.probe();
    await gateway.analyze();
    await probeIdle(idle);
    const rounds: { wait: number; p99: number; work: number; idle: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await gateway.probe();
      await probeIdle(idle);
      await everything(gateway, proofs);
      const { loopMaxMs, loopP99Ms, workMaxMs } = await gateway.probe();
      rounds.push({ wait: loopMaxMs, p99: loopP99Ms, work: workMaxMs, idle: (await probeIdle(idle)).loopMaxMs });
    }
    const most = (figure: "wait" | "work" | "idle") => Math.max(...rounds.map((round) => round[figure]));
    return [
      {
        figure: `event loop of the gateway under everything at once: longest work without a turn of the loop, ${ROUNDS} × ${SECONDS} s`,
        value: `${most("work").toFixed(1)} ms of CPU`,
        peer: `aim: 50 ms; while still warming up ${warmUp.workMaxMs.toFixed(1)} ms`,
      },
      {
        figure: "… longest wait of a timer",
        value: `${most("wait").toFixed(1)} ms`,
        peer: `in an idle process meanwhile ${most("idle").toFixed(1)} ms`,
        ratio: (most("wait") / most("idle")).toFixed(2),
        p99: `${median(rounds.map((round) => round.p99)).toFixed(1)} ms`,
      },
    ];
  } finally {
    idle.kill("SIGTERM");
    await gateway.stop();
  }
}

const probeIdle = (idle: ChildProcess) => probeOf(idle)();

async function everything(
  gateway: BenchGateway,
  proofs: readonly { readonly id: string; readonly verification_code: string }[],
): Promise<void> {
  const url = gateway.url;
  const headers = { authorization: `Bearer ${gateway.organization.live}`, "content-type": "application/json" };
  const one = () => proofs[Math.floor(Math.random() * proofs.length)] ?? { id: "", verification_code: "" };
  const get = (path: () => string, connections: number) =>
    load({ method: "GET", url, headers, path }, connections, SECONDS);
  await Promise.all([
    load(
      {
        method: "POST",
        url: `${url}/api/v1/proofs`,
        headers,
        body: () => JSON.stringify({ sha256: randomBytes(32).toString("hex"), label: "benchmark" }),
      },
      16,
      SECONDS,
    ),
    get(() => `/api/v1/proofs/${one().id}`, 4),
    get(() => "/api/v1/proofs?limit=200", 1),
    get(() => "/api/v1/proofs?search=bench", 1),
    get(() => `/api/v1/proofs/${one().id}/receipt`, 2),
    get(() => `/api/v1/public/proofs/${one().verification_code}`, 4),
    load(
      {
        method: "POST",
        url: `${url}/graphql`,
        headers,
        body: () =>
          JSON.stringify({
            query: "{ proofs(first: 50) { nodes { id sha256 label evidence registeredAt verifyUrl } } }",
          }),
      },
      4,
      SECONDS,
    ),
    uploads(gateway),
    uploads(gateway),
  ]);
}

/** Big files one after the other, as fast as they are taken. */
async function uploads(gateway: BenchGateway): Promise<void> {
  const until = performance.now() + SECONDS * 1_000;
  while (performance.now() < until) {
    const boundary = randomBytes(8).toString("hex");
    const body = async function* () {
      yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="film.mp4"\r\n\r\n`);
      yield randomBytes(16); // each another file
      for (let sent = 0; sent < UPLOAD_BYTES; sent += CHUNK.length) yield CHUNK;
      yield Buffer.from(`\r\n--${boundary}--\r\n`);
    };
    const response = await fetch(`${gateway.url}/api/v1/proofs`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${gateway.organization.live}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      body: body(),
      duplex: "half",
    } as RequestInit);
    if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`);
    await response.arrayBuffer();
  }
}
