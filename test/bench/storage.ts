import { createCipheriv, createSecretKey, randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import { open } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ObjectKey } from "../../src/adapters/storage/chunk-cipher.ts";
import { FolderStore } from "../../src/adapters/storage/folder-store.ts";
import { openSealed, writeSealed } from "../../src/adapters/storage/sealed-object.ts";
import { type Measurement, median, ROUNDS } from "./measurement.ts";

const OBJECT_BYTES = 64 * 1024 ** 2;
const SMALL_BYTES = 5_000_000;
const SMALL_OBJECTS = 20;
const PART_BYTES = 64 * 1024;
const RANGES = 500;
/** A range of this length touches one chunk, seldom two. */
const RANGE_BYTES = 1_000;

const dataKey = randomBytes(32);
const use = "document";

/**
 * Encrypted objects in a folder, beside plain files there: written through to the disk, read back from the page cache. AES-256-GCM
 * alone is what node:crypto does on one thread with chunks of the same length; writing also computes SHA-256.
 */
export async function storage(): Promise<Measurement[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-storage-"));
  try {
    const store = await FolderStore.prepare(path.join(folder, "objects"));
    const part = randomBytes(PART_BYTES);
    const large = await openSealed(store, await written(store, part, OBJECT_BYTES));
    const plainFile = path.join(folder, "plain");
    await writePlain(plainFile, part, OBJECT_BYTES);

    const measured = async (round: number) => ({
      gcm: gcmAlone(part),
      plainWrite: await rate(OBJECT_BYTES, () => writePlain(path.join(folder, `plain-${round}`), part, OBJECT_BYTES)),
      write: await rate(OBJECT_BYTES, () => written(store, part, OBJECT_BYTES)),
      plainRead: await rate(OBJECT_BYTES, () => drained(fs.createReadStream(plainFile))),
      read: await rate(OBJECT_BYTES, () => drained(large.open(0, large.length - 1))),
      plainSmall: await eachOf(SMALL_OBJECTS, (index) =>
        writePlain(path.join(folder, `small-${round}-${index}`), part, SMALL_BYTES),
      ),
      small: await eachOf(SMALL_OBJECTS, () => written(store, part, SMALL_BYTES)),
      plainRange: await eachOf(RANGES, () => {
        const start = someStart();
        return drained(fs.createReadStream(plainFile, { start, end: start + RANGE_BYTES - 1 }));
      }),
      range: await eachOf(RANGES, () => {
        const start = someStart();
        return drained(large.open(start, start + RANGE_BYTES - 1));
      }),
    });
    type Round = Awaited<ReturnType<typeof measured>>;
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measured(round));
    const of = (value: (round: Round) => number) => median(rounds.map(value));
    const throughput = (
      figure: string,
      peer: string,
      value: (round: Round) => number,
      limit: (round: Round) => number,
    ) => ({
      figure,
      value: `${of(value).toFixed(0)} MB/s`,
      peer: `${peer} ${of(limit).toFixed(0)} MB/s`,
      ratio: of((round) => value(round) / limit(round)).toFixed(2),
    });
    const latency = (figure: string, peer: string, value: (round: Round) => Times, limit: (round: Round) => Times) => ({
      figure,
      value: `${of((round) => value(round).mean).toFixed(2)} ms`,
      peer: `${peer} ${of((round) => limit(round).mean).toFixed(2)} ms`,
      ratio: of((round) => limit(round).mean / value(round).mean).toFixed(2),
      p50: `${of((round) => value(round).p50).toFixed(2)} ms`,
      p99: `${of((round) => value(round).p99).toFixed(2)} ms`,
    });
    const mebibytes = OBJECT_BYTES / 1024 ** 2;
    return [
      throughput(
        `encrypted object of ${mebibytes} MiB, written`,
        "plain file with fsync",
        ({ write }) => write,
        ({ plainWrite }) => plainWrite,
      ),
      throughput(
        "… beside the cipher",
        "AES-256-GCM alone",
        ({ write }) => write,
        ({ gcm }) => gcm,
      ),
      throughput(
        "… read",
        "plain file",
        ({ read }) => read,
        ({ plainRead }) => plainRead,
      ),
      throughput(
        "… beside the cipher",
        "AES-256-GCM alone",
        ({ read }) => read,
        ({ gcm }) => gcm,
      ),
      latency(
        `encrypted object of ${SMALL_BYTES / 1e6} MB, written`,
        "plain file with fsync",
        ({ small }) => small,
        ({ plainSmall }) => plainSmall,
      ),
      latency(
        `${RANGE_BYTES} bytes anywhere in ${mebibytes} MiB`,
        "plain file",
        ({ range }) => range,
        ({ plainRange }) => plainRange,
      ),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function written(store: FolderStore, part: Buffer, bytes: number): Promise<ObjectKey> {
  const key = { dataKey, use, id: randomUUID() };
  await writeSealed(store, key, Readable.from(parts(part, bytes), { objectMode: false }), bytes);
  return key;
}

/** What the store does, but for the encryption and the digest: the whole file is on the disk when this returns. */
async function writePlain(file: string, part: Buffer, bytes: number): Promise<void> {
  await pipeline(parts(part, bytes), fs.createWriteStream(file, { flush: true }));
  const handle = await open(path.dirname(file));
  await handle.sync();
  await handle.close();
}

function* parts(part: Buffer, bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= part.length) yield part.subarray(0, left);
}

function drained(content: Readable): Promise<void> {
  return pipeline(content, new Writable({ write: (_part, _encoding, done) => done() }));
}

function someStart(): number {
  return Math.floor(Math.random() * (OBJECT_BYTES - RANGE_BYTES));
}

/** Millions of bytes a second. */
async function rate(bytes: number, run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return bytes / 1e3 / (performance.now() - started);
}

/** In milliseconds. */
interface Times {
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
}

async function eachOf(count: number, run: (index: number) => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    await run(index);
    times.push(performance.now() - started);
  }
  times.sort((left, right) => left - right);
  return {
    mean: times.reduce((sum, time) => sum + time, 0) / count,
    p50: median(times),
    p99: times[Math.ceil(count * 0.99) - 1] ?? Number.NaN,
  };
}

/** Millions of bytes a second that one thread encrypts, in chunks as long as those of objects. */
function gcmAlone(chunk: Buffer): number {
  const key = createSecretKey(dataKey);
  const nonce = Buffer.alloc(12);
  const started = performance.now();
  let bytes = 0;
  while (performance.now() - started < 500) {
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const { buffer } = cipher.update(chunk);
    cipher.final();
    // As the store does it: garbage would cost more than the cipher.
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
    bytes += chunk.length;
  }
  return bytes / 1e3 / (performance.now() - started);
}
