// GET /metrics: who may read it, on which port, and of which processes it tells.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { createLogger } from "../../../src/main/log.ts";
import { startAll } from "../../../src/main/start.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { freePort } from "../../support/selo-process.ts";
import { REQUESTS, scrape, TOKEN } from "./scrape.ts";

describe("who may read", () => {
  const running: TestGateway[] = [];
  afterEach(async () => {
    for (const selo of running.splice(0)) await selo.stop();
  });
  async function start(environment: Readonly<Record<string, string>>): Promise<TestGateway> {
    const selo = await startTestGateway(environment);
    running.push(selo);
    return selo;
  }
  const asResponse = async (response: Response) => ({
    status: response.status,
    headers: response.headers,
    bytes: Buffer.alloc(0),
    ...(await response.text().then((text) => ({ text, body: JSON.parse(text) }))),
  });

  test("without METRICS_TOKEN and METRICS_PORT nobody: /metrics is a path like any unknown one", async () => {
    const selo = await start({});
    expectError(await asResponse(await fetch(`${selo.baseUrl}/metrics`)), 404, "not_found");
    expect(selo.gateway.metricsPort).toBeNull();
  });

  test("with METRICS_TOKEN whoever presents it, and no token of the API opens it", async () => {
    const selo = await start({ METRICS_TOKEN: TOKEN });
    const { live } = await selo.newOrganization();
    for (const authorization of [
      undefined,
      "Bearer ",
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Bearer ${live}`,
    ]) {
      const response = await fetch(
        `${selo.baseUrl}/metrics`,
        authorization === undefined ? {} : { headers: { authorization } },
      );
      expectError(await asResponse(response), 401, "unauthenticated");
    }
    await scrape(selo.baseUrl);
    expect((await fetch(`${selo.baseUrl}/metrics?token=${TOKEN}`)).status).toBe(401);
    // Nor does it open anything else.
    expectError(await call(selo, "GET", "/proofs", { token: TOKEN }), 401, "unauthenticated");
  });

  test("with METRICS_PORT it is there without a token, beside /healthz and nothing else, and not on PORT", async () => {
    const selo = await start({ METRICS_PORT: "0" });
    const own = `http://127.0.0.1:${selo.gateway.metricsPort}`;
    expect(selo.gateway.metricsPort).not.toBe(selo.gateway.port);
    await call(selo, "GET", "/public/platform-key");
    await expect
      .poll(async () =>
        (await scrape(own, null)).value(REQUESTS, { route: "/api/v1/public/platform-key", status: "200" }),
      )
      .toBe(1);
    expect(await (await fetch(`${own}/healthz`)).json()).toEqual({ status: "ok" });
    for (const path of ["/readyz", "/api/v1/proofs", "/graphql", "/"])
      expect((await fetch(own + path)).status).toBe(404);
    expect((await fetch(`${selo.baseUrl}/metrics`)).status).toBe(404);
  });

  test("with both, the token is asked for in both places, and the listener is gone when the gateway stops", async () => {
    const selo = await startTestGateway({ METRICS_PORT: "0", METRICS_TOKEN: TOKEN });
    const own = `http://127.0.0.1:${selo.gateway.metricsPort}`;
    expect((await fetch(`${own}/metrics`)).status).toBe(401);
    await scrape(own);
    await scrape(selo.baseUrl);
    await selo.stop();
    await expect(fetch(`${own}/metrics`)).rejects.toThrow();
  });

  test("a METRICS_PORT that is taken stops the start and is named", async () => {
    const first = await start({ METRICS_PORT: "0" });
    await expect(start({ METRICS_PORT: String(first.gateway.metricsPort) })).rejects.toThrow(/^METRICS_PORT: /);
  });

  test("gateways in one process count each for itself", async () => {
    const [one, other] = [await start({ METRICS_TOKEN: TOKEN }), await start({ METRICS_TOKEN: TOKEN })];
    for (let request = 0; request < 4; request++) await fetch(`${one.baseUrl}/healthz`);
    await expect.poll(async () => (await scrape(one.baseUrl)).value(REQUESTS, { route: "/healthz" })).toBe(4);
    expect((await scrape(other.baseUrl)).value(REQUESTS, { route: "/healthz" })).toBe(0);
  });
});

test("everything in one process is told in one place: the gateway's requests, the worker's jobs, both pools", async () => {
  const database = await createTestDatabase();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-metrics-"));
  const configWith = (metricsPort: number) =>
    readConfig({
      PORT: "0",
      PUBLIC_URL: "http://selo.test",
      SELO_DATA_DIR: folder,
      SELO_MASTER_KEY: TEST_MASTER_KEY,
      DATABASE_URL: database.appUrl,
      DATABASE_ADMIN_URL: database.adminUrl,
      DATABASE_WORKER_URL: database.workerUrl,
      METRICS_PORT: String(metricsPort),
    });
  /** Another program may take the port before this one listens. */
  const start = async (port: number): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> => {
    try {
      return { port, stop: (await startAll(configWith(port), createLogger("silent"))).stop };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      return start(await freePort());
    }
  };
  const started = await start(await freePort());
  const own = `http://127.0.0.1:${started.port}`;
  try {
    await database.admin.query("select graphile_worker.add_job('platform__watch_jobs')");
    await expect
      .poll(
        async () =>
          (await scrape(own, null)).value("selo_job_duration_seconds_count", { task: "platform__watch_jobs" }),
        {
          timeout: 30_000,
        },
      )
      .toBeGreaterThan(0);
    const now = await scrape(own, null);
    for (const pool of ["gateway", "worker"]) {
      expect(now.has("selo_database_connections", { pool, state: "idle" })).toBe(true);
      expect(now.has("selo_database_waiting", { pool })).toBe(true);
    }
    expect(now.has("selo_http_requests_in_flight")).toBe(true);
  } finally {
    await started.stop();
    fs.rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
  await expect(fetch(`${own}/healthz`)).rejects.toThrow();
});
