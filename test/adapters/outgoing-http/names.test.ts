// Names, through a name server that speaks the protocol, and TLS. Two loopback addresses stand for a public and a private one.
import http2 from "node:http2";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { WebhookSender, type WebhookSenderOptions } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import { type CountingServer, request, selfSigned, startServer } from "./loopback.ts";

const NAME = "hook.example.com";
const PUBLIC = "127.0.0.1";
const PRIVATE = "127.0.0.2";

const certificate = selfSigned(NAME);
let dns: DnsServer;
let receiver: https.Server;
let port: number;
let secret: CountingServer;
const senders: WebhookSender[] = [];
beforeAll(async () => {
  dns = await startDnsServer();
  receiver = https.createServer(certificate, (incoming, response) => {
    if (incoming.url === "/away")
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
    else if (incoming.url === "/inside") response.writeHead(307, { location: `https://${PRIVATE}:${port}/` }).end();
    else incoming.resume().on("end", () => response.end("thanks"));
  });
  await new Promise<void>((resolve) => receiver.listen(0, PUBLIC, resolve));
  port = (receiver.address() as AddressInfo).port;
  secret = await startPrivate();
});
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.close();
});
afterAll(async () => {
  receiver?.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await secret?.close();
  await dns?.close();
});

/** On the same port as the receiver, at the address that stands for a private one. */
async function startPrivate(): Promise<CountingServer> {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, PRIVATE, resolve));
  return {
    port,
    get connections() {
      return connections;
    },
    open: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function newSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = new WebhookSender({
    resolver: new DnsResolver([dns.address]),
    isAllowed: (address) => address === PUBLIC,
    ca: certificate.cert,
    ...options,
  });
  senders.push(sender);
  return sender;
}

const a =
  (...addresses: string[]) =>
  (kind: string) =>
    kind === "A" ? addresses : [];
const asked = (name: string) => dns.queries.filter((query) => query === `A ${name}`).length;
const post = (sender: WebhookSender, path = "/hook") =>
  sender.send(request(`https://${NAME}:${port}${path}`, { allowLoopback: false }));

describe("a name", () => {
  test("is asked for once with each connection, and what was judged is what is connected to (DNS rebinding)", async () => {
    const before = asked(NAME);
    dns.names.set(NAME, (kind, count) => (kind === "AAAA" ? [] : count === before + 1 ? [PUBLIC] : [PRIVATE]));
    expect(await post(newSender())).toMatchObject({ status: 200, body: "thanks", errorCode: null });
    expect(asked(NAME)).toBe(before + 1);
    // The next one is judged anew.
    expect(await post(newSender())).toMatchObject({ status: null, errorCode: "address_refused" });
    expect(asked(NAME)).toBe(before + 2);
    expect(secret.connections).toBe(0);
  });

  test("with an address that is allowed and one that is not is refused", async () => {
    for (const addresses of [
      [PUBLIC, PRIVATE],
      [PRIVATE, PUBLIC],
    ]) {
      dns.names.set(NAME, a(...addresses));
      expect((await post(newSender())).errorCode).toBe("address_refused");
    }
    expect(secret.connections).toBe(0);
  });

  test("with several addresses is reached at one that answers", async () => {
    dns.names.set(NAME, a("127.0.0.3", PUBLIC));
    const sender = newSender({ isAllowed: (address) => [PUBLIC, "127.0.0.3"].includes(address) });
    expect((await post(sender)).status).toBe(200);
  });

  test("is tried at four addresses of each kind, and all are judged", async () => {
    const four = ["127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6"];
    dns.names.set(NAME, a(...four, PUBLIC));
    const isAllowed = (address: string) => address === PUBLIC || four.includes(address);
    expect(await post(newSender({ isAllowed }))).toMatchObject({ status: null, errorCode: "connection_failed" });
    dns.names.set(NAME, a(PUBLIC, ...four.slice(1), PRIVATE));
    expect((await post(newSender({ isAllowed }))).errorCode).toBe("address_refused");
    expect(secret.connections).toBe(0);
  });

  test.each([
    ["that there is not", 3],
    ["whose name server fails", 2],
    ["without an address", []],
  ] as const)("%s is dns_failed", async (_what, answer) => {
    dns.names.set(NAME, () => answer);
    expect(await post(newSender())).toMatchObject({ status: null, errorCode: "dns_failed" });
  });

  test("nobody answers for is dns_failed after two seconds", async () => {
    dns.names.set(NAME, () => null);
    const began = performance.now();
    // Not because the time to connect is over.
    expect((await post(newSender({ connectMs: 60_000, attemptMs: 60_000 }))).errorCode).toBe("dns_failed");
    expect(performance.now() - began).toBeGreaterThan(1_900);
  });

  test("whose server is silent about one kind of address is reached by the other", async () => {
    dns.names.set(NAME, (kind) => (kind === "A" ? [PUBLIC] : null));
    expect((await post(newSender())).status).toBe(200);
  });

  test("with an answer that is no DNS is dns_failed", async () => {
    dns.names.set(NAME, () => 15);
    expect((await post(newSender())).errorCode).toBe("dns_failed");
  });
});

describe("a redirect", () => {
  test.each(["/away", "/inside"])("to where nothing may be posted is not followed: %s", async (path) => {
    dns.names.set(NAME, a(PUBLIC));
    expect((await post(newSender(), path)).errorCode).toBe("redirect");
    expect(secret.connections).toBe(0);
  });
});

describe("TLS", () => {
  test("with a receiver that would rather speak HTTP/2 is followed by HTTP/1.1, whose limits are ours", async () => {
    const versions: string[] = [];
    const modern = http2.createSecureServer({ ...certificate, allowHTTP1: true }, (incoming, response) => {
      versions.push(incoming.httpVersion);
      response.end();
    });
    await new Promise<void>((resolve) => modern.listen(0, PUBLIC, resolve));
    dns.names.set(NAME, a(PUBLIC));
    const sender = newSender();
    const url = `https://${NAME}:${(modern.address() as AddressInfo).port}/hook`;
    expect((await sender.send(request(url, { allowLoopback: false }))).status).toBe(200);
    expect(versions).toEqual(["1.1"]);
    await sender.close();
    await new Promise((resolve) => modern.close(resolve));
  });

  test("by a certificate nobody knows is tls_failed", async () => {
    dns.names.set(NAME, a(PUBLIC));
    const sender = new WebhookSender({ resolver: new DnsResolver([dns.address]), isAllowed: () => true });
    senders.push(sender);
    expect(await post(sender)).toMatchObject({ status: null, errorCode: "tls_failed" });
  });

  test("by a certificate of another name is tls_failed", async () => {
    dns.names.set("other.example.com", a(PUBLIC));
    const answer = await newSender().send(request(`https://other.example.com:${port}/hook`, { allowLoopback: false }));
    expect(answer.errorCode).toBe("tls_failed");
  });

  test("with somebody who does not speak it is tls_failed", async () => {
    const plain = await startServer((socket) =>
      socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    );
    dns.names.set(NAME, a(PUBLIC));
    const answer = await newSender().send(request(`https://${NAME}:${plain.port}/hook`, { allowLoopback: false }));
    expect(answer.errorCode).toBe("tls_failed");
    await plain.close();
  });

  test("that never begins is timeout when the time to connect is over", async () => {
    const silent = await startServer();
    dns.names.set(NAME, a(PUBLIC));
    const sender = newSender({ connectMs: 300, attemptMs: 60_000 });
    const answer = await sender.send(request(`https://${NAME}:${silent.port}/hook`, { allowLoopback: false }));
    expect(answer).toMatchObject({ status: null, errorCode: "timeout" });
    await expect.poll(() => silent.open).toBe(0);
    await silent.close();
  });
});
