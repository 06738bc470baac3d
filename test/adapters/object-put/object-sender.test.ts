// One signed PUT to a storage that somebody chose: where it never goes, and what becomes of it.
import { createHash, randomBytes } from "node:crypto";
import type http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ContentError, type ObjectPut, ObjectSender } from "../../../src/adapters/object-put/object-sender.ts";
import { DnsResolver } from "../../../src/adapters/outgoing-http/resolver.ts";
import { type Storage, startStorage } from "../../services/signature/connector-stage.ts";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import { selfSigned, startServer } from "../outgoing-http/loopback.ts";

const NAME = "storage.example.com";
const content = randomBytes(300_000);
const closing: (() => unknown)[] = [];
let storage: Storage;
let dns: DnsServer;
let sender: ObjectSender;
beforeAll(async () => {
  storage = await startStorage();
  dns = await startDnsServer();
});
beforeEach(() => {
  storage.answer(200);
  storage.clear();
  sender = aSender();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await storage.close();
  await dns.close();
});

function aSender(options: Partial<ConstructorParameters<typeof ObjectSender>[0]> = {}): ObjectSender {
  const made = new ObjectSender({ resolver: new DnsResolver([dns.address]), ...options });
  closing.push(() => made.close());
  return made;
}

const put = (more: Partial<ObjectPut> = {}): ObjectPut => ({
  endpoint: storage.url,
  region: "us-east-1",
  bucket: "contracts",
  accessKeyId: "key",
  secret: "secret",
  name: "a/b.pdf",
  contentType: "application/pdf",
  size: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  content: async function* () {
    yield content.subarray(0, 100_000);
    yield content.subarray(100_000);
  },
  allowLoopback: true,
  at: new Date(),
  ...more,
});
const respond = (answer: (request: http.IncomingMessage, response: http.ServerResponse) => void) => {
  storage.answer((request, response) => {
    request.on("error", () => {});
    answer(request, response);
  });
};

test("an object arrives whole, in path style, with its length and digest", async () => {
  const name = "p/ção (1)'s/$&+.pdf";
  expect(await sender.put(put({ name, endpoint: `${storage.url}/base/` }))).toEqual({ status: 200, code: null });
  const [received] = storage.puts;
  expect(received).toMatchObject({
    path: "/base/contracts/p/%C3%A7%C3%A3o%20%281%29%27s/%24%26%2B.pdf",
    sha256: put().sha256,
    bytes: content.length,
    headers: {
      "content-length": String(content.length),
      "x-amz-content-sha256": put().sha256,
      host: expect.any(String),
    },
  });
  expect(received?.headers["transfer-encoding"]).toBeUndefined();
  expect(JSON.stringify(received)).not.toContain('"secret"');
});

test("a storage that says 100 Continue in two pieces, the second amid the content, has taken the object", async () => {
  const server = await startServer((socket) => {
    let bytes = 0;
    let text = "";
    socket.on("data", (data) => {
      if (bytes === 0) socket.write("HTTP/1.1 100 Con");
      if (bytes < 100_000 && bytes + data.length >= 100_000) socket.write("tinue\r\n\r\n");
      bytes += data.length;
      if (text.length === 0) text = data.toString("latin1");
      if (bytes === text.indexOf("\r\n\r\n") + 4 + content.length)
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  });
  closing.push(server.close);
  expect(await sender.put(put({ endpoint: `http://127.0.0.1:${server.port}` }))).toEqual({ status: 200, code: null });
});

describe("an address is refused", () => {
  test.each([
    "http://127.0.0.1:1",
    "https://127.0.0.1:1",
    "https://169.254.169.254",
    "https://[::1]:9000",
    "https://10.0.0.1",
    "https://storage.internal",
    "https://u:p@storage.example.com",
    "ftp://storage.example.com",
    "https://storage.example.com/?list",
  ])("%s, without the setting", async (endpoint) => {
    expect(await sender.put(put({ endpoint, allowLoopback: false }))).toEqual({ status: null, code: "url_refused" });
    expect(storage.puts).toEqual([]);
  });

  test.each(["169.254.169.254", "127.0.0.1", "10.0.0.1"])("a name that leads to %s", async (address) => {
    dns.names.set(NAME, (kind) => (kind === "A" ? [address] : []));
    const outcome = await sender.put(put({ endpoint: `https://${NAME}:9000` }));
    expect(outcome).toEqual({ status: null, code: "address_refused" });
  });

  test("a name that moves between two look-ups: what was judged is what is connected to", async () => {
    const certificate = selfSigned(NAME);
    const requests: string[] = [];
    const server = await startServer(
      (socket) =>
        socket.once("data", (data) => {
          requests.push(String(data).split(" ")[0] ?? "");
          socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
        }),
      ["127.0.0.1"],
      certificate,
    );
    closing.push(server.close);
    let looks = 0;
    dns.names.set(NAME, (kind) => (kind === "AAAA" ? [] : [looks++ === 0 ? "127.0.0.1" : "169.254.169.254"]));
    const moved = aSender({ ca: certificate.cert, isAllowed: (address) => address === "127.0.0.1" });
    const small = {
      size: 1,
      content: async function* () {
        yield content.subarray(0, 1);
      },
    };
    const endpoint = `https://${NAME}:${server.port}`;
    expect(await moved.put(put({ endpoint, ...small }))).toEqual({ status: 200, code: null });
    expect(await moved.put(put({ endpoint, ...small }))).toEqual({ status: null, code: "address_refused" });
    expect(requests).toEqual(["PUT"]);
    expect(looks).toBe(2);
  });
});

describe("an answer", () => {
  test.each([
    [200, null],
    [204, null],
    [301, "redirect"],
    [307, "redirect"],
    [400, "http_status"],
    [403, "http_status"],
    [404, "http_status"],
    [503, "http_status"],
  ])("%i is %s, and is not followed", async (status, code) => {
    storage.answer(status);
    expect(await sender.put(put())).toEqual({ status, code });
    expect(storage.puts).toHaveLength(1);
  });

  test.each([
    [301, "PermanentRedirect"],
    [400, "AuthorizationHeaderMalformed"],
    [403, "RequestTimeTooSkewed"],
    [404, "NoSuchBucket"],
  ])("%i with the word %s: the word is the code", async (status, word) => {
    storage.answer({ status, word });
    expect(await sender.put(put())).toEqual({ status, code: word });
    expect(storage.puts).toHaveLength(1);
  });

  test.each(["timeout", "No such bucket", "<b>NoSuchBucket</b>", "A".repeat(65), ""])(
    "with %j instead of a word: it is not passed on",
    async (word) => {
      storage.answer({ status: 403, word });
      expect(await sender.put(put())).toEqual({ status: 403, code: "http_status" });
    },
  );

  test("that is a page, or has its word behind 4 KiB: the status alone counts", async () => {
    for (const text of [
      "<html><Code>NoSuchBucket</Code></html>",
      `<Error>${" ".repeat(8_192)}<Code>NoSuchBucket</Code></Error>`,
    ]) {
      respond((request, response) => {
        request.resume().on("end", () => response.writeHead(404).end(text));
      });
      expect(await sender.put(put())).toEqual({ status: 404, code: "http_status" });
    }
  });

  test.each(["InvalidRequest", "MissingContentMD5"])(
    "%s of a bucket with a retention period: the object comes once more, with its MD5",
    async (word) => {
      const received: unknown[] = [];
      respond((request, response) => {
        const md5 = request.headers["content-md5"];
        const hash = createHash("md5");
        request.on("data", (chunk: Buffer) => hash.update(chunk));
        request.on("end", () => {
          received.push(md5);
          if (md5 === hash.digest("base64")) return response.writeHead(200).end();
          return response.writeHead(400).end(`<Error><Code>${word}</Code></Error>`);
        });
      });
      expect(await sender.put(put())).toEqual({ status: 200, code: null });
      expect(received).toEqual([undefined, createHash("md5").update(content).digest("base64")]);
      storage.answer({ status: 400, word });
      storage.clear();
      expect(await sender.put(put())).toEqual({ status: 400, code: word });
      expect(storage.puts).toHaveLength(2);
      expect(storage.puts[1]?.headers.authorization).toContain(
        "SignedHeaders=content-length;content-md5;content-type;host;",
      );
    },
  );

  test("that comes before the object: a refusal counts, a success does not", async () => {
    const big = {
      size: 64 * 1024 * 1024,
      content: async function* () {
        for (let sent = 0; sent < 64; sent++) yield Buffer.alloc(1024 * 1024);
      },
    };
    for (const [status, code] of [
      [403, "http_status"],
      [200, "incomplete"],
    ] as const) {
      respond((_request, response) => void response.writeHead(status).end("no"));
      expect(await sender.put(put(big))).toEqual({ status, code });
    }
  });

  test("of gigabytes is cut: its status counts", async () => {
    let written = 0;
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      let body = "";
      socket.on("data", (data) => {
        body += data.toString("latin1");
        if (body.length < content.length || written > 0) return;
        socket.write("HTTP/1.1 503 Slow Down\r\ncontent-length: 9000000000\r\n\r\n");
        const piece = Buffer.alloc(1024 * 1024);
        const flood = () => {
          while (!socket.destroyed && socket.write(piece)) written += piece.length;
          written += piece.length;
          if (!socket.destroyed) socket.once("drain", flood);
        };
        flood();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await sender.put(put({ endpoint }))).toEqual({ status: 503, code: "http_status" });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test("that never comes is a time-out", async () => {
    respond((request) => void request.resume());
    expect(await aSender({ silenceMs: 50 }).put(put())).toEqual({ status: null, code: "timeout" });
  });

  test("of a storage that takes nothing is a time-out, and so is one that takes for ever", async () => {
    const server = net.createServer((socket) => void socket.on("error", () => {}).pause());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const big = {
      endpoint,
      size: 64 * 1024 * 1024,
      content: async function* () {
        for (let sent = 0; sent < 64; sent++) yield Buffer.alloc(1024 * 1024);
      },
    };
    expect(await aSender({ silenceMs: 200 }).put(put(big))).toEqual({ status: null, code: "timeout" });
    expect(await aSender({ wholeMs: 200 }).put(put(big))).toEqual({ status: null, code: "timeout" });
  });

  test.each([600, 999])("of status %i is no HTTP", async (status) => {
    storage.answer(status);
    expect(await sender.put(put())).toEqual({ status: null, code: "protocol_error" });
  });

  test("that is a reset, no HTTP, or no listener", async () => {
    respond((request) => void request.socket.resetAndDestroy());
    expect(await sender.put(put())).toEqual({ status: null, code: "connection_reset" });
    respond((request, response) => {
      request.resume().on("end", () => response.socket?.end("no HTTP at all\r\n\r\n"));
    });
    expect(await sender.put(put())).toEqual({ status: null, code: "protocol_error" });
    expect(await sender.put(put({ endpoint: "http://127.0.0.1:1" }))).toEqual({
      status: null,
      code: "connection_failed",
    });
  });
});

describe("content", () => {
  test("that cannot be read is no fault of the storage", async () => {
    const away = async function* () {
      yield content.subarray(0, 100_000);
      throw new Error("away");
    };
    await expect(sender.put(put({ content: away }))).rejects.toThrow(ContentError);
    const short = async function* () {
      yield content.subarray(0, 100_000);
    };
    await expect(sender.put(put({ content: short }))).rejects.toThrow(ContentError);
    expect(storage.puts).toEqual([]);
  });

  test("is not sent any further when the signal says so", async () => {
    const stop = new AbortController();
    respond((request) => {
      request.resume();
      stop.abort(new Error("the worker stops"));
    });
    await expect(sender.put(put(), stop.signal)).rejects.toThrow("the worker stops");
    await expect(sender.put(put(), stop.signal)).rejects.toThrow("the worker stops");
  });
});
