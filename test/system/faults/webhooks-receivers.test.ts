// Receivers that break off, hang, drip or never end, against a real worker and its real limits.
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SeloProcess } from "../../support/selo-process.ts";
import { FaultStage, killed } from "./webhooks.ts";

const WEBHOOKS = 10;
const ATTEMPT_MS = 15_000;
/** As many as are in flight at once to one webhook. */
const EVENTS = 10;

let stage: FaultStage;
let worker: SeloProcess;
beforeAll(async () => {
  stage = await FaultStage.open(WEBHOOKS);
  worker = await stage.deployment.startWorker();
});
afterAll(async () => {
  if (worker) await killed(worker);
  await stage?.close();
});
afterEach(() => stage.clear());

const admin = (text: string, values: unknown[] = []) => stage.deployment.admin.query(text, values);

/** All webhooks of the stage go to another receiver meanwhile. */
async function withReceiver(handle: http.RequestListener, work: () => Promise<void>): Promise<void> {
  const server = http.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await admin("update webhooks.endpoints set url = replace(url, $1, $2)", [stage.receiver.url, url]);
    await work();
  } finally {
    await admin("update webhooks.endpoints set url = replace(url, $2, $1)", [stage.receiver.url, url]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("a receiver that commits and then resets the connection gets the same bytes under the same id again, after 5 s", async () => {
  const committed = new Map<string, { body: string; at: number }[]>();
  await withReceiver(
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const name = `${request.url} ${request.headers["x-webhook-id"]}`;
        const times = [...(committed.get(name) ?? []), { body: Buffer.concat(chunks).toString(), at: Date.now() }];
        committed.set(name, times);
        if (times.length === 1) request.socket.resetAndDestroy();
        else response.end("known already");
      });
    },
    async () => {
      await stage.emit(1);
      await stage.settled(30_000);
    },
  );
  expect(committed.size).toBe(WEBHOOKS);
  for (const times of committed.values()) {
    expect(times).toHaveLength(2);
    expect(times[1]?.body).toBe(times[0]?.body);
    expect(Number(times[1]?.at) - Number(times[0]?.at)).toBeGreaterThanOrEqual(5_000);
  }
  const attempts = await stage.attempts();
  expect(attempts.filter(({ status }) => status === "FAILED")).toHaveLength(WEBHOOKS);
  for (const each of attempts.filter(({ status }) => status === "FAILED")) {
    expect(each).toMatchObject({ attempt: 1, error_code: "connection_reset", response_status: null });
  }
  await stage.expectEachSucceededOnce();
}, 60_000);

test("slow headers and slow bodies are cut after 15 s; endless bodies at 16 KiB, and the worker's memory stays flat", async () => {
  const memory = () => {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${worker.child.pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1_024;
  };
  const open = new Set<object>();
  const piece = Buffer.alloc(65_536, "x");
  await withReceiver(
    (request, response) => {
      open.add(response);
      response.on("close", () => open.delete(response));
      request.resume();
      if (request.url === "/hook-0") {
        request.socket.write("HTTP/1.1 200 OK\r\n");
        const timer = setInterval(() => request.socket.write("X-Drip: 1\r\n"), 500);
        request.socket.on("close", () => clearInterval(timer));
      } else if (request.url === "/hook-1") {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x"), 500);
        response.on("close", () => clearInterval(timer));
      } else {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", more);
        more();
      }
    },
    async () => {
      const before = process.platform === "linux" ? memory() : 0;
      await stage.emit(EVENTS);
      await expect
        .poll(async () => (await stage.attempts()).length, { timeout: 60_000, interval: 200 })
        .toBe(EVENTS * WEBHOOKS);
      await expect.poll(() => open.size).toBe(0); // the first retries come five seconds later
      if (process.platform === "linux") {
        const grown = memory() - before;
        console.log(
          `memory grew by ${(grown / 1_048_576).toFixed(0)} MiB over ${EVENTS * (WEBHOOKS - 2)} endless bodies`,
        );
        expect(grown).toBeLessThan(128 * 1_048_576);
      }
    },
  );
  const attempts = await stage.attempts();
  const cut = attempts.filter(({ error_code }) => error_code === "timeout");
  expect(cut).toHaveLength(2 * EVENTS);
  for (const { duration_ms } of cut) {
    expect(duration_ms).toBeGreaterThanOrEqual(ATTEMPT_MS - 5);
    expect(duration_ms).toBeLessThan(ATTEMPT_MS + 5_000);
  }
  expect(cut.filter(({ response_status }) => response_status === null)).toHaveLength(EVENTS);
  expect(cut.filter(({ response_body }) => /^x{10,40}$/.test(response_body ?? ""))).toHaveLength(EVENTS);
  const endless = attempts.filter(({ status }) => status === "SUCCEEDED");
  expect(endless).toHaveLength(EVENTS * (WEBHOOKS - 2));
  for (const { response_body, truncated } of endless) {
    expect(truncated).toBe(true);
    expect(response_body).toBe("x".repeat(16_384));
  }
}, 120_000);

/** Emits for a while; answers how long deliveries to the healthy webhooks took from their event on, in milliseconds. */
async function latencies(healthy: readonly string[]): Promise<number[]> {
  for (let made = 0; made < 200; made++) await stage.emit(1);
  await expect
    .poll(() => stage.receiver.received.filter(({ path }) => healthy.includes(path)).length, { timeout: 30_000 })
    .toBe(200 * healthy.length);
  return stage.receiver.received
    .filter(({ path }) => healthy.includes(path))
    .map(({ body, at }) => at - Date.parse((JSON.parse(body) as { occurred_at: string }).occurred_at))
    .sort((one, other) => one - other);
}

const part = (sorted: readonly number[], share: number) => sorted[Math.floor(sorted.length * share)];

test("one webhook of ten hangs: at most ten attempts wait at it, and all others are delivered meanwhile", async () => {
  const [hung = "", ...healthy] = stage.paths;
  const baseline = await latencies(healthy);
  await stage.settled(20_000);
  await stage.clear();
  stage.hold([hung]);
  const beside = await latencies(healthy);
  console.log(
    `healthy webhooks, p50/p99 in ms: ${part(baseline, 0.5)}/${part(baseline, 0.99)} alone, ${part(beside, 0.5)}/${part(beside, 0.99)} beside one that hangs`,
  );
  expect(stage.heldCount).toBeGreaterThan(0);
  expect(stage.mostHeld.get(hung)).toBeLessThanOrEqual(10);
  expect((await stage.tally()).doubled).toBe(0);
  expect((await stage.attempts()).filter(({ status }) => status === "SUCCEEDED").length).toBeGreaterThan(0);
  stage.release();
  await expect
    .poll(async () => (await stage.attempts()).filter(({ status }) => status === "SUCCEEDED").length, {
      timeout: 60_000,
    })
    .toBe(200 * WEBHOOKS);
}, 180_000);
