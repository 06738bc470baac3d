/** The process of receivers that would exhaust a worker: forked, it is told a certificate or "in the clear", and tells their ports. */
import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import type { Certificate } from "../../adapters/outgoing-http/loopback.ts";

type Secrecy = Certificate | "in the clear";

/** What one of them does when a POST has come. */
type Receiver = (socket: net.Socket) => void;

/** Writes the same as fast as it is taken. */
function flood(socket: net.Socket, text: string): void {
  const piece = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)), "latin1");
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

/** Writes the same again and again, twenty times a second. */
function drip(socket: net.Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 50);
  socket.on("close", () => clearInterval(timer));
}

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const LONG_EXTENSION = `1;${"a".repeat(60 * 1024)}\r\nX\r\n`;

const receivers = {
  extensions: (socket) => {
    socket.write(CHUNKED);
    flood(socket, LONG_EXTENSION);
  },
  "an extension without end": (socket) => {
    socket.write(`${CHUNKED}1;`);
    flood(socket, "a");
  },
  "an extension, then silence": (socket) => void socket.write(CHUNKED + LONG_EXTENSION),
  trailers: (socket) => {
    socket.write(`${CHUNKED}0\r\n`);
    flood(socket, "X-Trailer: x\r\n");
  },
  "a head without end": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    flood(socket, "X-More: x\r\n");
  },
  "a reason without end": (socket) => {
    socket.write("HTTP/1.1 200 ");
    flood(socket, "because ");
  },
  "interim answers": (socket) => flood(socket, "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"),
  "a huge body": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n");
    flood(socket, "x");
  },
  "a huge body that grows as text": (socket) => {
    socket.write("HTTP/1.1 500 Oops\r\n\r\n");
    flood(socket, "\0");
  },
  "a dripping head": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX-Drip: ");
    drip(socket, "x");
  },
  "dripping chunks": (socket) => {
    socket.write(CHUNKED);
    drip(socket, "1;a\r\nX\r\n");
  },
  "a flood of a kept connection": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=600\r\nContent-Length: 0\r\n\r\n");
    flood(socket, "\r\n");
  },
} satisfies Record<string, Receiver>;

export type HostileReceiver = keyof typeof receivers;

async function listen(receiver: Receiver, certificate: Secrecy): Promise<number> {
  const serve = (socket: net.Socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => {
      if (data.includes("POST ")) receiver(socket);
    });
  };
  const server = certificate === "in the clear" ? net.createServer(serve) : tls.createServer({ ...certificate }, serve);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

process.on("message", async (certificate: Secrecy) => {
  const ports: Partial<Record<string, number>> = {};
  for (const [name, receiver] of Object.entries(receivers)) ports[name] = await listen(receiver, certificate);
  process.send?.(ports);
});
process.on("disconnect", () => process.exit(0));
