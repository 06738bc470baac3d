import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { selfSigned } from "../../adapters/outgoing-http/loopback.ts";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import type { SeloProcess } from "../../support/selo-process.ts";
import type { HostileReceiver } from "./hostile-receivers.ts";
import { FaultStage } from "./webhooks.ts";

const EVENTS_PER_SECOND = 5;
const MOST_GROWTH = 64 * 1024 * 1024;
/** Of honest deliveries before the attack, so that what a busy worker needs anyway is there. */
const WARM_UP = 2_000;

const NAME = "hook.example.com";
/** Public by its range, and given to nobody (RFC 4291, IANA's registry of global unicast addresses). */
const ADDRESS = "2d00::1";
const certificate = selfSigned(NAME);

/** What becomes of attempts: their status, the receiver's, why they failed, and whether the answer was cut. */
const outcomes: Record<HostileReceiver, readonly [string, number | null, string | null, boolean]> = {
  extensions: ["SUCCEEDED", 200, null, true],
  "an extension without end": ["SUCCEEDED", 200, null, true],
  "an extension, then silence": ["FAILED", 200, "timeout", true],
  trailers: ["SUCCEEDED", 200, null, true],
  "a head without end": ["FAILED", null, "response_too_large", false],
  "a reason without end": ["FAILED", null, "response_too_large", false],
  "interim answers": ["FAILED", null, "response_too_large", false],
  "a huge body": ["SUCCEEDED", 200, null, true],
  "a huge body that grows as text": ["FAILED", 500, "http_status", true],
  "a dripping head": ["FAILED", null, "timeout", false],
  "dripping chunks": ["FAILED", 200, "timeout", true],
  "a flood of a kept connection": ["SUCCEEDED", 200, null, false],
};

/**
 * Tests of twelve receivers at once that would exhaust a worker, for so many seconds: a real worker holds no more than it should, and serves a thirteenth.
 * @param mostLatencyMs of the thirteenth
 */
export function testHostileReceivers(
  schemes: readonly ("http" | "https")[],
  seconds: number,
  mostLatencyMs: number,
): void {
  let folder: string;
  let stage: FaultStage;
  let dns: DnsServer;
  let worker: SeloProcess;
  let hostile: ChildProcess;
  const honest: http.Server[] = [];
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-memory-"));
    fs.writeFileSync(path.join(folder, "ca.pem"), certificate.cert);
    dns = await startDnsServer();
    dns.names.set(NAME, (kind) => (kind === "AAAA" ? [ADDRESS] : []));
    stage = await FaultStage.open(0);
    worker = await stage.deployment.startWorker({
      NODE_EXTRA_CA_CERTS: path.join(folder, "ca.pem"),
      NODE_OPTIONS: `--import ${path.join(import.meta.dirname, "routed-here.mjs")}`,
      ROUTED_HERE: ADDRESS,
      DNS_RESOLVERS: dns.address,
    });
    hostile = fork(path.join(import.meta.dirname, "hostile-receivers.ts"));
  }, 120_000);
  afterEach(async () => {
    if (hostile?.connected) {
      hostile.disconnect();
      await once(hostile, "exit");
    }
    await stage?.close();
    for (const server of honest.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await dns?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A receiver in this process that takes everything at once; answers its port and the latencies of what came, in milliseconds. */
  async function startHonest(scheme: "http" | "https"): Promise<{ port: number; latencies: number[] }> {
    const latencies: number[] = [];
    const take: http.RequestListener = (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { occurred_at } = JSON.parse(Buffer.concat(chunks).toString()) as { occurred_at: string };
        latencies.push(Date.now() - Date.parse(occurred_at));
        response.end("thanks");
      });
    };
    const server = scheme === "https" ? https.createServer(certificate, take) : http.createServer(take);
    honest.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: (server.address() as AddressInfo).port, latencies };
  }

  /** Resident memory of the worker, in bytes. */
  function residentMemory(): number {
    const status = fs.readFileSync(`/proc/${worker.child.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
  }

  test.each(schemes)(
    "twelve hostile receivers over %s: the worker's memory grows by 64 MiB at most, and a thirteenth receiver is served meanwhile",
    async (scheme) => {
      const url = (port: number) => `${scheme}://${scheme === "https" ? NAME : "127.0.0.1"}:${port}/hook`;
      const { port, latencies } = await startHonest(scheme);
      await stage.addWebhook(url(port));
      await stage.emit(WARM_UP);
      await stage.settled(60_000);
      expect(latencies.splice(0)).toHaveLength(WARM_UP);

      hostile.send(scheme === "https" ? certificate : "in the clear");
      const [ports] = (await once(hostile, "message")) as [Record<HostileReceiver, number>];
      const webhooks = new Map<HostileReceiver, string>();
      for (const name of Object.keys(outcomes) as HostileReceiver[]) {
        webhooks.set(name, await stage.addWebhook(url(ports[name])));
      }
      expect(webhooks.size).toBe(12);

      const before = residentMemory();
      const began = performance.now();
      let [most, emitted] = [before, 0];
      while (performance.now() - began < seconds * 1_000) {
        await stage.emit(1);
        emitted += 1;
        await setTimeout(began + emitted * (1_000 / EVENTS_PER_SECOND) - performance.now());
        most = Math.max(most, residentMemory());
        // At once: what grows without end would take the machine with it.
        expect(most - before).toBeLessThanOrEqual(MOST_GROWTH);
      }
      await expect.poll(() => latencies.length, { timeout: 10_000 }).toBe(emitted);
      const slowest = Math.max(...latencies);
      const mebibytes = (bytes: number) => (bytes / 1_048_576).toFixed(0);
      console.log(
        `${scheme}: memory grew from ${mebibytes(before)} by ${mebibytes(most - before)} MiB; ${emitted} honest deliveries took ${slowest} ms at most`,
      );
      expect(slowest).toBeLessThanOrEqual(mostLatencyMs);

      const missing = async () => {
        const { rows } = await stage.deployment.admin.query(
          "select distinct endpoint_id, status, response_status, error_code, truncated from webhooks.attempts",
        );
        const there = new Set(
          rows.map(({ endpoint_id, status, response_status, error_code, truncated }) =>
            JSON.stringify([endpoint_id, status, response_status, error_code, truncated]),
          ),
        );
        return [...webhooks].flatMap(([name, id]) =>
          there.has(JSON.stringify([id, ...outcomes[name]])) ? [] : [name],
        );
      };
      // Those that drip are given up after 15 seconds.
      await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
    },
    240_000,
  );
}
