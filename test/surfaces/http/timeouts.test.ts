// How long the server waits. That it cuts off what drips for longer is shown by test/system/faults/slow-clients.test.ts.
import diagnostics from "node:diagnostics_channel";
import type http from "node:http";
import { expect, test } from "vitest";
import { startTestGateway } from "../../support/gateway.ts";

test("a gateway waits 10 seconds for headers, 30 seconds where nothing comes, and for no request as a whole", async () => {
  const selo = await startTestGateway();
  const servers = new Set<http.Server>();
  const see = (message: unknown) => servers.add((message as { server: http.Server }).server);
  diagnostics.subscribe("http.server.request.start", see);
  try {
    expect((await fetch(`${selo.baseUrl}/healthz`)).status).toBe(200);
    const waits = [...servers].map(({ headersTimeout, timeout, requestTimeout }) => [
      headersTimeout,
      timeout,
      requestTimeout,
    ]);
    expect(waits).toEqual([[10_000, 30_000, 0]]);
  } finally {
    diagnostics.unsubscribe("http.server.request.start", see);
    await selo.stop();
  }
});
