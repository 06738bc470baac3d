// How long the server waits. That it cuts off what drips for longer is shown by test/system/faults/slow-clients.test.ts.
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import type http from "node:http";
import net from "node:net";
import { expect, test } from "vitest";
import { HTTP_TIMEOUTS } from "../../../src/surfaces/http/server.ts";
import { startTestGateway } from "../../support/gateway.ts";

test("a gateway waits 10 seconds for headers, 30 seconds for a body and where nothing comes, and for no request as a whole", async () => {
  const selo = await startTestGateway();
  const servers = new Set<http.Server>();
  const see = (message: unknown) => servers.add((message as { server: http.Server }).server);
  diagnostics.subscribe("http.server.request.start", see);
  try {
    expect((await fetch(`${selo.baseUrl}/healthz`)).status).toBe(200);
    const waits = [...servers].map((server) => {
      const { headersTimeout, timeout, requestTimeout } = server;
      const { connectionsCheckingInterval } = server as http.Server & http.ServerOptions;
      return { headersTimeout, connectionsCheckingInterval, timeout, requestTimeout };
    });
    expect(waits).toEqual([
      { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, timeout: 30_000, requestTimeout: 0 },
    ]);
    expect(HTTP_TIMEOUTS.bodyMs).toBe(30_000);
  } finally {
    diagnostics.unsubscribe("http.server.request.start", see);
    await selo.stop();
  }
});

test("a connection without a request is closed without an answer, and half a head is answered before it is closed", async () => {
  const selo = await startTestGateway({}, { timeouts: { headersMs: 200 } });
  const answerTo = async (sent: string) => {
    const socket = net.connect(Number(new URL(selo.baseUrl).port), "127.0.0.1").setEncoding("utf8");
    let answer = "";
    socket.on("data", (piece: string) => {
      answer += piece;
    });
    socket.write(sent);
    await once(socket, "close");
    return answer;
  };
  try {
    expect(await answerTo("")).toBe("");
    expect(await answerTo("GET /healthz HTTP/1.1\r\nhost: selo.test\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  } finally {
    await selo.stop();
  }
});

test("a connection stays open while a request that has arrived is worked on, and a silent one is closed", async () => {
  const silenceMs = 200;
  const selo = await startTestGateway({}, { timeouts: { silenceMs } });
  const { live } = await selo.newOrganization();
  const { port } = new URL(selo.baseUrl);
  const blocker = await selo.database.admin.connect();
  try {
    await blocker.query("begin; lock table platform.organizations in access exclusive mode");
    const asked = fetch(`${selo.baseUrl}/api/v1/proofs`, {
      method: "POST",
      headers: { authorization: `Bearer ${live}`, "content-type": "application/json" },
      body: JSON.stringify({ sha256: "0".repeat(64) }),
    });
    // Silent in the middle of a body. It is closed when the time is over, and then the other one has waited for as long.
    for (let times = 0; times < 2; times++) {
      const silent = net.connect(Number(port), "127.0.0.1");
      silent.write("POST /api/v1/proofs HTTP/1.1\r\nhost: selo.test\r\ncontent-length: 100\r\n\r\n{");
      await once(silent.resume(), "close");
    }
    await blocker.query("rollback");
    expect((await asked).status).toBe(201);
  } finally {
    blocker.release(true);
    await selo.stop();
  }
});
