// Servers on this machine that count who connects, and how requests of these tests look.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import type { WebhookRequest } from "../../../src/adapters/outgoing-http/webhook-sender.ts";

export interface CountingServer {
  readonly port: number;
  /** Connections there were. */
  readonly connections: number;
  /** Connections there are. */
  readonly open: number;
  close(): Promise<void>;
}

/** A server on loopback addresses, the same port on each, that does with connections what it is told; with a certificate it speaks TLS. */
export async function startServer(
  serve: (socket: net.Socket) => void = (socket) => void socket.resume(),
  hosts: readonly string[] = ["127.0.0.1"],
  certificate?: Certificate & tls.TlsOptions,
): Promise<CountingServer> {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  let port = 0;
  const servers: net.Server[] = [];
  for (const host of hosts) {
    const onSocket = (socket: net.Socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
      serve(socket);
    };
    const server = certificate ? tls.createServer({ ...certificate }, onSocket) : net.createServer(onSocket);
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  return {
    port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

export function request(url: string, options: Partial<WebhookRequest> = {}): WebhookRequest {
  return {
    url,
    headers: { "content-type": "application/json" },
    body: "{}",
    allowLoopback: true,
    nowMs: Date.now(),
    ...options,
  };
}

/** As PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate for a name, signed by itself. */
export function selfSigned(name: string): Certificate {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-certificate-"));
  try {
    const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        `/CN=${name}`,
      ].concat(["-addext", `subjectAltName=DNS:${name}`, "-keyout", key, "-out", cert]),
      { stdio: "ignore" },
    );
    return { key: fs.readFileSync(key, "utf8"), cert: fs.readFileSync(cert, "utf8") };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
