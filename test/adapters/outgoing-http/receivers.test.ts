// Receivers that are slow, endless, broken or hostile: what an attempt makes of them, and what it leaves behind.
import type net from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { WebhookSender } from "../../../src/adapters/outgoing-http/webhook-sender.ts";
import { type CountingServer, request, startServer } from "./loopback.ts";

const KEPT = 16_384;
const ATTEMPT_MS = 600;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(handle: (socket: net.Socket) => void): Promise<CountingServer> {
  const server = await startServer(handle);
  closing.push(server.close);
  return server;
}

function newSender(attemptMs = 10_000): WebhookSender {
  const sender = new WebhookSender({ resolver: new DnsResolver(), attemptMs });
  closing.push(() => sender.close());
  return sender;
}

/** Answers when the head of the request has come. */
const answering = (answer: (socket: net.Socket) => void) => (socket: net.Socket) =>
  void socket.once("data", () => {
    answer(socket);
    socket.resume();
  });

const post = (server: CountingServer, sender = newSender(), body = "{}") =>
  sender.send(request(`http://127.0.0.1:${server.port}/hook`, { body }));

/** Writes again and again, until the other side is gone. */
function drip(socket: net.Socket, piece: string | Buffer, milliseconds: number): void {
  const timer = setInterval(() => socket.write(piece), milliseconds);
  socket.on("close", () => clearInterval(timer));
}

/** As fast as it is taken; answers how many bytes were taken. */
function flood(socket: net.Socket): () => number {
  const piece = Buffer.alloc(65_536, "x");
  let written = 0;
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) written += piece.length;
  };
  socket.on("drain", more);
  more();
  return () => written;
}

/** Cut when the time of the attempt is over, and not before. */
async function expectTimeout(server: CountingServer, expected: object, body?: string): Promise<void> {
  const began = performance.now();
  expect(await post(server, newSender(ATTEMPT_MS), body)).toMatchObject({ errorCode: "timeout", ...expected });
  expect(performance.now() - began).toBeGreaterThanOrEqual(ATTEMPT_MS - 5);
  await expect.poll(() => server.open).toBe(0);
}

describe("the time of an attempt is over", () => {
  test("for one that never answers", async () => {
    await expectTimeout(await serve((socket) => socket.resume()), { status: null, body: null });
  });

  test("for one whose headers drip", async () => {
    const server = await serve(
      answering((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        drip(socket, "X-Drip: 1\r\n", 50);
      }),
    );
    await expectTimeout(server, { status: null, body: null });
  });

  test("for one whose body drips: its 2xx is no success, and what came is kept", async () => {
    const server = await serve(
      answering((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nx");
        drip(socket, "x", 50);
      }),
    );
    await expectTimeout(server, { status: 200, body: expect.stringMatching(/^x+$/), truncated: true });
  });

  test("for one that does not read what it is sent", async () => {
    const server = await serve((socket) => socket.pause());
    const timeouts = post(server, newSender(ATTEMPT_MS), "x".repeat(16 * 1024 * 1024));
    expect(await timeouts).toMatchObject({ status: null, errorCode: "timeout" });
  });

  test.each(["100 Continue", "102 Processing"])("for one that says %s for ever", async (status) => {
    const server = await serve(answering((socket) => drip(socket, `HTTP/1.1 ${status}\r\n\r\n`, 50)));
    await expectTimeout(server, { status: null });
  });
});

describe("an endless body", () => {
  test("is cut at 16 KiB and the connection destroyed: its status counts", async () => {
    let taken = () => 0;
    const server = await serve(
      answering((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n");
        taken = flood(socket);
      }),
    );
    const answer = await post(server);
    expect(answer).toMatchObject({ status: 200, errorCode: null, truncated: true });
    expect(answer.body).toBe("x".repeat(KEPT));
    await expect.poll(() => server.open).toBe(0);
    // Of more than what lies in the kernel's buffers nothing was asked for.
    expect(taken()).toBeLessThan(16 * 1024 * 1024);
  });

  test("of chunks, too, and memory stays flat over a hundred of them", async () => {
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, "x"), Buffer.from("\r\n")]);
    const server = await serve(
      answering((socket) => {
        socket.write("HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n");
        const more = () => {
          while (!socket.destroyed && socket.write(chunk));
        };
        socket.on("drain", more);
        more();
      }),
    );
    const sender = newSender();
    const round = async () => {
      for (let made = 0; made < 10; made++) {
        const answers = await Promise.all(Array.from({ length: 10 }, () => post(server, sender)));
        for (const answer of answers)
          expect(answer).toMatchObject({ status: 500, errorCode: "http_status", truncated: true });
      }
      await expect.poll(() => server.open).toBe(0);
    };
    await round();
    const before = process.memoryUsage();
    await round();
    const after = process.memoryUsage();
    expect(after.external + after.heapTotal - before.external - before.heapTotal).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("a receiver that", () => {
  test.each([
    ["closes at once", (socket: net.Socket) => socket.destroy()],
    ["resets when it has read", answering((socket) => socket.resetAndDestroy())],
    ["closes amid the headers", answering((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-"))],
  ])("%s is connection_reset", async (_what, handle) => {
    expect(await post(await serve(handle))).toMatchObject({ status: null, body: null, errorCode: "connection_reset" });
  });

  test("closes amid the body is connection_reset, with the status and what came", async () => {
    const server = await serve(answering((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")));
    expect(await post(server)).toEqual({
      status: 200,
      body: "half",
      truncated: true,
      errorCode: "connection_reset",
      errorDetail: null,
      retryAfterSeconds: null,
    });
  });

  test("is not there is connection_failed", async () => {
    const server = await startServer();
    await server.close();
    expect((await post(server)).errorCode).toBe("connection_failed");
  });

  test.each([
    ["does not speak HTTP", "220 mail.example.com ESMTP\r\n"],
    ["writes its chunks wrong", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["has two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
  ])("%s is protocol_error", async (_what, answer) => {
    const server = await serve(answering((socket) => socket.write(answer)));
    expect((await post(server, newSender(3_000))).errorCode).toBe("protocol_error");
    await expect.poll(() => server.open).toBe(0);
  });

  test.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["100 Continue of HTTP/1.0", "HTTP/1.0 100 Continue\r\n\r\n"],
    ["100 without a reason, with bare line feeds", "HTTP/1.1 100\n\n"],
    [
      "102, 103 and 199 with headers",
      "102 P|103 Early Hints\r\nLink: </x>|199 Odd\r\nContent-Length: 7".replaceAll(
        /(^|\|)([^|]+)/g,
        "HTTP/1.1 $2\r\n\r\n",
      ),
    ],
    ["100 twice, after empty lines", "\r\n\r\nHTTP/1.1 100 Continue\r\nDate: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"],
  ])("says %s before its final status is understood, however the network brings it", async (_what, interim) => {
    const final = "HTTP/1.1 201 Created\r\nContent-Length: 17\r\n\r\n\nHTTP/1.1 100 X\r\n";
    for (const size of [1, 7, 1_000]) {
      const server = await serve((socket) => {
        socket.setNoDelay(true);
        socket.on("data", async (data) => {
          if (!data.includes("POST ")) return;
          const text = interim + final;
          for (let first = 0; first < text.length; first += size)
            await new Promise((resolve) => socket.write(text.slice(first, first + size), resolve));
        });
      });
      const sender = newSender();
      const expected = { status: 201, body: "\nHTTP/1.1 100 X\r\n", errorCode: null, truncated: false };
      for (let made = 0; made < 3; made++) expect(await post(server, sender)).toMatchObject(expected);
      // An answer is there a moment before its connection is free again.
      expect(server.connections).toBeLessThanOrEqual(2);
    }
  });

  test("closes after an interim answer is connection_reset", async () => {
    for (const text of ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 100 Con", "HTTP/1."]) {
      const server = await serve(answering((socket) => socket.end(text)));
      expect((await post(server)).status).toBeNull();
    }
  });

  test.each([600, 799, 999])("answers %i has failed by that status", async (status) => {
    const server = await serve(
      answering((socket) => socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`)),
    );
    expect(await post(server)).toMatchObject({ status, body: "", errorCode: "http_status" });
  });

  test.each([
    ["120", 120],
    ["120 ", 120],
    [" \t120\t ", 120],
    ["Sun, 06 Nov 2094 08:49:37 GMT ", 86_400],
    ["99999999999", 86_400],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 0],
    ["-1", null],
    ["1.5", null],
    ["soon", null],
    ["", null],
  ])("says Retry-After: %j asks for %j seconds", async (text, retryAfterSeconds) => {
    const server = await serve(
      answering((socket) => socket.end(`HTTP/1.1 503 Later\r\nRetry-After:${text}\r\nContent-Length: 0\r\n\r\n`)),
    );
    expect(await post(server)).toMatchObject({ status: 503, retryAfterSeconds });
  });

  test.each(["127.0.0.1", "::1"])("listens on %s alone is reached by localhost", async (host) => {
    const handle = answering((socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    const server = await startServer(handle, [host]);
    closing.push(server.close);
    for (const name of ["localhost", "hook.localhost", "localhost."])
      expect(await newSender().send(request(`http://${name}:${server.port}/hook`))).toMatchObject({ status: 204 });
  });

  test("speaks HTTP/1.0 and ends its answer by closing is understood", async () => {
    const server = await serve(answering((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nold")));
    expect(await post(server)).toMatchObject({ status: 200, body: "old", truncated: false, errorCode: null });
  });

  test("answers before it has read everything is understood", async () => {
    const server = await serve(
      (socket) => void socket.once("data", () => socket.write("HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok")),
    );
    expect(await post(server, newSender(), "x".repeat(262_144))).toMatchObject({
      status: 202,
      body: "ok",
      errorCode: null,
    });
  });

  test("wants to switch protocols is no success", async () => {
    const server = await serve(
      answering((socket) =>
        socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
      ),
    );
    expect((await post(server)).errorCode).toBe("connection_reset");
  });

  test("keeps its connection open gets what follows over the same ones", async () => {
    const server = await serve((socket) => {
      socket.on("data", (data) => {
        if (data.includes("POST ")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    const sender = newSender();
    for (let made = 0; made < 50; made++) expect(await post(server, sender)).toMatchObject({ status: 200, body: "ok" });
    // An answer is there a moment before its connection is free again.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("closes each kept connection after an answer loses nothing: the next attempt goes over a new one", async () => {
    const server = await serve(
      answering((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n");
        setImmediate(() => socket.end());
      }),
    );
    const sender = newSender();
    for (let made = 0; made < 20; made++) {
      expect((await post(server, sender)).errorCode).toBeNull();
      await expect.poll(() => server.open).toBe(0);
    }
    expect(server.connections).toBe(20);
  });

  test("closes a kept connection as a POST comes over it makes that attempt fail: it is never made twice", async () => {
    let requests = 0;
    const server = await serve((socket) => {
      let here = 0;
      socket.on("data", (data) => {
        if (!data.includes("POST ")) return;
        requests += 1;
        here += 1;
        if (here > 1) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
    });
    const sender = newSender();
    let made = 0;
    let answer = await post(server, sender);
    // Whether a kept connection is used is the sender's choice; sooner or later it is.
    for (made = 1; answer.errorCode === null && made < 1_000; made++) answer = await post(server, sender);
    expect(answer).toMatchObject({ status: null, errorCode: "connection_reset" });
    expect(requests).toBe(made);
  });
});
