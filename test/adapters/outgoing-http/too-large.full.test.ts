// Connections are kept as long as they are kept by default.
import { expect, test } from "vitest";
import { WebhookSender } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { request, startServer } from "./loopback.ts";

test("a receiver that asks for a connection to be kept for ten minutes has it for four seconds", async () => {
  const answer = "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 0\r\n\r\n";
  const server = await startServer((socket) => void socket.on("data", () => socket.write(answer)));
  const sender = new WebhookSender({ resolver: { resolve: async () => [] } });
  try {
    expect((await sender.send(request(`http://127.0.0.1:${server.port}/hook`))).status).toBe(200);
    const answered = performance.now();
    expect(server.open).toBe(1);
    await expect.poll(() => server.open).toBe(0);
    expect(performance.now() - answered).toBeGreaterThan(2_500);
  } finally {
    await sender.close();
    await server.close();
  }
});
