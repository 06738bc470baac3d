// What of TLS failed: certificates that openssl makes and servers that it runs, one for each kind.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import type net from "node:net";
import os from "node:os";
import path from "node:path";
import { Duplex } from "node:stream";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebhookSender } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { request, startServer } from "./loopback.ts";

const NAME = "hook.example.com";
const ALT_NAME = `subjectAltName=DNS:${NAME}`;
/** The extensions of each certificate, and its issuer, dates or key where they are not the common ones. */
const CERTIFICATES: Readonly<Record<string, readonly [extensions: string, options?: string]>> = {
  good: [ALT_NAME],
  expired: [ALT_NAME, "-startdate 20200101000000Z -enddate 20210101000000Z"],
  future: [ALT_NAME, "-startdate 20990101000000Z -enddate 20991231000000Z"],
  other: ["subjectAltName=DNS:other.example.com"],
  client: [`${ALT_NAME}\\nextendedKeyUsage=clientAuth`],
  signing: [`${ALT_NAME}\\nkeyUsage=critical,keyCertSign`],
  unknown: [`${ALT_NAME}\\n1.2.3.4=critical,ASN1:NULL`],
  sub: ["basicConstraints=critical,CA:TRUE,pathlen:0\\nnameConstraints=critical,permitted;DNS:example.com"],
  below: ["basicConstraints=critical,CA:TRUE", "-cert sub.pem -keyfile sub.key"],
  long: [ALT_NAME, "-cert below.pem -keyfile below.key"],
  outside: ["subjectAltName=DNS:hook.example.org", "-cert sub.pem -keyfile sub.key"],
  weak: [ALT_NAME],
};

let folder: string;
let sender: WebhookSender;
const closing: (() => unknown)[] = [];
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-tls-"));
  // Programs begin slowly, so one shell starts them all.
  const make = Object.entries(CERTIFICATES).map(([name, [extensions, options = ""]]) => {
    const key = name === "weak" ? "rsa:1024" : "ec -pkeyopt ec_paramgen_curve:P-256";
    const issuer = options.includes("-cert ") ? "" : "-cert ca.pem -keyfile ca.key";
    const dates = options.includes("-enddate ") ? "" : "-days 2";
    return `openssl req -newkey ${key} -nodes -subj /CN=${name} -keyout ${name}.key -out ${name}.csr
      printf '${extensions}\\n' > ${name}.ext
      openssl ca -batch -notext -config ca.cnf -in ${name}.csr ${issuer} ${dates} ${options} -extfile ${name}.ext -out ${name}.pem`;
  });
  const script = `set -e
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=ca -addext keyUsage=critical,keyCertSign -keyout ca.key -out ca.pem
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=self -addext ${ALT_NAME} -keyout self.key -out self.pem
    touch known.txt
    printf '[ca]\\ndefault_ca=d\\n[d]\\ndatabase=known.txt\\nnew_certs_dir=.\\ndefault_md=sha256\\nrand_serial=yes\\npolicy=p\\n[p]\\ncommonName=supplied\\n' > ca.cnf
    ${make.join("\n")}
    cat below.pem sub.pem >> long.pem
    cat sub.pem >> outside.pem`;
  execFileSync("sh", ["-c", script], { cwd: folder, stdio: "pipe" });
  sender = new WebhookSender({
    resolver: { resolve: async () => ["127.0.0.1"] },
    ca: read("ca.pem"),
    isAllowed: (address) => address === "127.0.0.1",
    // Longer than a test may last.
    ...{ attemptMs: 120_000, connectMs: 120_000 },
  });
  closing.push(() => sender.close());
});
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const read = (file: string) => fs.readFileSync(path.join(folder, file), "utf8");
const post = (port: number, name = NAME) =>
  sender.send(request(`https://${name}:${port}/hook`, { allowLoopback: false }));

/** A server of openssl; answers its port. */
async function openssl(...options: string[]): Promise<number> {
  const given = ["-accept", "127.0.0.1:0", "-key", "good.key", "-cert", "good.pem"];
  const server: ChildProcess = spawn("openssl", ["s_server", ...given, ...options], {
    cwd: folder,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise((resolve) => server.once("close", resolve));
  closing.push(() => {
    server.kill("SIGKILL");
    return ended;
  });
  return new Promise((resolve, reject) => {
    let said = "";
    server.once("close", () => reject(new Error(`openssl ended: ${said}`)));
    // It says which port it was given.
    server.stdout?.on("data", (text: Buffer) => {
      said += text;
      const [, chosen] = /ACCEPT \S+:(\d+)\s/.exec(said) ?? [];
      if (chosen !== undefined) resolve(Number(chosen));
    });
  });
}

/** A server of Node with a certificate of the folder. */
async function serve(certificate: string): Promise<number> {
  const pair = { key: read(`${certificate}.key`), cert: read(`${certificate}.pem`) };
  const ciphers = certificate === "weak" ? { ciphers: "ALL:@SECLEVEL=0" } : {};
  const server = await startServer(undefined, ["127.0.0.1"], { ...pair, ...ciphers });
  closing.push(server.close);
  return server.port;
}

const expectDetail = async (port: number, errorDetail: string, name?: string) =>
  expect(await post(port, name)).toEqual({
    status: null,
    body: null,
    truncated: false,
    errorCode: "tls_failed",
    errorDetail,
    retryAfterSeconds: null,
  });

describe("a failure of TLS is tls_failed", () => {
  test.each([
    ["a certificate that has expired", "expired", "expired"],
    ["a certificate that is not valid yet", "future", "expired"],
    ["a certificate of another name", "other", "wrong_name"],
    ["a certificate for clients alone", "client", "purpose"],
    ["a certificate for signing certificates alone", "signing", "purpose"],
    ["a certificate that signed itself", "self", "not_trusted"],
    ["a certificate with an unknown critical extension", "unknown", "not_trusted"],
    ["a certificate below more authorities than its issuer allows", "long", "not_trusted"],
    ["a certificate with a short key", "weak", "not_trusted"],
  ])("%s: %s is %s", async (_what, certificate, detail) => {
    await expectDetail(await serve(certificate), detail);
  });

  test("a certificate of a name that its authority may not name is not_trusted", async () => {
    await expectDetail(await serve("outside"), "not_trusted", "hook.example.org");
  });

  test.each([
    ["TLS 1.1 alone", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "protocol"],
    ["no cipher in common", ["-tls1_2", "-cipher", "ECDHE-ECDSA-NULL-SHA:@SECLEVEL=0"], "protocol"],
    ["HTTP/2 alone", ["-alpn", "h2"], "protocol"],
    [
      "no certificate for the name",
      ["-servername", "other.example.com", "-servername_fatal", "-cert2", "other.pem", "-key2", "other.key"],
      "wrong_name",
    ],
    [
      "a certificate of the client, in TLS 1.2",
      ["-tls1_2", "-Verify", "1", "-verify_return_error"],
      "client_certificate",
    ],
  ])("a server with %s", async (_what, options, detail) => {
    await expectDetail(await openssl(...options), detail);
  });

  test("a server that wants a certificate of the client, in TLS 1.3, is client_certificate", async () => {
    const options = { isServer: true, requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.3" } as const;
    const pair = { key: read("good.key"), cert: read("good.pem"), ca: read("ca.pem") };
    // The connection stays open behind the alert: a reset may overtake an alert.
    const server = await startServer((socket) => {
      const between = new Duplex({
        read: () => {},
        write: (chunk, _, done) => void socket.write(chunk, done),
        destroy: (_, done) => done(null),
      });
      socket.on("data", (data) => between.push(data));
      new tls.TLSSocket(between, { ...options, ...pair }).on("error", () => {});
    });
    closing.push(server.close);
    await expectDetail(server.port, "client_certificate");
  });

  test.each([
    ["HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n"],
    ["SMTP", "220 mail.example.com ESMTP\r\n"],
    ["nothing known", "\0".repeat(200)],
  ])("a server that speaks %s is protocol", async (_what, text) => {
    const server = await startServer((socket) => void socket.once("data", () => socket.end(text)));
    closing.push(server.close);
    await expectDetail(server.port, "protocol");
  });
});

test("a server that closes in the handshake without a word is connection_reset, without a detail", async () => {
  const server = await startServer((socket) => void socket.once("data", () => socket.destroy()));
  closing.push(server.close);
  expect(await post(server.port)).toMatchObject({ errorCode: "connection_reset", errorDetail: null });
});

test("a name with a final dot is reached by the server name and the certificate without it", async () => {
  const names: unknown[] = [];
  const answer = (socket: net.Socket) =>
    void socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"));
  const certificate = {
    key: read("good.key"),
    cert: read("good.pem"),
    SNICallback: (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    },
  };
  const server = await startServer(answer, ["127.0.0.1"], certificate);
  closing.push(server.close);
  expect(await post(server.port, `${NAME}.`)).toMatchObject({ status: 204, errorCode: null });
  expect(names).toEqual([NAME]);
});
