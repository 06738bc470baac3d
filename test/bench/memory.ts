import { randomBytes } from "node:crypto";
import pg from "pg";
import { type BenchGateway, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import type { Measurement } from "./measurement.ts";
import type { ProbeReading } from "./probe-preload.ts";

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1_000_000);
/** Memory is read and printed ten times, the last half is what counts. */
const STEP = REQUESTS / 10;
/** Of one portion of the load. */
const SECONDS = 2;
const PROOFS = 500;
const QUEUE_PATIENCE_MS = 120_000;

interface Reading {
  readonly requests: number;
  readonly gateway: ProbeReading;
  readonly worker: ProbeReading;
}

/**
 * Memory of gateway and worker after 1,000,000 requests of all kinds (BENCH_REQUESTS), against the same after half of
 * them: what is kept of a request would be there half a million times. Memory is read after a garbage collection, and
 * once the worker has verified all that was registered; every tenth is printed, for one figure does not show a course.
 */
export async function memory(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 1 });
  try {
    const { probe: worker } = await gateway.startWorker();
    const proofs = await registerProofs(gateway, PROOFS);
    await gateway.analyze();
    let requests = 0;
    const readings: Reading[] = [];
    for (let step = 1; step <= 10; step++) {
      while (requests < step * STEP) requests += await mixed(gateway, proofs);
      await untilVerified(admin);
      const reading = { requests, gateway: await gateway.probe(), worker: await worker() };
      readings.push(reading);
      for (const name of ["gateway", "worker"] as const)
        console.error(`${requests} ${name}: ${inWords(reading[name])}`);
    }
    const half = readings[4] as Reading;
    const end = readings[9] as Reading;
    return (["gateway", "worker"] as const).map((name) => ({
      figure: `memory of the ${name} after ${end.requests} requests: resident, heap`,
      value: inMiB(end[name].rss, end[name].heapUsed),
      peer: `after ${half.requests}: ${inMiB(half[name].rss, half[name].heapUsed)}`,
      ratio: `${(end[name].rss / half[name].rss).toFixed(3)}, ${(end[name].heapUsed / half[name].heapUsed).toFixed(3)}`,
    }));
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

function inWords({ rss, heapUsed, heapTotal, external, arrayBuffers }: ProbeReading): string {
  return `resident ${inMiB(rss)}, heap ${inMiB(heapUsed)} of ${inMiB(heapTotal)}, external ${inMiB(external)}, array buffers ${inMiB(arrayBuffers)}`;
}

function inMiB(...bytes: readonly number[]): string {
  return bytes.map((each) => `${(each / 1024 ** 2).toFixed(1)} MiB`).join(", ");
}

/** @returns how many requests there were */
async function mixed(
  gateway: BenchGateway,
  proofs: readonly { readonly id: string; readonly verification_code: string }[],
): Promise<number> {
  const { url } = gateway;
  const headers = { authorization: `Bearer ${gateway.organization.live}`, "content-type": "application/json" };
  const one = () => proofs[Math.floor(Math.random() * proofs.length)] ?? { id: "", verification_code: "" };
  const get = (path: () => string, connections: number) =>
    load({ method: "GET", url, headers, path }, connections, SECONDS);
  const post = (path: string, body: () => object) =>
    load({ method: "POST", url: url + path, headers, body: () => JSON.stringify(body()) }, 2, SECONDS);
  const query = "query ($id: ID!) { proof(id: $id) { id label registeredAt evidence } }";
  const loads = await Promise.all([
    get(() => `/api/v1/proofs/${one().id}`, 16),
    get(() => `/api/v1/public/proofs/${one().verification_code}`, 4),
    get(() => "/api/v1/proofs?limit=5", 2),
    post("/graphql", () => ({ query, variables: { id: one().id } })),
    post("/api/v1/proofs", () => ({ sha256: randomBytes(32).toString("hex"), label: "benchmark" })),
  ]);
  return loads.reduce((sum, { count }) => sum + count, 0);
}

/** Lets the worker verify what waits, without waiting for its minute. */
async function untilVerified(admin: pg.Pool): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  let deadline = performance.now() + QUEUE_PATIENCE_MS;
  for (;;) {
    const { rows } = await admin.query("select count(*)::integer as waiting from signature.unverified_proofs");
    const { waiting } = rows[0] as { readonly waiting: number };
    if (waiting === 0) return;
    if (waiting < before) deadline = performance.now() + QUEUE_PATIENCE_MS;
    if (performance.now() > deadline) throw new Error("the worker does not keep up");
    before = waiting;
    await admin.query(
      "select graphile_worker.add_job('signature__reverify_proofs', job_key := 'signature__reverify_proofs')",
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
