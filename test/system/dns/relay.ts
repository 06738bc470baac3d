import net from "node:net";

/** A TCP relay before a server: what a network does between two programs. */
export interface Relay {
  readonly url: string;
  /** Connections that come from now on are accepted, and nothing passes. Resolves when one comes. */
  hold(): Promise<void>;
  /** Lets later connections pass. Held ones are cut, and what they sent is lost. */
  release(): void;
  close(): Promise<void>;
}

/** @param target where it passes connections to */
export async function startRelay(target: { readonly host: string; readonly port: number }): Promise<Relay> {
  const open = new Set<net.Socket>();
  let held: { readonly sockets: net.Socket[]; readonly came: () => void } | null = null;
  const watch = (socket: net.Socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy()); // cut on purpose, or by a process that was killed
    socket.on("close", () => open.delete(socket));
  };
  const server = net.createServer((socket) => {
    watch(socket);
    if (held !== null) {
      held.sockets.push(socket);
      held.came();
      return;
    }
    const onward = net.connect(target);
    watch(onward);
    socket.on("close", () => onward.destroy());
    onward.on("close", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hold: () => {
      // Connections that stay open between requests would pass.
      for (const socket of open) socket.destroy();
      return new Promise((came) => {
        held = { sockets: [], came };
      });
    },
    release: () => {
      for (const socket of held?.sockets ?? []) socket.destroy();
      held = null;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of open) socket.destroy();
      }),
  };
}
