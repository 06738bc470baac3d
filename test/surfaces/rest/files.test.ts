// A file answer is a stream: parts of it are opened and no more, whatever becomes of its reader it is closed again.
import net from "node:net";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Service } from "../../../src/services/service.ts";
import { services } from "../../../src/services/services.ts";
import type { CommonParts } from "../../../src/services/started-service.ts";
import { operationsOf } from "../../../src/surfaces/operation.ts";
import type { FileSource } from "../../../src/surfaces/rest/file-source.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, expectError } from "../../support/rest-client.ts";

const PATIENCE_MS = 1_000;
/** With a file that gives nothing more, while its reader has everything there is. */
const SOURCE_PATIENCE_MS = 4_000;
/** Of a slow file, in which its reader has nothing to take. */
const PAUSE_MS = 2 * PATIENCE_MS;
const MIB = 1024 * 1024;
/** More than the system's buffers of a connection hold. */
const LARGE = 64 * MIB;

/** What was opened of files, and whether it is closed. */
interface Opened {
  readonly start: number;
  readonly end: number;
  readonly stream: Readable;
}
let opened: Opened[] = [];
/** How often a file was about to be opened, and how often it was told that it is not. */
let openings = 0;
let unread = 0;
/** Until which a slow file is not opened. */
let opening = Promise.withResolvers<void>();

/** What becomes of a file when it is read, by the number in its path. */
const FAULTS = {
  none: 0,
  opening: 1,
  firstByte: 2,
  inside: 3,
  tooShort: 4,
  tooLong: 5,
  silent: 6,
  slowOpening: 7,
  slow: 8,
} as const;

/** What every file here holds, again and again. */
const PERIOD = 1_000_003;
const pattern = Buffer.from(Array.from({ length: PERIOD }, (_, place) => (place * 31 + (place >> 8)) & 255));
function bytesOf(start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) at += pattern.copy(bytes, at, (start + at) % PERIOD);
  return bytes;
}
const CHUNK = 64 * 1024;

function fileOf(length: number, fault: number): FileSource {
  return {
    length,
    etag: `${length}-${fault}`,
    notRead: () => void unread++,
    open: async (start, end) => {
      openings++;
      if (fault === FAULTS.slowOpening) await opening.promise;
      if (fault === FAULTS.opening) throw new Error("the disk is on fire");
      const last = fault === FAULTS.tooShort ? end - 1 : fault === FAULTS.tooLong ? end + 1 : end;
      let at = start;
      let isRested = false;
      const stream = new Readable({
        read() {
          if (fault === FAULTS.firstByte || (fault === FAULTS.inside && at > start + MIB))
            return void this.destroy(new Error("the disk is on fire"));
          if (fault === FAULTS.silent && at > start) return;
          if (fault === FAULTS.slow && at === start + CHUNK && !isRested) {
            isRested = true;
            setTimeout(PAUSE_MS).then(() => this._read(0));
            return;
          }
          if (at > last) return void this.push(null);
          const size = Math.min(CHUNK, last - at + 1);
          const chunk = bytesOf(at, size);
          at += size;
          this.push(chunk);
        },
      });
      opened.push({ start, end, stream });
      return stream;
    },
  };
}

const whole = z.string().transform(Number).pipe(z.int());
const getFile = operationsOf<CommonParts>()({
  name: "getFile",
  command: "list_platform_keys",
  input: z.strictObject({ length: whole, fault: whole }),
  answers: { file: "application/pdf", description: "The file." },
  rest: { method: "GET", path: "/files/{length}/{fault}", status: 200, tag: "Public verification", summary: "A file" },
  examples: [{ name: "file", summary: "A file", caller: "anyone", path: "/files/10/0" }],
  run: async (_work, { length, fault }) => ({
    file: fileOf(length, fault),
    contentType: "application/pdf",
    fileName: "file.pdf",
  }),
});
const files: Service = { name: "files", operations: [getFile] };

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway(
    { SHUTDOWN_GRACE_SECONDS: "1" },
    { services: [...services, files], stalledReaderMs: PATIENCE_MS, stalledSourceMs: SOURCE_PATIENCE_MS },
  );
});
afterAll(() => selo.stop());
beforeEach(() => {
  opened = [];
  openings = 0;
  opening = Promise.withResolvers();
});

const get = (length: number, headers: Record<string, string> = {}, fault: number = FAULTS.none) =>
  call(selo, "GET", `/files/${length}/${fault}`, { headers });
const SOON = { timeout: 30_000 };
/** Waits until everything that was opened is closed. */
const allClosed = () => expect.poll(() => opened.filter(({ stream }) => !stream.destroyed).length, SOON).toBe(0);

/** A bare connection that has asked for a file, and reads nothing until it is told to. */
async function asked(path: string, headers = "") {
  const { hostname, port } = new URL(selo.baseUrl);
  const socket = net.connect({ host: hostname, port: Number(port) });
  const ended = new Promise<number>((resolve) => {
    const begun = performance.now();
    socket.once("close", () => resolve(performance.now() - begun));
  });
  socket.on("error", () => {});
  socket.pause();
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  await expect.poll(() => opened.length, SOON).toBeGreaterThan(0);
  return { socket, ended };
}

describe("what is opened", () => {
  test("is the range that is asked for, and nothing else", async () => {
    const part = await get(LARGE, { range: `bytes=${LARGE - 5}-` });
    expect(part.status).toBe(206);
    expect(part.bytes).toEqual(bytesOf(LARGE - 5, 5));
    expect(part.headers.get("content-range")).toBe(`bytes ${LARGE - 5}-${LARGE - 1}/${LARGE}`);
    expect(part.headers.get("content-length")).toBe("5");
    expect(opened.map(({ start, end }) => [start, end])).toEqual([[LARGE - 5, LARGE - 1]]);
    await allClosed();
  });

  test("is nothing where no byte is answered: HEAD, 304, 416, a file without bytes", async () => {
    const before = unread;
    const head = await call(selo, "HEAD", `/files/${LARGE}/0`, { headers: { range: "bytes=0-1" } });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(LARGE)]);
    expect((await get(LARGE, { "if-none-match": `"${LARGE}-0"` })).status).toBe(304);
    expectError(await get(LARGE, { range: `bytes=${LARGE}-` }), 416, "range_not_satisfiable");
    const empty = await get(0);
    expect([empty.status, empty.text, empty.headers.get("content-length")]).toEqual([200, "", "0"]);
    expectError(await get(0, { range: "bytes=0-" }), 416, "range_not_satisfiable");
    expect(opened).toEqual([]);
    // Each file was told so.
    expect(unread).toBe(before + 5);
    await get(10);
    expect(unread).toBe(before + 5);
  });

  test("is read as its reader reads, not ahead", async () => {
    const { socket } = await asked(`/files/${900 * MIB}/0`);
    await setTimeout(PATIENCE_MS / 2);
    // Nearly a gigabyte was asked for, of which the system's buffers hold a few MiB.
    expect(process.memoryUsage().arrayBuffers).toBeLessThan(200 * MIB);
    socket.destroy();
    await allClosed();
  });
});

describe("a reader", () => {
  test("who stops is cut off after the time he has, and the file is closed", async () => {
    const { socket, ended } = await asked(`/files/${LARGE}/0`);
    await allClosed();
    socket.resume();
    expect(await ended).toBeGreaterThanOrEqual(PATIENCE_MS * 0.9);
    expect(socket.bytesRead).toBeLessThan(LARGE);
  });

  test("who stops is cut off though he goes on asking", async () => {
    const { socket, ended } = await asked(`/files/${LARGE}/0`);
    const asking = setInterval(() => socket.write("GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n"), PATIENCE_MS / 10);
    await allClosed();
    clearInterval(asking);
    socket.resume();
    await ended;
  });

  test("who is slow gets all of it", async () => {
    const length = 24 * MIB;
    const { socket } = await asked(`/files/${length}/0`, "Connection: close\r\n");
    const begun = performance.now();
    const taken: Buffer[] = [];
    let sinceRest = 0;
    // A MiB at a time, and then a rest, so short beside the time he has that a busy machine does not make it as long.
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      taken.push(chunk);
      sinceRest += chunk.length;
      if (sinceRest < MIB) continue;
      sinceRest = 0;
      await setTimeout(PATIENCE_MS * 0.1);
    }
    const all = Buffer.concat(taken);
    const body = all.subarray(all.indexOf("\r\n\r\n") + 4);
    expect(body.equals(bytesOf(0, length))).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(PATIENCE_MS * 1.5);
    await allClosed();
  });

  test("who is slow gets all of it, though the process pauses for longer than he has", async () => {
    const length = 24 * MIB;
    const { socket } = await asked(`/files/${length}/0`, "Connection: close\r\n");
    await setTimeout(PATIENCE_MS / 4);
    const until = performance.now() + 1.5 * PATIENCE_MS;
    while (performance.now() < until); // neither he nor the gateway gets to do anything
    let taken = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) taken += chunk.length;
    expect(taken).toBeGreaterThan(length);
    await allClosed();
  });

  test("who goes away in the middle leaves nothing open", async () => {
    for (const leave of ["destroy", "resetAndDestroy"] as const) {
      opened = [];
      const { socket } = await asked(`/files/${LARGE}/0`);
      socket.resume();
      await expect.poll(() => socket.bytesRead, SOON).toBeGreaterThan(MIB);
      socket[leave]();
      await allClosed();
    }
  });

  test("who goes away while it is opened leaves nothing open", async () => {
    const { hostname, port } = new URL(selo.baseUrl);
    const socket = net.connect({ host: hostname, port: Number(port) });
    socket.write(`GET /api/v1/files/${LARGE}/${FAULTS.slowOpening} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => openings, { interval: 5, ...SOON }).toBe(1);
    socket.destroy();
    opening.resolve();
    await expect.poll(() => opened.length, SOON).toBe(1);
    await allClosed();
  });

  test("who asks for many on one connection, reads none and goes away leaves nothing open", async () => {
    const { hostname, port } = new URL(selo.baseUrl);
    const socket = net.connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    socket.pause();
    socket.write(`GET /api/v1/files/${LARGE}/0 HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10));
    await expect.poll(() => opened.length, SOON).toBe(10);
    socket.destroy();
    await allClosed();
  });

  test("may ask again on the same connection", async () => {
    const answers: string[] = [];
    const { socket } = await asked("/files/10/0");
    socket.on("data", (chunk) => answers.push(chunk.toString("latin1")));
    socket.resume();
    for (let again = 1; again < 5; again++) {
      await expect.poll(() => answers.join("").match(/HTTP\/1\.1 200/g)?.length).toBe(again);
      socket.write("GET /api/v1/files/10/0 HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    await expect.poll(() => answers.join("").match(/HTTP\/1\.1 200/g)?.length).toBe(5);
    // Nobody waits for a reader who has everything.
    await setTimeout(PATIENCE_MS * 1.5);
    expect(socket.closed).toBe(false);
    socket.destroy();
  });

  test("is one of forty, of whom each gets his own bytes", async () => {
    const length = MIB / 2;
    const whole = bytesOf(0, length);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        const range = number % 2 === 0 ? null : `bytes=${number * 1_000}-`;
        const headers = range === null ? {} : { range };
        const response = await fetch(`${selo.baseUrl}/api/v1/files/${length}/0`, { headers });
        const bytes = Buffer.from(await response.arrayBuffer());
        const meant = range === null ? whole : whole.subarray(number * 1_000);
        return response.status === (range === null ? 200 : 206) && bytes.equals(meant);
      }),
    );
    expect(answers).toEqual(Array(40).fill(true));
    expect(opened).toHaveLength(40);
    await allClosed();
  });
});

describe("a file that fails", () => {
  test.each(["opening", "firstByte"] as const)("%s: 500, with nothing of the file's headers", async (fault) => {
    for (const headers of [{}, { range: "bytes=5-9" }] as Record<string, string>[]) {
      const failed = await get(LARGE, headers, FAULTS[fault]);
      expectError(failed, 500, "internal_error");
      for (const name of ["etag", "content-range", "content-disposition"]) expect(failed.headers.get(name)).toBeNull();
      expect(failed.headers.get("content-length")).toBe(String(failed.bytes.length));
    }
    await allClosed();
    expect(selo.logs.some((line) => line.includes("the disk is on fire"))).toBe(true);
  });

  test.each(["inside", "tooShort"] as const)("%s: the answer breaks off", async (fault) => {
    selo.logs.length = 0;
    await expect(get(4 * MIB, {}, FAULTS[fault])).rejects.toThrow();
    await allClosed();
    await expect.poll(() => selo.logs.some((line) => line.includes("a file broke off"))).toBe(true);
  });

  test("with more bytes than it says never sends more, and that is logged", async () => {
    const answer = await get(MIB, {}, FAULTS.tooLong);
    expect(answer.bytes.equals(bytesOf(0, MIB))).toBe(true);
    await allClosed();
    await expect.poll(() => selo.logs.some((line) => line.includes("a file has more bytes than it says"))).toBe(true);
  });

  test("to give anything on for a while is no fault of its reader, who gets all of it", async () => {
    const length = 4 * CHUNK;
    const begun = performance.now();
    const { bytes } = await get(length, {}, FAULTS.slow);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(PAUSE_MS);
    expect(bytes.equals(bytesOf(0, length))).toBe(true);
    await allClosed();
  });

  test("to give anything on for a while takes nothing of the time that its reader has, who stops after it", async () => {
    const { socket, ended } = await asked(`/files/${LARGE}/${FAULTS.slow}`);
    await allClosed();
    socket.resume();
    expect(await ended).toBeGreaterThanOrEqual(PAUSE_MS + PATIENCE_MS * 0.9);
  });

  test("to give anything on at all breaks off, after a longer time, and that is logged as the file's fault", async () => {
    selo.logs.length = 0;
    const begun = performance.now();
    await expect(get(LARGE, {}, FAULTS.silent)).rejects.toThrow();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(SOURCE_PATIENCE_MS * 0.9);
    await allClosed();
    const told = selo.logs.filter((line) => line.includes("a file broke off"));
    expect(told).toEqual([expect.stringContaining("the source of an answer gave nothing for 4 s")]);
  });
});

test("a gateway that stops waits for readers no longer than its grace period, and closes what they read", async () => {
  const own = await startTestGateway(
    { SHUTDOWN_GRACE_SECONDS: "1" },
    { services: [...services, files], stalledReaderMs: 600_000 },
  );
  const socket = net.connect({ host: "127.0.0.1", port: Number(new URL(own.baseUrl).port) });
  socket.on("error", () => {});
  socket.pause();
  socket.write(`GET /api/v1/files/${LARGE}/0 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await expect.poll(() => opened.length, SOON).toBe(1);
  await own.stop();
  await allClosed();
  socket.destroy();
});
