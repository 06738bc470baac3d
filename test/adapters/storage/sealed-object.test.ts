import { createHash, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PayloadTooLargeError } from "../../../src/adapters/crypto/sha256-stream.ts";
import { CHUNK_BYTES, contentBytes, HEADER_BYTES } from "../../../src/adapters/storage/chunk-cipher.ts";
import { openSealed, writeSealed } from "../../../src/adapters/storage/sealed-object.ts";
import { bytesOf, emptyStore, fileOf, filesIn, ID, KEY, numbered, read, silentAfter, stream, write } from "./stage.ts";

/** Lengths around the borders of chunks. */
const lengths = fc.tuple(fc.nat(3), fc.integer({ min: -2, max: 2 })).map(([chunks, more]) => {
  return Math.max(0, chunks * CHUNK_BYTES + more);
});

describe("content of any length", () => {
  test("comes back, with its SHA-256 and length, however it was cut", async () => {
    const { store } = await emptyStore();
    const cut = fc.integer({ min: 1_000, max: 150_000 });
    await fc.assert(
      fc.asyncProperty(lengths, cut, async (length, partBytes) => {
        const key = { ...KEY, id: randomUUID() };
        const content = randomBytes(length);
        const written = await writeSealed(store, key, stream(content, partBytes), length);
        expect(written).toEqual({ sha256: createHash("sha256").update(content).digest(), bytes: length });
        expect((await read(store, key)).equals(content)).toBe(true);
        expect(contentBytes(await store.size(key.id))).toBe(length);
      }),
      { numRuns: 40 },
    );
  });

  test("gives any range, the same bytes as the content has there", async () => {
    const { store } = await emptyStore();
    const content = randomBytes(3 * CHUNK_BYTES + 1_000);
    await write(store, content);
    const object = await openSealed(store, KEY);
    expect(object.length).toBe(content.length);
    const border = fc.tuple(fc.nat(3), fc.integer({ min: -2, max: 2 })).map(([chunk, more]) => {
      return Math.max(0, chunk * CHUNK_BYTES + more);
    });
    const place = fc.oneof(border, fc.nat(content.length - 1));
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const [start, end] = one < other ? [one, other] : [other, one];
        expect((await bytesOf(object.open(start, end))).equals(content.subarray(start, end + 1))).toBe(true);
      }),
    );
  });

  test("has one stored length, and no other stored length is an object's", () => {
    const stored = new Set<number>();
    for (const length of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 2 * CHUNK_BYTES + 1])
      stored.add(HEADER_BYTES + length + 16 * Math.max(1, Math.ceil(length / CHUNK_BYTES)));
    expect([...stored].map(contentBytes)).toEqual([0, 1, 65_535, 65_536, 65_537, 131_072, 131_073]);
    for (const impossible of [-1, 0, 39, 40, 55, 40 + 65_552 + 1, 40 + 65_552 + 16, 40 + 2 * 65_552 + 16])
      expect(contentBytes(impossible)).toBeNull();
  });
});

describe("ranges", () => {
  test("none of an object, and bytes that it does not have", async () => {
    const { store } = await emptyStore();
    await write(store, numbered(10));
    const { open } = await openSealed(store, KEY);
    expect(await bytesOf(open(0, -1))).toHaveLength(0);
    expect(await bytesOf(open(10, 9))).toHaveLength(0);
    for (const [start, end] of [
      [-1, 3],
      [0, 10],
      [5, 3],
      [0.5, 3],
      [0, Number.NaN],
    ] as const)
      expect(() => open(start, end)).toThrow(RangeError);
  });

  test("read only the chunks that they touch", async () => {
    const { store } = await emptyStore();
    await write(store, numbered(5 * CHUNK_BYTES));
    const asked: [number, number][] = [];
    const watched = Object.assign(Object.create(store) as typeof store, {
      size: (id: string) => store.size(id),
      read(id: string, start: number, end: number) {
        asked.push([start, end]);
        return store.read(id, start, end);
      },
    });
    const { open } = await openSealed(watched, KEY);
    const chunk = (index: number) => HEADER_BYTES + index * 65_552;
    expect(asked).toEqual([
      [0, HEADER_BYTES - 1],
      [chunk(4), chunk(5) - 1],
    ]);
    await bytesOf(open(2 * CHUNK_BYTES - 1, 2 * CHUNK_BYTES));
    expect(asked.slice(2)).toEqual([[chunk(1), chunk(3) - 1]]);
  });

  test("a reader that goes away, and a signal, close the file", async () => {
    const { store } = await emptyStore();
    await write(store, numbered(20 * CHUNK_BYTES));
    const { length, open } = await openSealed(store, KEY);
    const isOpen = () =>
      fs.readdirSync("/proc/self/fd").some((fd) => {
        try {
          return fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith(ID);
        } catch {
          return false;
        }
      });
    const left = open(0, length - 1);
    for await (const _ of left) {
      expect(isOpen()).toBe(true);
      break;
    }
    await expect.poll(isOpen).toBe(false);

    const controller = new AbortController();
    const aborted = open(0, length - 1, controller.signal);
    await aborted[Symbol.asyncIterator]().next();
    const failed = new Promise((resolve) => aborted.once("error", resolve));
    controller.abort();
    expect(await failed).toMatchObject({ name: "AbortError" });
    await expect.poll(isOpen).toBe(false);
  });
});

describe("writing stops and leaves nothing", () => {
  test("at the first byte beyond the limit; the limit itself is allowed", async () => {
    const { store, root } = await emptyStore();
    const content = numbered(CHUNK_BYTES + 1);
    const source = stream(content);
    await expect(writeSealed(store, KEY, source, CHUNK_BYTES)).rejects.toThrow(PayloadTooLargeError);
    expect(source.destroyed).toBe(true);
    expect(filesIn(root)).toEqual([]);
    await writeSealed(store, KEY, stream(content), CHUNK_BYTES + 1);
    expect(await read(store)).toHaveLength(CHUNK_BYTES + 1);
  });

  test("an endless stream is left at the limit", async () => {
    const { store, root } = await emptyStore();
    let sent = 0;
    async function* endless() {
      while (true) {
        yield Buffer.alloc(CHUNK_BYTES);
        sent += CHUNK_BYTES;
      }
    }
    await expect(writeSealed(store, KEY, endless(), 1_000_000)).rejects.toThrow(PayloadTooLargeError);
    expect(sent).toBeLessThan(1_000_000);
    expect(filesIn(root)).toEqual([]);
  });

  test("when the sender's connection breaks off, in one of its ways", async () => {
    const { store, root } = await emptyStore();
    const reset = Object.assign(new Error("reset"), { code: "ECONNRESET", errno: -104 });
    for (const end of [(source: Readable) => source.destroy(), (source: Readable) => source.destroy(reset)]) {
      const source = silentAfter(numbered(600_000));
      const writing = writeSealed(store, KEY, source, 1_000_000);
      await expect.poll(() => filesIn(root)).toHaveLength(1);
      end(source);
      // As it is: the sender's fault is not the storage's.
      await expect(writing).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|PREMATURE_CLOSE/) });
      expect(filesIn(root)).toEqual([]);
    }
  });

  test("when a signal says so, also while the sender keeps silent", async () => {
    const { store, root } = await emptyStore();
    const controller = new AbortController();
    const source = silentAfter(numbered(600_000));
    const writing = writeSealed(store, KEY, source, 1_000_000, controller.signal);
    await expect.poll(() => filesIn(root)).toHaveLength(1);
    const reason = new Error("the gateway stops");
    controller.abort(reason);
    await expect(writing).rejects.toBe(reason);
    expect(source.destroyed).toBe(true);
    expect(filesIn(root)).toEqual([]);
  });

  test("when the signal was aborted before, or comes after the last byte", async () => {
    const { store, root } = await emptyStore();
    const source = stream(numbered(10));
    const early = writeSealed(store, KEY, source, 10, AbortSignal.abort());
    await expect(early).rejects.toMatchObject({ name: "AbortError" });
    expect(source.destroyed).toBe(true);

    const controller = new AbortController();
    async function* abortsAtItsEnd() {
      yield numbered(10);
      controller.abort();
    }
    const late = writeSealed(store, KEY, abortsAtItsEnd(), 10, controller.signal);
    await expect(late).rejects.toMatchObject({ name: "AbortError" });
    expect(filesIn(root)).toEqual([]);
  });

  test("for text, and for a key, a use, an id or a limit of another form", async () => {
    const { store, root } = await emptyStore();
    const text = Readable.from(["text"]) as AsyncIterable<Uint8Array>;
    await expect(writeSealed(store, KEY, text, 10)).rejects.toThrow(TypeError);
    for (const key of [
      { ...KEY, dataKey: Buffer.alloc(31) },
      { ...KEY, use: "" },
      { ...KEY, use: "a use" },
      { ...KEY, id: "../../../../../../../../../../../tmp" },
      { ...KEY, id: ID.toUpperCase() },
    ])
      await expect(writeSealed(store, key, stream(numbered(1)), 10)).rejects.toThrow(TypeError);
    for (const limit of [-1, 0.5, Number.POSITIVE_INFINITY, 2 ** 48 + 1])
      await expect(writeSealed(store, KEY, stream(numbered(1)), limit)).rejects.toThrow(RangeError);
    expect(filesIn(root)).toEqual([]);
  });
});

describe("writing", () => {
  test("what the sender does with its memory afterwards changes neither object nor digest", async () => {
    const { store } = await emptyStore();
    const memory = Buffer.alloc(50_000);
    async function* refilled() {
      for (let part = 1; part <= 10; part++) yield memory.fill(part);
      memory.fill(0);
    }
    const expected = Buffer.concat(Array.from({ length: 10 }, (_, index) => Buffer.alloc(50_000, index + 1)));
    const { sha256 } = await writeSealed(store, KEY, refilled(), 500_000);
    expect(sha256).toEqual(createHash("sha256").update(expected).digest());
    expect((await read(store)).equals(expected)).toBe(true);
  });

  test("asks for no more than it has stored, and lets others work meanwhile", async () => {
    const { store, root } = await emptyStore();
    const ahead: number[] = [];
    let sent = 0;
    async function* counted() {
      for (; sent < 4_000_000; sent += 50_000) {
        const [file] = filesIn(root);
        ahead.push(sent - (file === undefined ? 0 : fs.statSync(`${root}/${file}`).size));
        yield Buffer.alloc(50_000);
      }
    }
    let turns = 0;
    let isWriting = true;
    const writing = writeSealed(store, KEY, counted(), 4_000_000).finally(() => {
      isWriting = false;
    });
    while (isWriting) {
      await setImmediate();
      turns++;
    }
    await writing;
    expect(Math.max(...ahead)).toBeLessThan(400_000);
    expect(turns).toBeGreaterThan(15);
  });

  test("one huge part holds the event loop up for no longer than a few small ones", async () => {
    const { store } = await emptyStore();
    let turns = 0;
    let isWriting = true;
    const writing = writeSealed(store, KEY, stream(Buffer.alloc(8_000_000), 8_000_000), 8_000_000).finally(() => {
      isWriting = false;
    });
    while (isWriting) {
      await setImmediate();
      turns++;
    }
    await writing;
    expect(turns).toBeGreaterThan(30);
  });

  test("the same content twice has no bytes in common, but for the first eight", async () => {
    const { store, root } = await emptyStore();
    const stored = [];
    for (const id of [ID, randomUUID()]) {
      await write(store, Buffer.alloc(32), { ...KEY, id });
      stored.push(fs.readFileSync(fileOf(root, id)));
    }
    const [one, other] = stored as [Buffer, Buffer];
    const equal = [...one].filter((byte, index) => byte === other[index]).length;
    expect(one.subarray(0, 8)).toEqual(other.subarray(0, 8));
    expect(equal).toBeLessThan(8 + 8); // some of 80 are equal by chance: one in 256
  });

  test("a part of a body of HTTP, as multipart parsers give it, is such content", async () => {
    const { store } = await emptyStore();
    const body = new PassThrough();
    const writing = writeSealed(store, KEY, body, 100);
    body.write(Buffer.from("%PDF-"));
    body.end(Buffer.from("1.7"));
    expect(await writing).toMatchObject({ bytes: 8 });
    expect((await read(store)).toString()).toBe("%PDF-1.7");
  });
});
