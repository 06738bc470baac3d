import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import type { ObjectKey } from "../../../src/adapters/storage/chunk-cipher.ts";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { StorageError } from "../../../src/adapters/storage/object-store.ts";
import { openSealed, writeSealed } from "../../../src/adapters/storage/sealed-object.ts";

export const ID = "018f3b5c-7a1e-7c3d-9b42-5d2e8f6a1c07";
export const OTHER_ID = "018f3b5c-7a1e-7c3d-9b42-5d2e8f6a1d07";
export const KEY: ObjectKey = { dataKey: Buffer.alloc(32, 7), use: "document", id: ID };

/** In memory where the machine allows: syncing a disk takes most of the time of these tests. */
const MEMORY = "/dev/shm";

/** An empty store in a folder that goes with the test. */
export async function emptyStore(): Promise<{ store: FolderStore; root: string }> {
  const root = fs.mkdtempSync(path.join(fs.existsSync(MEMORY) ? MEMORY : os.tmpdir(), "selo-storage-"));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  return { store: await FolderStore.prepare(root), root };
}

/** Where the format says that an object lies. */
export function fileOf(root: string, id = ID): string {
  return path.join(root, id.slice(-2), id);
}

/** All files of a store, by their paths in it. */
export function filesIn(root: string): string[] {
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** Bytes of which each shows where it stands: 251 is prime. */
export function numbered(bytes: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: bytes }, (_, index) => index % 251));
}

/** Content in parts of any length, 40,000 bytes where nothing else is said. */
export function stream(content: Buffer, partBytes = 40_000): Readable {
  function* parts() {
    for (let at = 0; at < content.length; at += partBytes) yield content.subarray(at, at + partBytes);
  }
  return Readable.from(parts(), { objectMode: false });
}

/** A stream that gives one part, and then keeps silent for ever. */
export function silentAfter(part: Uint8Array): Readable {
  const silent = new Readable({ read() {} });
  silent.push(part);
  return silent;
}

export async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  // Copied: a part of a store is valid until the next one is asked for.
  for await (const part of content) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

export async function write(store: FolderStore, content: Buffer, key = KEY): Promise<void> {
  await writeSealed(store, key, stream(content), content.length);
}

/** The whole content of an object. */
export async function read(store: FolderStore, key = KEY): Promise<Buffer> {
  const { length, open } = await openSealed(store, key);
  return bytesOf(open(0, length - 1));
}

/** The reason of the StorageError that a promise ends in; any other end fails the test. */
export async function reasonOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error("nothing was thrown"),
    (reason: unknown) => reason,
  );
  if (error instanceof StorageError) return error.reason;
  throw error;
}
