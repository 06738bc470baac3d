// Bodies that come at one byte a moment, on many connections at once.
import { randomBytes } from "node:crypto";
import net from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HTTP_TIMEOUTS } from "../../../src/surfaces/http/server.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";

const EACH = 40;
/** In place of the gateway's own half minute (test/surfaces/http/timeouts.test.ts): longer than it takes to let go of who was answered early. */
const BODY_MS = 10_000;

let selo: TestGateway;
let organization: TestOrganization;
let port: number;
beforeAll(async () => {
  selo = await startTestGateway({}, { timeouts: { ...HTTP_TIMEOUTS, bodyMs: BODY_MS } });
  organization = await selo.newOrganization({ credits: 100_000 });
  port = Number(new URL(selo.baseUrl).port);
});
afterAll(() => selo?.stop());

interface SlowClient {
  /** Seconds until the server closed it; null while it is open. */
  closedAfter: number | null;
  received: string;
  stop(): void;
}

/** Announces a megabyte, sends the beginning, and then a byte twice a second. */
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
  const drip = setInterval(() => socket.write("x"), 500);
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

/** Makes ordinary requests of every kind. */
async function ordinary(rounds: number): Promise<void> {
  const headers = { authorization: `Bearer ${organization.live}`, "content-type": JSON_TYPE };
  const base = `http://127.0.0.1:${port}`;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(base + path, init);
    const body = await response.json();
    expect(response.ok).toBe(true);
    return body as { id: string; verification_code: string };
  };
  for (let round = 0; round < rounds; round++) {
    const body = JSON.stringify({ sha256: randomBytes(32).toString("hex") });
    const { id, verification_code } = await ask("/api/v1/proofs", { method: "POST", headers, body });
    await Promise.all([
      ask(`/api/v1/proofs/${id}`, { headers }),
      ask(`/api/v1/public/proofs/${verification_code}`),
      ask("/graphql", { method: "POST", headers, body: '{"query":"{ proofs(first: 5) { nodes { id } } }"}' }),
    ]);
  }
}

test("200 connections whose bodies drip hold nobody else up, and are cut off where they may not take their time", async () => {
  await ordinary(20);
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
    const open = (clients: readonly SlowClient[]) => clients.filter(({ closedAfter }) => closedAfter === null).length;
    const areAllThere = () => open(cut) === cut.length;
    let served = 0;
    while (served < 20 && areAllThere()) {
      await ordinary(1);
      if (areAllThere()) served++;
    }
    // Answered while all of them were there: nobody has waited for them.
    expect(served).toBeGreaterThan(0);
    await expect.poll(() => open([...cut, ...refused]), { timeout: 60_000, interval: 50 }).toBe(0);
    // Who was answered early is let go of sooner.
    const last = (clients: readonly SlowClient[]) => Math.max(...clients.map(({ closedAfter }) => closedAfter ?? 0));
    expect(last(refused)).toBeLessThan(last(cut));
    for (const { closedAfter, received } of cut) {
      expect(closedAfter).toBeGreaterThan((BODY_MS - 1_000) / 1_000);
      expect(received).toBe("");
    }
    for (const { received } of refused) expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(patient.every(({ closedAfter, received }) => closedAfter === null && received === "")).toBe(true);
    await ordinary(10);
  } finally {
    for (const client of cut.concat(refused, patient)) client.stop();
  }
}, 90_000);
