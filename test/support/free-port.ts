import net from "node:net";

/** Below those that Linux gives to whoever asks for any (32768–60999), and those of the embedded Postgres (20000–31999). */
const FIRST = 10_000;
const COUNT = 10_000;
const reservations: net.Server[] = [];

/** A TCP port of 127.0.0.1 for a program that cannot be asked where it listens: no other process of tests is given it. */
export async function freePort(): Promise<number> {
  // Each process begins somewhere else.
  const begin = process.pid * 97 + reservations.length;
  for (let step = 0; step < COUNT; step++) {
    const port = FIRST + ((begin + step) % COUNT);
    // Linux forgets a name that begins with a zero byte with the process that has it.
    const reservation = await listen(
      process.platform === "linux" ? { path: `\0selo-test-port-${port}` } : { port: 0, host: "127.0.0.1" },
    );
    if (reservation === null) continue;
    reservations.push(reservation.unref());
    const trial = await listen({ port, host: "127.0.0.1" });
    if (trial === null) continue;
    await new Promise((closed) => trial.close(closed));
    return port;
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT - 1} is free`);
}

/** A server there; null if the address is taken. */
function listen(options: net.ListenOptions): Promise<net.Server | null> {
  const server = net.createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(null) : reject(error),
    );
    server.listen(options, () => resolve(server));
  });
}
