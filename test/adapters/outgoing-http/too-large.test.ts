// The sender counts every byte that a receiver sends, encrypted or not: at most 64 KiB from one POST to the next.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import type net from "node:net";
import os from "node:os";
import path from "node:path";
import v8 from "node:v8";
import vm from "node:vm";
import { afterEach, describe, expect, test } from "vitest";
import { MOST_ANSWER_BYTES, MOST_ANSWER_LINES } from "../../../src/adapters/outgoing-http/answer-limit.ts";
import { WebhookSender, type WebhookSenderOptions } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { type CountingServer, request, selfSigned, startServer } from "./loopback.ts";

const NAME = "hook.example.com";
const certificate = selfSigned(NAME);
/** What lies in the buffers of both kernels, and is neither read nor counted by anybody. */
const IN_KERNELS = 16 * 1024 * 1024;

/** Until the other side of a connection sees that it has ended. */
const SOON = { timeout: 30_000 };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function newSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = new WebhookSender({
    resolver: { resolve: async () => ["127.0.0.1"] },
    ca: certificate.cert,
    isAllowed: (address) => address === "127.0.0.1",
    // Longer than a test may last: nothing here ends because the machine is slow.
    ...{ attemptMs: 120_000, connectMs: 120_000 },
    ...options,
  });
  closing.push(() => sender.close());
  return sender;
}

type Scheme = "http" | "https";

async function serve(scheme: Scheme, handle: (socket: net.Socket) => void): Promise<CountingServer> {
  const server = await startServer(handle, ["127.0.0.1"], scheme === "https" ? certificate : undefined);
  closing.push(server.close);
  return server;
}

const urlOf = (scheme: Scheme, port: number) => `${scheme}://${scheme === "https" ? NAME : "127.0.0.1"}:${port}/hook`;
const post = (sender: WebhookSender, scheme: Scheme, { port }: { port: number }) =>
  sender.send(request(urlOf(scheme, port)));

/** Answers each POST. */
const answering = (answer: (socket: net.Socket, headers: string) => void) => (socket: net.Socket) =>
  void socket.on("data", (data) => {
    if (data.includes("POST ")) answer(socket, data.toString("latin1"));
  });

/** Writes as fast as it is taken; answers how many bytes were taken. */
function flood(socket: net.Socket, text: string): () => number {
  const piece = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)), "latin1");
  let written = 0;
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) written += piece.length;
  };
  socket.on("drain", more);
  more();
  return () => written;
}

const head = (status: string, ...headers: string[]) => `HTTP/1.1 ${[status, ...headers].join("\r\n")}\r\n\r\n`;
const CHUNKED = "Transfer-Encoding: chunked";
const LONG_EXTENSION = `1;${"a".repeat(60 * 1024)}\r\nX\r\n`;

describe.each<Scheme>(["http", "https"])("a receiver over %s that", (scheme) => {
  /** Sends a beginning and then the same again and again; its connection must be destroyed long before the attempt ends. */
  async function cut(beginning: string, again: string, expected: object): Promise<void> {
    let taken = () => 0;
    const server = await serve(
      scheme,
      answering((socket) => {
        socket.write(beginning, "latin1");
        taken = flood(socket, again);
      }),
    );
    expect(await post(newSender(), scheme, server)).toEqual({
      status: null,
      body: null,
      truncated: false,
      errorCode: null,
      errorDetail: null,
      retryAfterSeconds: null,
      ...expected,
    });
    await expect.poll(() => server.open, SOON).toBe(0);
    expect(taken()).toBeLessThan(IN_KERNELS);
  }

  test("extends its chunks after a 2xx has succeeded, with what came of the body", async () => {
    await cut(head("200 OK", CHUNKED), LONG_EXTENSION, { status: 200, body: "X", truncated: true });
  });

  test("never ends an extension before the body begins has succeeded, with an empty body", async () => {
    await cut(`${head("204 Thanks", CHUNKED)}`, "\r\n", { status: 204, body: "" });
    await cut(`${head("202 Accepted", CHUNKED)}1;`, "a", { status: 202, body: "", truncated: true });
  });

  test.each([
    ["500 Oops", { status: 500, errorCode: "http_status" }],
    ["302 Found", { status: 302, errorCode: "redirect" }],
    ["410 Gone", { status: 410, errorCode: "http_status" }],
  ])("extends its chunks after %s has failed by that status", async (status, expected) => {
    await cut(head(status, CHUNKED), LONG_EXTENSION, { body: "X", truncated: true, ...expected });
  });

  test("extends its chunks after a 503 is asked again when it said so", async () => {
    const expected = { status: 503, body: "X", truncated: true, errorCode: "http_status", retryAfterSeconds: 77 };
    await cut(head("503 Later", "Retry-After: 77", CHUNKED), LONG_EXTENSION, expected);
  });

  test("says trailers without end after a 2xx has succeeded, with the whole body", async () => {
    const beginning = `${head("200 OK", CHUNKED)}4\r\nbody\r\n0\r\n`;
    await cut(beginning, "X-Trailer: x\r\n", { status: 200, body: "body", truncated: true });
    await cut(`${beginning}X-Trailer: `, "x", { status: 200, body: "body", truncated: true });
  });

  test("says trailers without end after a 404 has failed by that status", async () => {
    const beginning = `${head("404 Not Found", CHUNKED)}0\r\n`;
    await cut(beginning, "X-Trailer: x\r\n", { status: 404, body: "", truncated: true, errorCode: "http_status" });
  });

  test.each([
    ["interim answers", "", head("102 Processing")],
    ["interim answers with headers", "", head("103 Early Hints", `Link: ${"x".repeat(8_000)}`)],
    ["a reason for its status", "HTTP/1.1 200 ", "because "],
    ["headers", "HTTP/1.1 200 OK\r\n", "X-More: x\r\n"],
    ["a header", "HTTP/1.1 200 OK\r\nX-More: ", "x"],
    ["empty lines", "", "\r\n"],
  ])("says %s without end before a final status is response_too_large", async (_what, beginning, again) => {
    await cut(beginning, again, { errorCode: "response_too_large" });
  });

  test("says a long head, and no more than 64 KiB, is understood", async () => {
    const server = await serve(
      scheme,
      answering((socket) => {
        socket.end(
          `${head("103 Early Hints", `Link: ${"x".repeat(16_384)}`)}${head("200 OK", `Link: ${"x".repeat(32_768)}`, "Content-Length: 2")}ok`,
        );
      }),
    );
    const expected = { status: 200, body: "ok", truncated: false, errorCode: null };
    expect(await post(newSender(), scheme, server)).toMatchObject(expected);
  });

  /** Interim answers, a status, a body of one byte, and as much of an extension that there are so many bytes in all. */
  function answerOf(bytes: number): string {
    const before = head("103 Early Hints", `Link: ${"x".repeat(8_000)}`).repeat(7) + head("200 OK", CHUNKED);
    const around = `${before}1;\r\nX\r\n0\r\n\r\n`;
    return around.replace("1;", `1;${"a".repeat(bytes - around.length)}`);
  }

  test("sends 64 KiB in all is understood, and is cut with one byte more, however the network brings them", async () => {
    for (const pieces of [1, 7]) {
      for (const bytes of [MOST_ANSWER_BYTES, MOST_ANSWER_BYTES + 1]) {
        const text = answerOf(bytes);
        expect(text).toHaveLength(bytes);
        const server = await serve(
          scheme,
          answering(async (socket) => {
            const size = Math.ceil(bytes / pieces);
            for (let first = 0; first < bytes; first += size)
              await new Promise((resolve) => socket.write(text.slice(first, first + size), resolve));
          }),
        );
        const truncated = bytes > MOST_ANSWER_BYTES;
        expect(await post(newSender(), scheme, server)).toMatchObject({ status: 200, body: "X", truncated });
      }
    }
  });

  test("sends a thousand lines in all is understood, and is cut with one more", async () => {
    for (const truncated of [false, true]) {
      // Three of the status and its headers, one without anything, and in the body what is left.
      const body = "\n".repeat(MOST_ANSWER_LINES - 4) + (truncated ? "x" : "");
      const server = await serve(
        scheme,
        answering((socket) => socket.write(head("200 OK", "X-One: 1", `Content-Length: ${body.length}`) + body)),
      );
      const expected = { status: 200, body: body.replace("x", ""), errorCode: null, truncated };
      expect(await post(newSender(), scheme, server)).toMatchObject(expected);
    }
  });

  test.each([
    ["headers", "HTTP/1.1 200 OK\r\n", { status: null, errorCode: "response_too_large" }],
    ["trailers", `${head("200 OK", CHUNKED)}0\r\n`, { status: 200, errorCode: null, truncated: true }],
  ])("sends many short %s and then nothing is not waited for", async (_what, beginning, expected) => {
    const server = await serve(
      scheme,
      answering((socket) => socket.write(`${beginning}${"a:\r\n".repeat(15_000)}`)),
    );
    expect(await post(newSender(), scheme, server)).toMatchObject(expected);
    await expect.poll(() => server.open, SOON).toBe(0);
  });

  test("sends its status within the limit and a flood behind it, all at once, has answered", async () => {
    const server = await serve(
      scheme,
      answering((socket) => socket.write(answerOf(60_000).replace("0\r\n\r\n", LONG_EXTENSION))),
    );
    const answers = Array.from({ length: 20 }, () => post(newSender(), scheme, server));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ status: 200, errorCode: null, truncated: true });
    }
  });

  test("answers at length over a kept connection is counted anew with each POST", async () => {
    const server = await serve(
      scheme,
      answering((socket) => socket.write(answerOf(MOST_ANSWER_BYTES))),
    );
    const sender = newSender();
    for (let made = 0; made < 30; made++) {
      expect(await post(sender, scheme, server)).toMatchObject({ status: 200, body: "X", truncated: false });
    }
    // An answer is there a moment before its connection is free again.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("floods a connection that is kept loses it, and what follows goes over another one", async () => {
    const taken: (() => number)[] = [];
    const server = await serve(
      scheme,
      answering((socket) => {
        socket.write(head("200 OK", "Content-Length: 2"));
        // Empty lines before an answer are skipped (RFC 9112 §2.2), so nothing is wrong with them but their number.
        socket.write("ok", () => taken.push(flood(socket, "\r\n")));
      }),
    );
    const sender = newSender();
    for (let made = 0; made < 20; made++) {
      expect(await post(sender, scheme, server)).toMatchObject({ status: 200, body: "ok", errorCode: null });
    }
    await expect.poll(() => server.open, SOON).toBe(0);
    for (const each of taken) expect(each()).toBeLessThan(IN_KERNELS);
  });

  test("asks for a connection to be kept for ten minutes has it for as long as we keep any", async () => {
    const server = await serve(
      scheme,
      answering((socket) => socket.write(head("200 OK", "Keep-Alive: timeout=600", "Content-Length: 0"))),
    );
    // By default it is four seconds: too-large.full.test.ts.
    expect((await post(newSender({ keepAliveMs: 100 }), scheme, server)).status).toBe(200);
    await expect.poll(() => server.open, SOON).toBe(0);
  });
});

test("a receiver that sends TLS tickets without end is response_too_large", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-tickets-"));
  closing.push(() => fs.rmSync(folder, { recursive: true, force: true }));
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  fs.writeFileSync(key, certificate.key);
  fs.writeFileSync(cert, certificate.cert);
  const server: ChildProcess = spawn(
    "openssl",
    ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", cert, "-num_tickets", "100000", "-tls1_3"],
    { stdio: ["pipe", "pipe", "ignore"] },
  );
  const ended = new Promise((resolve) => server.once("close", resolve));
  closing.push(() => {
    server.kill("SIGKILL");
    return ended;
  });
  // It says which port it was given.
  const port = await new Promise<number>((resolve) => {
    let said = "";
    server.stdout?.on("data", (text: Buffer) => {
      said += text;
      const [, chosen] = /ACCEPT \S+:(\d+)\s/.exec(said) ?? [];
      if (chosen !== undefined) resolve(Number(chosen));
    });
  });
  expect(await post(newSender(), "https", { port })).toMatchObject({ status: null, errorCode: "response_too_large" });
});

test("of answers that are waited for nothing is held but what is kept of their bodies", async () => {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  const held = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const COUNT = 200;
  const answered: net.Socket[] = [];
  const server = await serve(
    "http",
    answering((socket) => {
      socket.write(head("200 OK", CHUNKED) + LONG_EXTENSION, () => answered.push(socket));
    }),
  );
  const sender = newSender();
  const before = held();
  const attempts = Array.from({ length: COUNT }, () => post(sender, "http", server));
  await expect.poll(() => answered.length, SOON).toBe(COUNT);
  // What was sent before these answers has come by the time they have.
  const other = await serve(
    "http",
    answering((socket) => socket.write(head("200 OK", "Content-Length: 0"))),
  );
  for (let made = 0; made < 20; made++) await post(sender, "http", other);
  // What is still on its way is read first; all attempts go on meanwhile.
  await expect.poll(() => held() - before, { ...SOON, interval: 100 }).toBeLessThan(COUNT * 16 * 1024);
  for (const socket of answered) socket.destroy();
  for (const answer of await Promise.all(attempts)) {
    expect(answer).toMatchObject({ status: 200, body: "X", truncated: true, errorCode: "connection_reset" });
  }
});

test("with more than a thousand open sockets of both kinds a POST ends its connection, and with fewer it does not", async () => {
  const connectionHeaders: (string | undefined)[] = [];
  const waiting = new Set<net.Socket>();
  const handle = answering((socket, text) => {
    if (waiting.size < 1_001) {
      waiting.add(socket);
    } else {
      connectionHeaders.push(/^connection: (.+?)\r$/im.exec(text)?.[1]);
      socket.write(head("200 OK", "Content-Length: 0"));
    }
  });
  const [plain, encrypted] = [await serve("http", handle), await serve("https", handle)];
  const sender = newSender();
  const attempts: Promise<unknown>[] = [];
  const fill = async (count: number, scheme: Scheme, server: CountingServer) => {
    for (let made = 0; made < count; made++) attempts.push(post(sender, scheme, server));
    await expect.poll(() => waiting.size).toBe(attempts.length);
  };
  await fill(800, "http", plain);
  await fill(201, "https", encrypted);
  await post(sender, "http", plain);
  await expect.poll(() => plain.open, SOON).toBe(800);
  await post(sender, "https", encrypted);
  await expect.poll(() => encrypted.open, SOON).toBe(201);
  expect(connectionHeaders.splice(0)).toEqual(["close", "close"]);
  // Back to a thousand: kept again.
  const [first] = waiting;
  first?.end(head("200 OK", "Connection: close", "Content-Length: 0"));
  await attempts[0];
  await expect.poll(() => plain.open, SOON).toBe(799);
  await post(sender, "http", plain);
  expect(connectionHeaders).toEqual(["keep-alive"]);
  for (const socket of waiting) socket.end(head("200 OK", "Connection: close", "Content-Length: 0"));
  await Promise.all(attempts);
});
