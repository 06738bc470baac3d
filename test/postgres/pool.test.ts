import { once } from "node:events";
import net from "node:net";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { PATIENCE_MS } from "../../src/postgres/patience.ts";
import { type ConnectionSettings, clientConfig } from "../../src/postgres/pool.ts";

afterEach(() => void vi.useRealTimers());

test.each([
  { role: "selo_app", isLate: true },
  { role: null, isLate: false },
] as const)(
  "a server that is as late as no caller would wait: with the role $role the connection has failed: $isLate",
  async ({ role, isLate }) => {
    const { url, server } = await silentServer();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const client = new pg.Client(clientConfig({ url, role, applicationName: "test" } satisfies ConnectionSettings));
    const failed = vi.fn<() => void>();
    const ended = client.connect().catch(failed);
    await once(server, "connection");
    vi.advanceTimersByTime(PATIENCE_MS + 1);
    if (isLate) await ended;
    expect(failed).toHaveBeenCalledTimes(isLate ? 1 : 0);

    vi.advanceTimersByTime(60_000);
    await ended;
    expect(failed).toHaveBeenCalledTimes(1);
    server.close();
  },
);

/** Takes connections and says nothing. */
async function silentServer() {
  const server = net.createServer((socket) => socket.on("error", () => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  return { server, url: `postgres://selo@127.0.0.1:${port}/selo` };
}
