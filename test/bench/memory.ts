import { randomBytes } from "node:crypto";
import pg from "pg";
import { type BenchGateway, load, registerProofs, startBenchGateway } from "./bench-gateway.ts";
import type { Measurement } from "./measurement.ts";
import type { ProbeReading } from "./probe-preload.ts";

const EARLY = 10_000;
const LATE = 100_000;
/** Of one portion of the load. */
const SECONDS = 2;
const PROOFS = 500;
const QUEUE_PATIENCE_MS = 120_000;

/**
 * Memory of gateway and worker after 100,000 requests of all kinds, against the same after 10,000: what is kept of a
 * request would be there ninety thousand times. The heap is what is left after a garbage collection. The worker has
 * verified all that was registered.
 */
export async function memory(): Promise<Measurement[]> {
  const gateway = await startBenchGateway({ PUBLIC_REQUESTS_PER_MINUTE: "1000000" });
  const admin = new pg.Pool({ connectionString: gateway.adminUrl, max: 1 });
  try {
    const { probe: worker } = await gateway.startWorker();
    const proofs = await registerProofs(gateway, PROOFS);
    await gateway.analyze();
    let requests = 0;
    const readAfter = async (count: number) => {
      while (requests < count) requests += await mixed(gateway, proofs);
      await untilVerified(admin);
      return { gateway: await gateway.probe(), worker: await worker(), requests };
    };
    const early = await readAfter(EARLY);
    const late = await readAfter(LATE);
    return (["gateway", "worker"] as const).map((name) => ({
      figure: `memory of the ${name} after ${late.requests} requests: heap, resident`,
      value: inWords(late[name]),
      peer: `after ${early.requests}: ${inWords(early[name])}`,
      ratio: `${(late[name].heapUsed / early[name].heapUsed).toFixed(2)}, ${(late[name].rss / early[name].rss).toFixed(2)}`,
    }));
  } finally {
    await admin.end();
    await gateway.stop();
  }
}

function inWords({ heapUsed, rss }: ProbeReading): string {
  return [heapUsed, rss].map((bytes) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`).join(", ");
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
  const query = "query ($id: UUID!) { proof(id: $id) { id label registeredAt evidence } }";
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
  const deadline = performance.now() + QUEUE_PATIENCE_MS;
  for (;;) {
    const { rowCount } = await admin.query("select from signature.unverified_proofs limit 1");
    if (rowCount === 0) return;
    if (performance.now() > deadline) throw new Error("the worker does not keep up");
    await admin.query(
      "select graphile_worker.add_job('signature__reverify_proofs', job_key := 'signature__reverify_proofs')",
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
