import net from "node:net";
import { inject } from "vitest";
import { freePort } from "./selo-process.ts";

/** A way to the database's server that can be cut: what is on it breaks off, what comes is refused. */
export async function databaseWay(databaseUrl: string) {
  const postgres = inject("postgres");
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const onward = net.connect(postgres.port, "127.0.0.1");
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => open.delete(one));
    }
  });
  // Nobody takes it while the way is cut.
  const port = await freePort();
  const listen = () => new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  await listen();
  return {
    url: databaseUrl.replace(/@[^/]+\//, `@127.0.0.1:${port}/`),
    open: listen,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        for (const socket of open) socket.destroy();
      }),
  };
}
