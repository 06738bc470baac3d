// The memory of a file that is sent is given back once the connection took it, and not before.
import { once } from "node:events";
import http from "node:http";
import type net from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { FileSource } from "../../../src/surfaces/rest/file-source.ts";
import { SentBytes } from "../../../src/surfaces/rest/sent-bytes.ts";

const PART = 64 * 1024;
/** More than the system's buffers of a connection hold. */
const PARTS = 512;

let server: http.Server | undefined;
afterEach(() => server?.close());

/** A file whose parts are memory of their own: the first byte of each says its place. */
function parts(more: Pick<FileSource, "givesMemory">, length = PART) {
  const given: Buffer[] = [];
  async function* all() {
    for (let place = 0; place < PARTS; place++) {
      const part = Buffer.allocUnsafeSlow(length).fill(place % 251);
      given.push(part);
      yield part;
    }
  }
  const file = { length: PARTS * length, etag: "x", open: () => Readable.from(all(), { objectMode: false }), ...more };
  return { file, given };
}

/** Asks for the file over HTTP. */
async function asked(file: FileSource): Promise<http.IncomingMessage> {
  server = http.createServer(async (_, answer) => {
    answer.setHeader("content-length", file.length);
    (await SentBytes.open(file, { start: 0, end: file.length - 1 }, answer)).pipe(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const [answer] = await once(http.get({ port, host: "127.0.0.1" }), "response");
  return answer as http.IncomingMessage;
}

const isRight = (bytes: Buffer, length: number) =>
  bytes.length === PARTS * length &&
  Array.from({ length: PARTS }, (_, place) => bytes.subarray(place * length, (place + 1) * length)).every(
    (part, place) => part.every((byte) => byte === place % 251),
  );

test.each([PART, 3 * PART + 1])("parts of %i bytes are emptied while others are still to come", async (length) => {
  const { file, given } = parts({ givesMemory: true }, length);
  const answer = await asked(file);
  // Whoever reads nothing yet: what was not sent stays, however often the rest was asked for.
  await expect.poll(() => given.filter((part) => part.length === 0).length).toBeGreaterThan(0);
  expect(given.some((part) => part.length > 0)).toBe(true);
  expect(given.length).toBeLessThan(PARTS);
  const bytes = await buffer(answer);
  expect(isRight(bytes, length)).toBe(true);
  expect(given.filter((part) => part.length > 0).length).toBeLessThan(3);
});

test("parts that are asked for while others wait to be sent leave these whole", async () => {
  const length = 30_000;
  const { file, given } = parts({ givesMemory: true }, length);
  const answer = await asked(file);
  // The connection takes nothing more.
  let before = 0;
  await expect
    .poll(() => {
      const isSame = given.length === before && before > 0;
      before = given.length;
      return isSame;
    })
    .toBe(true);
  expect(isRight(await buffer(answer), length)).toBe(true);
});

test("parts of a file that keeps its memory stay as they are", async () => {
  const { file, given } = parts({});
  expect(isRight(await buffer(await asked(file)), PART)).toBe(true);
  expect(given.every((part) => part.length === PART)).toBe(true);
});
