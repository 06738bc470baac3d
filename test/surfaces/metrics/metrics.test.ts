// GET /metrics: what it counts, and that nothing of callers is in it.
import { createHash, randomBytes } from "node:crypto";
import net from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { startGateway } from "../../../src/main/gateway.ts";
import { createLogger } from "../../../src/main/log.ts";
import { documentedMetrics } from "../../support/documented-metrics.ts";
import type { Scrape } from "../../support/exposition.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql, post } from "../../support/graphql-client.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call, filePart, multipartBody, sendRaw } from "../../support/rest-client.ts";
import { REQUESTS, random, scrape, TOKEN } from "./scrape.ts";

const DURATIONS = "selo_http_request_duration_seconds_count";

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
        timeout: 30_000,
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
    await expect.poll(underWay).toBe(2);
    socket.destroy();
    await expect.poll(underWay).toBe(1);
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
    expect((await graphql(selo, token, "{ nothing }")).status).toBe(400);
    // Nothing is answered, which readers of JSON are told with 200.
    const writer = await organization.token("test", ["proofs:write"]);
    const failed = await graphql(selo, writer, "{ proofs { nodes { id } } }", {}, { accept: "application/json" });
    expect(failed.status).toBe(200);
    const operations = "selo_graphql_operations_total";
    await expectRise(1, operations, { kind: "query", status: "403" });
    await expectRise(1, operations, { kind: "query", status: "200" });
    await expectRise(1, operations, { kind: "query", status: "401" });
    await expectRise(1, operations, { kind: "mutation", status: "200" });
    await expectRise(1, operations, { kind: "refused", status: "400" });
    await expectRise(1, operations, { kind: "refused", status: "422" });
    await expectRise(6, operations);
    await expectRise(6, REQUESTS, { route: "/graphql" });
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

  test("names are as the guide to operating lists them, with their labels", async () => {
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
