import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import {
  CHUNK_BYTES,
  HEADER_BYTES,
  type ObjectKey,
  SEALED_CHUNK_BYTES,
} from "../../../src/adapters/storage/chunk-cipher.ts";
import type { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { openSealed } from "../../../src/adapters/storage/sealed-object.ts";
import { bytesOf, emptyStore, fileOf, ID, KEY, numbered, OTHER_ID, read, reasonOf, write } from "./stage.ts";

/** Three chunks, the last one short. */
const content = numbered(2 * CHUNK_BYTES + 100);
const chunk = (index: number) => HEADER_BYTES + index * SEALED_CHUNK_BYTES;

let store: FolderStore;
let file: string;
let stored: Buffer;
beforeEach(async () => {
  const empty = await emptyStore();
  store = empty.store;
  file = fileOf(empty.root);
  await write(store, content);
  stored = fs.readFileSync(file);
});

/** What leaves an object that may have been tampered with, before it fails. */
async function leaves(key: ObjectKey = KEY): Promise<{ bytes: Buffer; reason: string }> {
  const parts: Buffer[] = [];
  const reason = await reasonOf(
    (async () => {
      const { length, open } = await openSealed(store, key);
      for await (const part of open(0, length - 1)) parts.push(part as Buffer);
    })(),
  );
  return { bytes: Buffer.concat(parts), reason };
}

async function leavesOf(tampered: Buffer): Promise<{ bytes: Buffer; reason: string }> {
  fs.writeFileSync(file, tampered);
  return leaves();
}

const nothing = { bytes: Buffer.alloc(0), reason: "altered" };

describe("is seen before a byte of the chunk leaves", () => {
  test("any flipped bit of header, tags and short objects", async () => {
    const key = { ...KEY, id: OTHER_ID };
    await write(store, numbered(20), key);
    const short = file.replace(ID, OTHER_ID);
    const good = fs.readFileSync(short);
    for (let bit = 0; bit < good.length * 8; bit++) {
      const bad = Buffer.from(good);
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      fs.writeFileSync(short, bad);
      expect(await reasonOf(openSealed(store, key))).toBe("altered");
    }
    fs.writeFileSync(short, good);
    expect(await read(store, key)).toEqual(numbered(20));
  });

  test("a flipped byte of any chunk, its tag included; what was authentic before it leaves", async () => {
    for (const [index, places] of [
      [0, [chunk(0), chunk(0) + 30_000, chunk(1) - 17, chunk(1) - 16, chunk(1) - 1]],
      [1, [chunk(1), chunk(2) - 16, chunk(2) - 1]],
    ] as const)
      for (const place of places) {
        const bad = Buffer.from(stored);
        bad[place] = (bad[place] ?? 0) ^ 0x80;
        const { bytes, reason } = await leavesOf(bad);
        expect(reason).toBe("altered");
        expect(bytes.equals(content.subarray(0, index * CHUNK_BYTES))).toBe(true);
      }
    for (const place of [chunk(2), stored.length - 17, stored.length - 1]) {
      const bad = Buffer.from(stored);
      bad[place] = (bad[place] ?? 0) ^ 1;
      expect(await leavesOf(bad)).toEqual(nothing);
    }
  });

  test("every truncation, at the borders of chunks as well", async () => {
    const lengths = [
      ...Array.from({ length: HEADER_BYTES + 40 }, (_, length) => length),
      ...[1, 2].flatMap((index) => [-17, -16, -1, 0, 1, 15, 16, 17].map((more) => chunk(index) + more)),
      ...[1, 16, 17].map((less) => stored.length - less),
    ];
    for (const length of lengths) expect(await leavesOf(stored.subarray(0, length))).toEqual(nothing);
  });

  test("anything appended: bytes, zeros, one of its chunks, the object itself", async () => {
    for (const more of [
      Buffer.alloc(1),
      Buffer.alloc(16),
      Buffer.alloc(SEALED_CHUNK_BYTES),
      stored.subarray(chunk(2)),
      stored.subarray(chunk(0), chunk(1)),
      stored,
    ])
      expect(await leavesOf(Buffer.concat([stored, more]))).toEqual(nothing);
  });

  test("chunks in another order, repeated, or left out", async () => {
    const header = stored.subarray(0, HEADER_BYTES);
    const [first, second, last] = [0, 1, 2].map((index) => stored.subarray(chunk(index), chunk(index + 1))) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    for (const chunks of [
      [second, first, last],
      [first, first, last],
      [second, second, last],
      [first, last],
      [second, last],
      [last],
      [first, second],
      [first, second, second],
      [first, second, first, last],
    ]) {
      const { bytes, reason } = await leavesOf(Buffer.concat([header, ...chunks]));
      expect(reason).toBe("altered");
      expect(bytes.equals(content.subarray(0, bytes.length)) && bytes.length <= CHUNK_BYTES).toBe(true);
    }
  });

  test("another object in its place, of the same length under the same key, or a chunk or header of it", async () => {
    const key = { ...KEY, id: OTHER_ID };
    await write(store, content, key);
    const other = fs.readFileSync(file.replace(ID, OTHER_ID));
    expect(await leavesOf(other)).toEqual(nothing);
    expect(await leavesOf(Buffer.concat([other.subarray(0, HEADER_BYTES), stored.subarray(HEADER_BYTES)]))).toEqual(
      nothing,
    );
    const mixed = Buffer.concat([
      stored.subarray(0, chunk(1)),
      other.subarray(chunk(1), chunk(2)),
      stored.subarray(chunk(2)),
    ]);
    const { bytes, reason } = await leavesOf(mixed);
    expect(reason).toBe("altered");
    expect(bytes.equals(content.subarray(0, CHUNK_BYTES))).toBe(true);
  });

  test("an earlier object of the same id, mixed with this one", async () => {
    await store.remove(ID);
    await write(store, content);
    const again = fs.readFileSync(file);
    expect(await leavesOf(Buffer.concat([again.subarray(0, chunk(2)), stored.subarray(chunk(2))]))).toEqual(nothing);
  });

  test("another data key, another use, another id", async () => {
    fs.writeFileSync(file.replace(ID, OTHER_ID), stored);
    const otherKey = Buffer.from(KEY.dataKey);
    otherKey[31] = (otherKey[31] ?? 0) ^ 1;
    for (const key of [
      { ...KEY, dataKey: otherKey },
      { ...KEY, use: "documents" },
      { ...KEY, use: "documen" },
      { ...KEY, id: OTHER_ID },
    ])
      expect(await leaves(key)).toEqual(nothing);
    expect(await read(store)).toEqual(content);
  });

  test("a file that is exchanged or cut while it is open for reading", async () => {
    const { open } = await openSealed(store, KEY);
    await store.remove(ID);
    await write(store, content);
    expect(await reasonOf(bytesOf(open(0, 10)))).toBe("altered");
    fs.writeFileSync(file, stored.subarray(0, chunk(1)));
    expect((await bytesOf(open(0, 10))).equals(content.subarray(0, 11))).toBe(true);
    expect(await reasonOf(bytesOf(open(0, content.length - 1)))).toBe("altered");
    await store.remove(ID);
    expect(await reasonOf(bytesOf(open(0, 10)))).toBe("missing");
  });
});

test("a store that gives more than it was asked for cannot make an object longer", async () => {
  const generous = Object.assign(Object.create(store) as FolderStore, {
    size: (id: string) => store.size(id),
    read: (id: string, start: number) => store.read(id, start, start === 0 ? HEADER_BYTES - 1 : stored.length),
  });
  const { open } = await openSealed(generous, KEY);
  expect((await bytesOf(open(5, 10))).equals(content.subarray(5, 11))).toBe(true);
});

test("an object that is missing says so", async () => {
  expect(await reasonOf(openSealed(store, { ...KEY, id: randomUUID() }))).toBe("missing");
});

test("the message of an error shows neither key nor content", async () => {
  const secret = Buffer.from("a word of the contract");
  const key = { ...KEY, id: OTHER_ID };
  await write(store, secret, key);
  const error = await openSealed(store, { ...key, use: "other" }).catch((reason: unknown) => String(reason));
  expect(error).toContain(OTHER_ID);
  for (const hidden of [secret.toString(), Buffer.from(KEY.dataKey).toString("hex")])
    expect(error).not.toContain(hidden);
});
