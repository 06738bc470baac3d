// Bodies that come at one byte a second, on many connections at once.
import { randomBytes } from "node:crypto";
import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { newOrganization, type TestOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { freePort, type SeloProcess, selo } from "../../support/selo-process.ts";

const EACH = 40;
/** Rounds of ordinary requests that are answered meanwhile, at least and at most. */
const [LEAST_ROUNDS, MOST_ROUNDS] = [5, 100];
/** Where `http/server.ts` cuts (BODY_MS). When it answers early, it lets go after two. */
const CUT_SECONDS = 30;

let database: TestDatabase;
let organization: TestOrganization;
let gateway: SeloProcess;
let port: number;
beforeAll(async () => {
  database = await createTestDatabase();
  const operator = await Operator.connect(database.adminUrl);
  organization = await newOrganization(operator, { credits: 100_000 });
  await operator.close();
  port = await freePort();
  gateway = selo(["gateway"], {
    SELO_MASTER_KEY: TEST_MASTER_KEY,
    DATABASE_URL: database.appUrl,
    PORT: String(port),
    PUBLIC_URL: "http://selo.test",
    LOG_LEVEL: "fatal",
    PUBLIC_REQUESTS_PER_MINUTE: "1000000",
    TOKEN_REQUESTS_PER_MINUTE: "10000000",
    SHUTDOWN_GRACE_SECONDS: "1",
  });
  await gateway.until("gateway on");
});
afterAll(async () => {
  gateway.child.kill("SIGTERM");
  await gateway.finished;
  await database.drop();
});

interface SlowClient {
  /** Seconds until the server closed it; null while it is open. */
  closedAfter: number | null;
  received: string;
  stop(): void;
}

/** Announces a megabyte, sends the beginning, and then a byte every second. */
function slowClient(path: string, token: string | null, contentType: string, beginning: string): SlowClient {
  const socket = net.connect(port, "127.0.0.1");
  const started = performance.now();
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      "Host: selo.test",
      ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
      `Content-Type: ${contentType}`,
      "Content-Length: 1000000",
      "",
      beginning,
    ].join("\r\n"),
  );
  const drip = setInterval(() => socket.write("x"), 1_000);
  const client: SlowClient = {
    closedAfter: null,
    received: "",
    stop: () => {
      clearInterval(drip);
      socket.destroy();
    },
  };
  socket.on("data", (chunk) => {
    client.received += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearInterval(drip);
    client.closedAfter ??= (performance.now() - started) / 1_000;
  });
  return client;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data; boundary=b";
const FORM_BEGINNING = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';

/** Makes an ordinary request of every kind. */
async function ordinary(): Promise<void> {
  const headers = { authorization: `Bearer ${organization.live}`, "content-type": JSON_TYPE };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    expect(response.ok).toBe(true);
    return (await response.json()) as { id: string; verification_code: string };
  };
  const body = JSON.stringify({ sha256: randomBytes(32).toString("hex") });
  const { id, verification_code } = await ask("/api/v1/proofs", { method: "POST", headers, body });
  await Promise.all([
    ask(`/api/v1/proofs/${id}`, { headers }),
    ask(`/api/v1/public/proofs/${verification_code}`),
    ask("/graphql", { method: "POST", headers, body: '{"query":"{ proofs(first: 5) { nodes { id } } }"}' }),
  ]);
}

test("200 connections whose bodies drip hold nobody else up, and are cut off where they may not take their time", async () => {
  for (let round = 0; round < LEAST_ROUNDS; round++) await ordinary();
  const many = (...args: Parameters<typeof slowClient>) => Array.from({ length: EACH }, () => slowClient(...args));
  const { live } = organization;
  const unknown = `svc_live_${"A".repeat(43)}`;
  const cut = [
    ...many("/api/v1/proofs", live, JSON_TYPE, "\r\n{"),
    ...many("/api/v1/public/proofs/verify", null, JSON_TYPE, "\r\n{"),
    ...many("/api/v1/public/proofs/verify", null, FORM_TYPE, `\r\n${FORM_BEGINNING}`),
  ];
  const refused = many("/api/v1/proofs", unknown, FORM_TYPE, `\r\n${FORM_BEGINNING}`);
  // A file of somebody with a token may take its time, as long as something comes.
  const patient = many("/api/v1/proofs", live, FORM_TYPE, `\r\n${FORM_BEGINNING}`);
  try {
    const areThere = () => cut.concat(patient).every(({ closedAfter }) => closedAfter === null);
    let rounds = 0;
    for (; rounds < MOST_ROUNDS; rounds++) {
      await ordinary();
      if (!areThere()) break;
    }
    expect(rounds).toBeGreaterThanOrEqual(LEAST_ROUNDS);
    await expect
      .poll(() => cut.concat(refused).filter(({ closedAfter }) => closedAfter === null).length, {
        timeout: 2 * CUT_SECONDS * 1_000,
        interval: 100,
      })
      .toBe(0);
    for (const { closedAfter, received } of cut) {
      expect(closedAfter).toBeGreaterThan(CUT_SECONDS - 1);
      expect(received).toBe("");
    }
    // Long before the others.
    for (const { closedAfter, received } of refused) {
      expect(received).toMatch(/^HTTP\/1\.1 401 /);
      expect(closedAfter).toBeLessThan(CUT_SECONDS - 1);
    }
    expect(patient.every(({ closedAfter, received }) => closedAfter === null && received === "")).toBe(true);
    await ordinary();
  } finally {
    for (const client of cut.concat(refused, patient)) client.stop();
  }
}, 150_000);
