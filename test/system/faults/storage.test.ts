// Objects of a process that is killed, and of a disk that is full.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { openSealed, writeSealed } from "../../../src/adapters/storage/sealed-object.ts";

const DAY_MS = 86_400_000;
const ID = "018f3b5c-7a1e-7c3d-9b42-5d2e8f6a1c07";
const dataKey = Buffer.alloc(32, 7);
const key = (id: string) => ({ dataKey, use: "document", id });

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), "selo-storage-"));
});
afterEach(() => {
  fs.rmSync(root, { recursive: true });
});

function files(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

async function bytesOf(store: FolderStore, id: string): Promise<Buffer> {
  const { length, open } = await openSealed(store, key(id));
  return Buffer.concat(await open(0, length - 1).toArray());
}

/** Starts a process that runs a program on the store in `root`; the test kills it. */
function start(program: string) {
  const module = (name: string) => JSON.stringify(new URL(`../../../src/adapters/storage/${name}`, import.meta.url));
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `const { FolderStore } = await import(${module("folder-store.ts")});
      const { writeSealed } = await import(${module("sealed-object.ts")});
      const store = await FolderStore.prepare(${JSON.stringify(root)});
      const key = (id) => ({ dataKey: Buffer.alloc(32, 7), use: "document", id });
      ${program}`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("a process that is killed while it writes", () => {
  test("leaves nothing readable, and a file that removeLeftovers takes after a day", async () => {
    const child = start(`
      async function* slow() {
        while (true) {
          yield Buffer.alloc(100_000);
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
      await writeSealed(store, key("${ID}"), slow(), 1e9);`);
    const store = await FolderStore.prepare(root);
    const written = () => files(root).map((name) => fs.statSync(path.join(root, "07", name)).size)[0] ?? 0;
    await expect.poll(written, { timeout: 30_000 }).toBeGreaterThan(1_000_000);
    child.kill("SIGKILL");
    await once(child, "close");

    await expect(openSealed(store, key(ID))).rejects.toMatchObject({ reason: "missing" });
    for await (const object of store.list()) expect(object).toBe("nothing is listed");
    expect(files(root)).toEqual([expect.stringMatching(/\.partial$/)]);
    expect(await store.removeLeftovers(new Date(Date.now() - DAY_MS))).toBe(0);
    expect(await store.removeLeftovers(new Date(Date.now() + 1_000))).toBe(1);
    expect(files(root)).toEqual([]);

    // The same work can be done again at once.
    await writeSealed(store, key(ID), Readable.from([Buffer.from("again")]), 5);
    expect((await bytesOf(store, ID)).toString()).toBe("again");
  });

  // Each round is another moment; a test of many says no more about what a kill leaves.
  test("at any moment: what was confirmed is there, and what is listed is whole", async () => {
    const store = await FolderStore.prepare(root);
    const confirmed: string[] = [];
    for (let round = 0; round < 2; round++) {
      const child = start(`
        const { randomUUID } = await import("node:crypto");
        const { writeSync } = await import("node:fs");
        await Promise.all(Array.from({ length: 4 }, async () => {
          while (true) {
            const id = randomUUID();
            await writeSealed(store, key(id), (async function* () { yield Buffer.alloc(150_000, id); })(), 150_000);
            writeSync(1, id + "\\n");
          }
        }));`);
      const lines = createInterface(child.stdout);
      lines.on("line", (id) => confirmed.push(id));
      await once(lines, "line");
      await setTimeout(Math.random() * 100);
      child.kill("SIGKILL");
      await once(child, "close");
    }
    const listed: string[] = [];
    for await (const { id } of store.list()) {
      listed.push(id);
      expect((await bytesOf(store, id)).equals(Buffer.alloc(150_000, id))).toBe(true);
    }
    expect(confirmed.length).toBeGreaterThan(2);
    expect(confirmed.filter((id) => !listed.includes(id))).toEqual([]);
    await store.removeLeftovers(new Date(Date.now() + 1_000));
    expect(files(root).sort()).toEqual(listed.sort());
  });
});

test("a full disk refuses an object and leaves nothing of it; with room the next one is written", async ({ skip }) => {
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m,mode=0700", "tmpfs", root]).status !== 0)
    skip("a tmpfs cannot be mounted here: it takes Linux and root");
  try {
    const store = await FolderStore.prepare(root);
    const content = (bytes: number) => Readable.from([Buffer.alloc(bytes, "x")], { objectMode: false });
    await writeSealed(store, key(ID), content(5_000_000), 5_000_000);
    const other = ID.replace("018f", "019f");
    for (let attempt = 0; attempt < 3; attempt++) {
      const source = content(5_000_000);
      await expect(writeSealed(store, key(other), source, 5_000_000)).rejects.toMatchObject({
        reason: "full",
        cause: { code: "ENOSPC" },
      });
      expect(source.destroyed).toBe(true);
      expect(files(root)).toEqual([ID]);
    }
    expect(await bytesOf(store, ID)).toHaveLength(5_000_000);
    await store.remove(ID);
    await writeSealed(store, key(other), content(5_000_000), 5_000_000);
    expect(await bytesOf(store, other)).toHaveLength(5_000_000);
  } finally {
    spawnSync("umount", [root]);
  }
});
