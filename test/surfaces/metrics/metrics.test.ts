// GET /metrics: what it counts, who may read it, and that nothing of callers is in it.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { startGateway } from "../../../src/main/gateway.ts";
import { createLogger } from "../../../src/main/log.ts";
import { startAll } from "../../../src/main/start.ts";
import { createTestDatabase } from "../../support/database.ts";
import { databaseWay } from "../../support/database-way.ts";
import { parseExposition, type Scrape } from "../../support/exposition.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { graphql, post } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { documentedMetrics } from "../../support/readme-metrics.ts";
import { call, expectError, filePart, multipartBody, sendRaw } from "../../support/rest-client.ts";
import { freePort } from "../../support/selo-process.ts";

const TOKEN = "metrics-token-of-the-tests";

async function scrape(baseUrl: string, token: string | null = TOKEN): Promise<Scrape> {
  const response = await fetch(`${baseUrl}/metrics`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parseExposition(await response.text());
}

const REQUESTS = "selo_http_requests_total";
const DURATIONS = "selo_http_request_duration_seconds_count";
const random = () => randomBytes(32).toString("hex");

describe("what is counted", () => {
  let selo: TestGateway;
  let organization: TestOrganization;
  let before: Scrape;
  beforeAll(async () => {
    selo = await startTestGateway({ METRICS_TOKEN: TOKEN, LOG_LEVEL: "trace" });
  });
  afterAll(() => selo.stop());
  beforeEach(async () => {
    organization = await selo.newOrganization({ credits: 2 });
    before = await scrape(selo.baseUrl);
  });

  /** What came to a counter since the test began. A request counts when its answer has been sent, a moment after it was received. */
  async function expectRise(by: number, name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    await expect
      .poll(async () => (await scrape(selo.baseUrl)).value(name, labels) - before.value(name, labels), {
        timeout: 5_000,
      })
      .toBe(by);
  }

  test("requests by method, route pattern and status, exactly as many as were made, and as many durations", async () => {
    const token = organization.live;
    for (let request = 0; request < 3; request++) {
      const made = await call(selo, "POST", "/proofs", { token: organization.test, body: { sha256: random() } });
      expect(made.status).toBe(201);
      await call(selo, "GET", `/proofs/${made.body.id}`, { token: organization.test });
    }
    const sha256 = random();
    expect((await call(selo, "POST", "/proofs", { token, body: { sha256 } })).status).toBe(201);
    expect((await call(selo, "POST", "/proofs", { token, body: { sha256 } })).status).toBe(200);
    await call(selo, "GET", "/proofs/0197a0c0-0000-7000-8000-000000000000", { token });
    await call(selo, "GET", "/proofs?search=a", { token });
    await call(selo, "GET", "/proofs", { token: "svc_live_unknown" });
    for (const name of [REQUESTS, DURATIONS]) {
      await expectRise(4, name, { method: "POST", route: "/api/v1/proofs", status: "201" });
      await expectRise(1, name, { method: "POST", route: "/api/v1/proofs", status: "200" });
      await expectRise(3, name, { method: "GET", route: "/api/v1/proofs/:id", status: "200" });
      await expectRise(1, name, { method: "GET", route: "/api/v1/proofs/:id", status: "404" });
      await expectRise(1, name, { method: "GET", route: "/api/v1/proofs", status: "200" });
      await expectRise(1, name, { method: "GET", route: "/api/v1/proofs", status: "401" });
    }
    const seconds = (await scrape(selo.baseUrl)).value("selo_http_request_duration_seconds_sum", {
      route: "/api/v1/proofs",
      status: "201",
    });
    expect(seconds).toBeGreaterThan(0.001);
    expect(seconds).toBeLessThan(60);
  });

  test("unknown paths and made-up methods are one series each, however many there are", async () => {
    for (let path = 0; path < 20; path++) {
      await fetch(`${selo.baseUrl}/nothing-${path}`);
      await fetch(`${selo.baseUrl}/api/v1/nothing-${path}`);
    }
    await expectRise(40, REQUESTS, { method: "GET", route: "unknown", status: "404" });
    for (const method of ["PROPFIND", "MKCOL", "LOCK"])
      expect(
        (await sendRaw(selo, `${method} /anything HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))?.status,
      ).toBe(404);
    await expectRise(3, REQUESTS, { method: "other", route: "unknown", status: "404" });
    const series = (await scrape(selo.baseUrl)).samples.filter(({ labels }) => labels["route"] === "unknown");
    expect(series.filter(({ name }) => name === REQUESTS)).toHaveLength(2);
  });

  test("what is no request, or has a path that does not decode, counts as unreadable", async () => {
    expect((await sendRaw(selo, "nonsense\r\n\r\n"))?.status).toBe(400);
    expect((await fetch(`${selo.baseUrl}/api/v1/proofs/%zz`)).status).toBe(400);
    await expectRise(2, REQUESTS, { route: "unreadable", status: "400" });
    await expectRise(2, "selo_errors_total", { code: "malformed_request" });
    // Refused by our own hook, after its route was found.
    expect((await fetch(`${selo.baseUrl}/healthz?%zz`)).status).toBe(400);
    await expectRise(1, REQUESTS, { route: "/healthz", status: "400" });
  });

  test("a request whose caller goes away counts as aborted, and is under way until then", async () => {
    const { bytes, headers } = multipartBody([filePart(randomBytes(50_000))]);
    const socket = net.connect(selo.gateway.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `POST /api/v1/proofs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${organization.test}\r\n` +
        `Content-Type: ${headers["content-type"]}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    socket.write(bytes.subarray(0, 30_000));
    const underWay = async () => (await scrape(selo.baseUrl)).value("selo_http_requests_in_flight");
    // The scrape itself is the other one.
    await expect.poll(underWay, { timeout: 5_000 }).toBe(2);
    socket.destroy();
    await expect.poll(underWay, { timeout: 5_000 }).toBe(1);
    await expectRise(1, REQUESTS, { method: "POST", route: "/api/v1/proofs", status: "aborted" });
  });

  test("errors by their code, in REST and GraphQL", async () => {
    const token = organization.live;
    await call(selo, "POST", "/proofs", { token, body: { sha256: "short" } });
    await call(selo, "GET", "/proofs", {});
    await graphql(selo, token, "{ nothing }");
    await graphql(selo, null, "{ proofs(first: 1) { nodes { id } } }");
    await expectRise(2, "selo_errors_total", { code: "invalid_request" });
    await expectRise(2, "selo_errors_total", { code: "unauthenticated" });
    await expectRise(4, "selo_errors_total");
  });

  test("GraphQL operations by kind and status, and never by a name that a caller gave", async () => {
    const token = organization.test;
    expect((await graphql(selo, token, "query quietName { proofs(first: 1) { nodes { id } } }")).status).toBe(200);
    const register =
      "mutation quietName($input: RegisterProofInput!) { registerProof(input: $input) { proof { id } } }";
    const made = await graphql(selo, token, register, { input: { sha256: random() } });
    expect(made.errors).toEqual([]);
    expect((await graphql(selo, null, "{ proofs(first: 1) { nodes { id } } }")).status).toBe(401);
    expect((await post(selo, token, "{")).status).toBe(400);
    expect((await graphql(selo, token, "{ nothing }")).status).toBe(422);
    const operations = "selo_graphql_operations_total";
    await expectRise(1, operations, { kind: "query", status: "200" });
    await expectRise(1, operations, { kind: "query", status: "401" });
    await expectRise(1, operations, { kind: "mutation", status: "200" });
    await expectRise(1, operations, { kind: "refused", status: "400" });
    await expectRise(1, operations, { kind: "refused", status: "422" });
    await expectRise(5, operations);
    await expectRise(5, REQUESTS, { route: "/graphql" });
  });

  test("seals, new proofs and credits: a test proof costs none, a repeated or refused one is none", async () => {
    const sha256 = random();
    const register = async (environment: "live" | "test", digest = random()) =>
      (await call(selo, "POST", "/proofs", { token: organization[environment], body: { sha256: digest } })).status;
    const statuses = [await register("test"), await register("test"), await register("live", sha256)];
    statuses.push(await register("live", sha256), await register("live"), await register("live"));
    expect(statuses).toEqual([201, 201, 201, 200, 201, 402]);
    await expectRise(2, "selo_proofs_registered_total", { environment: "test" });
    await expectRise(2, "selo_proofs_registered_total", { environment: "live" });
    await expectRise(2, "selo_credits_spent_total", { kind: "signature" });
    await expectRise(2, "selo_seals_total", { environment: "test", outcome: "made" });
    await expectRise(2, "selo_seals_total", { environment: "live", outcome: "made" });
    await expectRise(0, "selo_seals_total", { outcome: "failed" });
    // The same as the ledger says.
    const { rows } = await selo.database.admin.query<{ spent: number }>(
      "select -sum(amount)::int as spent from platform.credit_ledger where tenant_id = $1 and amount < 0",
      [organization.id],
    );
    expect(rows).toEqual([{ spent: 2 }]);
  });

  test("of two that register one digest at once, one is a new proof and one credit, whatever was sealed", async () => {
    const sha256 = random();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call(selo, "POST", "/proofs", { token: organization.live, body: { sha256 } })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    await expectRise(1, "selo_proofs_registered_total", { environment: "live" });
    await expectRise(1, "selo_credits_spent_total");
  });

  test("the connections, the process with its event loop, and a database that is there", async () => {
    const now = await scrape(selo.baseUrl);
    const open = now.value("selo_database_connections", { pool: "gateway" });
    const { rows } = await selo.database.admin.query<{ open: number }>(
      "select count(*)::int as open from pg_stat_activity where datname = current_database() and usename = 'selo_app'",
    );
    expect(open).toBeGreaterThan(0);
    expect(open).toBe(rows[0]?.open);
    expect(now.value("selo_database_waiting", { pool: "gateway" })).toBe(0);
    expect(now.value("selo_database_up")).toBe(1);
    expect(now.value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(now.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
  });

  test("names are as README.md lists them, with their labels", async () => {
    const now = await scrape(selo.baseUrl);
    const ours = now.names.filter((name) => name.startsWith("selo_"));
    expect(
      documentedMetrics()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...ours].sort());
    for (const { name, labels } of documentedMetrics())
      for (const sample of now.samples.filter(
        (each) => each.name.replace(/_(bucket|sum|count)$/, "") === name || each.name === name,
      ))
        expect({
          name,
          labels: Object.keys(sample.labels)
            .filter((label) => label !== "le")
            .sort(),
        }).toEqual({ name, labels: [...labels].sort() });
  });

  test("nothing that callers sent is in it, nor in the logs at trace what is asked of it", async () => {
    const token = organization.live;
    const sha256 = createHash("sha256").update("quiet").digest("hex");
    const made = await call(selo, "POST", "/proofs", {
      token,
      body: { sha256, label: "quiet-label", file_name: "quiet.pdf" },
    });
    await call(selo, "GET", `/public/proofs/${made.body.verification_code}`);
    await call(selo, "GET", "/proofs?search=quiet-search", { token });
    await fetch(`${selo.baseUrl}/quiet-path?email=quiet@example.org`);
    await fetch(`${selo.baseUrl}/metrics`, { headers: { authorization: "Bearer quiet-wrong-metrics-token" } });
    const text = JSON.stringify((await scrape(selo.baseUrl)).samples);
    const logged = selo.logs.join("");
    for (const secret of [
      token,
      organization.id,
      sha256,
      "quiet",
      made.body.id,
      made.body.verification_code,
      "127.0.0.1",
    ])
      expect(text, secret).not.toContain(secret);
    for (const secret of [TOKEN, token, sha256, "quiet", made.body.verification_code, "Bearer"])
      expect(logged, secret).not.toContain(secret);
    expect(logged).toContain('"route":"/metrics"');
  });
});

describe("the queues", () => {
  test("are those of Postgres: waiting, scheduled, running and failed jobs, proofs to be verified, and their ages", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN });
    try {
      const { admin } = selo.database;
      for (let job = 0; job < 3; job++)
        await admin.query("select graphile_worker.add_job('test__one', run_at => now() - interval '90 s')");
      await admin.query("select graphile_worker.add_job('test__one', run_at => now() + interval '1 hour')");
      await admin.query("select graphile_worker.add_job('test__two', max_attempts => 1)");
      await admin.query("update graphile_worker._private_jobs set attempts = 1 where max_attempts = 1");
      await admin.query("select graphile_worker.add_job('test__two', max_attempts => 2)");
      await admin.query(
        "update graphile_worker._private_jobs set locked_at = now(), attempts = 1 where max_attempts = 2",
      );
      const { test, live } = await selo.newOrganization();
      for (const token of [test, live, live])
        expect((await call(selo, "POST", "/proofs", { token, body: { sha256: random() } })).status).toBe(201);
      await admin.query(
        "update signature.unverified_proofs set created_at = now() - interval '200 s' where environment = 'test'",
      );
      await admin.query(
        `update signature.unverified_proofs set failed_at = now(), failure = 'x'
         where proof_id = (select max(proof_id::text)::uuid from signature.unverified_proofs)`,
      );
      const now = await scrape(selo.baseUrl);
      const jobs = (task: string) =>
        ["waiting", "scheduled", "running", "failed"].map((state) => now.value("selo_jobs", { task, state }));
      expect(jobs("test__one")).toEqual([3, 1, 0, 0]);
      expect(jobs("test__two")).toEqual([0, 0, 1, 1]);
      const oldest = (task: string) => now.value("selo_jobs_oldest_waiting_seconds", { task });
      expect(oldest("test__one")).toBeGreaterThanOrEqual(90);
      expect(oldest("test__one")).toBeLessThan(150);
      expect(oldest("test__two")).toBe(0);
      expect(now.value("selo_unverified_proofs", { state: "waiting" })).toBe(2);
      expect(now.value("selo_unverified_proofs", { state: "failed" })).toBe(1);
      expect(now.value("selo_unverified_proofs_oldest_waiting_seconds")).toBeGreaterThanOrEqual(200);
      expect(now.value("selo_unverified_proofs_oldest_waiting_seconds")).toBeLessThan(260);
    } finally {
      await selo.stop();
    }
  });

  test("deliveries of webhooks wait, are leased or scheduled, and the oldest that waits is that of any endpoint", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN }, { freshness: { queuesMs: 100 } });
    try {
      const { admin } = selo.database;
      const add = (endpoint: string, rows: number, columns: string, values: string) =>
        admin.query(
          `insert into webhooks.deliveries (tenant_id, id, environment, endpoint_id, event_id, event_type, due_at${columns})
           select gen_random_uuid(), gen_random_uuid(), 'test', $1, gen_random_uuid(), 'message.sent', now() - interval '50 s'${values}
           from generate_series(1, $2)`,
          [endpoint, rows],
        );
      const endpoints = Array.from({ length: 3 }, () => crypto.randomUUID()).sort() as [string, string, string];
      await add(endpoints[0], 3, "", "");
      await add(endpoints[0], 2, ", attempt_id, leased_until", ", gen_random_uuid(), now() + interval '1 minute'");
      // Whoever leased it is gone.
      await add(endpoints[1], 1, ", attempt_id, leased_until", ", gen_random_uuid(), now() - interval '1 s'");
      await add(endpoints[2], 4, ", ready", ", false");
      await admin.query("update webhooks.deliveries set due_at = now() - interval '300 s' where endpoint_id = $1", [
        endpoints[1],
      ]);
      const first = await scrape(selo.baseUrl);
      const states = (now: Scrape) =>
        ["waiting", "leased", "scheduled"].map((state) => now.value("selo_webhook_deliveries", { state }));
      expect(states(first)).toEqual([4, 2, 4]);
      const oldest = first.value("selo_webhook_deliveries_oldest_waiting_seconds");
      expect(oldest).toBeGreaterThanOrEqual(300);
      expect(oldest).toBeLessThan(360);

      // Counted up to a limit, and looked for by index: a million that wait cost no more than ten thousand.
      await add(endpoints[0], 12_000, "", "");
      await add(endpoints[2], 12_000, ", ready", ", false");
      const { rows } = await admin.query(
        "select waiting::int, leased::int, scheduled::int from webhooks.delivery_states()",
      );
      const { waiting, leased, scheduled } = rows[0] as Record<string, number>;
      expect((waiting ?? 0) + (leased ?? 0)).toBe(10_000);
      expect(scheduled).toBe(10_000);
      await admin.query("truncate webhooks.deliveries");
      await expect
        .poll(async () => states(await scrape(selo.baseUrl)), { timeout: 10_000, interval: 100 })
        .toEqual([0, 0, 0]);
      expect((await scrape(selo.baseUrl)).value("selo_webhook_deliveries_oldest_waiting_seconds")).toBe(0);
    } finally {
      await selo.stop();
    }
  });

  test("are read once for all who scrape within a moment", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN });
    try {
      const { admin } = selo.database;
      await admin.query("create sequence platform.readings; grant usage on sequence platform.readings to selo_owner");
      await admin.query(
        `create or replace function gateway.queue_states() returns jsonb language plpgsql volatile security definer set search_path = '' as $$
         begin perform nextval('platform.readings'); return platform.queue_states_of_all(); end $$`,
      );
      await Promise.all(Array.from({ length: 20 }, () => scrape(selo.baseUrl)));
      await scrape(selo.baseUrl);
      const { rows } = await admin.query("select last_value::int as readings from platform.readings");
      expect(rows).toEqual([{ readings: 1 }]);
    } finally {
      await selo.stop();
    }
  });

  test("a Postgres that hangs holds no scrape up, and is asked once", async () => {
    const selo = await startTestGateway({ METRICS_TOKEN: TOKEN });
    const { admin } = selo.database;
    const lock = await admin.connect();
    try {
      await lock.query("begin; lock table signature.unverified_proofs in access exclusive mode");
      const began = performance.now();
      const scrapes = await Promise.all(Array.from({ length: 5 }, () => scrape(selo.baseUrl)));
      expect(performance.now() - began).toBeLessThan(4_000);
      for (const one of scrapes) {
        expect(one.value("selo_database_up")).toBe(0);
        expect(one.has("selo_jobs")).toBe(false);
        expect(one.has("selo_unverified_proofs_oldest_waiting_seconds")).toBe(false);
        expect(one.has("process_cpu_seconds_total")).toBe(true);
      }
      const { rows } = await admin.query(
        "select count(*)::int as asked from pg_stat_activity where datname = current_database() and query like '%queue_states%' and state = 'active' and pid <> pg_backend_pid()",
      );
      expect(rows).toEqual([{ asked: 1 }]);
      await lock.query("rollback");
      await expect
        .poll(async () => (await scrape(selo.baseUrl)).value("selo_database_up"), { timeout: 15_000, interval: 250 })
        .toBe(1);
    } finally {
      lock.release(true);
      await selo.stop();
    }
  }, 40_000);

  test("while Postgres is away the process tells of itself, and of the queues when it is back", async () => {
    const selo = await startTestGateway();
    const way = await databaseWay(selo.database.appUrl);
    const gateway = await startGateway({
      config: readConfig({ ...selo.config.environment, DATABASE_URL: way.url, METRICS_TOKEN: TOKEN }),
      databaseUrl: way.url,
      masterKeys,
      log: createLogger("silent"),
      freshness: { queuesMs: 100 },
    });
    const baseUrl = `http://127.0.0.1:${gateway.port}`;
    const up = async () => (await scrape(baseUrl)).value("selo_database_up");
    try {
      expect(await up()).toBe(1);
      await way.close();
      await expect.poll(up, { timeout: 10_000, interval: 250 }).toBe(0);
      const away = await scrape(baseUrl);
      expect(away.has("selo_unverified_proofs")).toBe(false);
      expect(away.value(REQUESTS, { route: "/metrics", status: "200" })).toBeGreaterThan(0);
      await way.open();
      await expect.poll(up, { timeout: 10_000, interval: 250 }).toBe(1);
      expect((await scrape(baseUrl)).has("selo_unverified_proofs")).toBe(true);
    } finally {
      await gateway.stop();
      await way.close();
      await selo.stop();
    }
  }, 40_000);
});

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
  const config = readConfig({
    PORT: "0",
    PUBLIC_URL: "http://selo.test",
    SELO_DATA_DIR: folder,
    SELO_MASTER_KEY: TEST_MASTER_KEY,
    DATABASE_URL: database.appUrl,
    DATABASE_ADMIN_URL: database.adminUrl,
    DATABASE_WORKER_URL: database.workerUrl,
    METRICS_PORT: String(await freePort()),
  });
  const own = `http://127.0.0.1:${config.metricsPort}`;
  const started = await startAll(config, createLogger("silent"));
  try {
    await database.admin.query("select graphile_worker.add_job('platform__watch_jobs')");
    await expect
      .poll(
        async () =>
          (await scrape(own, null)).value("selo_job_duration_seconds_count", { task: "platform__watch_jobs" }),
        {
          timeout: 15_000,
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
}, 60_000);

test("every request answered with 429 counts as rate-limited, in REST and GraphQL", async () => {
  const selo = await startTestGateway({ METRICS_TOKEN: TOKEN, PUBLIC_REQUESTS_PER_MINUTE: "2" });
  try {
    const statuses: number[] = [];
    for (let request = 0; request < 5; request++)
      statuses.push((await call(selo, "GET", "/public/platform-key")).status);
    statuses.push((await graphql(selo, null, "{ platformKeys { nodes { keyId } } }")).status);
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
    await expect.poll(async () => (await scrape(selo.baseUrl)).value("selo_rate_limited_requests_total")).toBe(4);
    expect((await scrape(selo.baseUrl)).value("selo_errors_total", { code: "rate_limited" })).toBe(4);
  } finally {
    await selo.stop();
  }
});

test("a signature that does not verify counts as a failed seal of its environment", async () => {
  const selo = await startTestGateway();
  const { live, test: testToken } = await selo.newOrganization();
  // Another key's public half under the live key's name: what is signed does not verify against it.
  await selo.database.admin.query(
    `update platform.platform_keys as key set public_key = other.public_key from platform.platform_keys as other
     where key.algorithm = 'Ed25519' and key.environment = 'live' and other.algorithm = 'Ed25519' and other.environment = 'test'`,
  );
  const gateway = await startGateway({
    config: readConfig({ ...selo.config.environment, METRICS_TOKEN: TOKEN }),
    databaseUrl: selo.database.appUrl,
    masterKeys,
    log: createLogger("silent"),
  });
  const baseUrl = `http://127.0.0.1:${gateway.port}`;
  try {
    expect((await call({ baseUrl }, "POST", "/proofs", { token: live, body: { sha256: random() } })).status).toBe(500);
    expect((await call({ baseUrl }, "POST", "/proofs", { token: testToken, body: { sha256: random() } })).status).toBe(
      201,
    );
    const now = await scrape(baseUrl);
    expect(now.value("selo_seals_total", { environment: "live", outcome: "failed" })).toBe(1);
    expect(now.value("selo_seals_total", { environment: "live", outcome: "made" })).toBe(0);
    expect(now.value("selo_seals_total", { environment: "test", outcome: "made" })).toBe(1);
    expect(now.value("selo_errors_total", { code: "internal_error" })).toBe(1);
  } finally {
    await gateway.stop();
    await selo.stop();
  }
});
