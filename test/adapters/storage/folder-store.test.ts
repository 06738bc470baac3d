import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import type { StoredObject } from "../../../src/adapters/storage/object-store.ts";
import {
  bytesOf,
  emptyStore,
  fileOf,
  filesIn,
  ID,
  numbered,
  OTHER_ID,
  reasonOf,
  silentAfter,
  stream,
} from "./stage.ts";

const DAY_MS = 86_400_000;

async function listed(store: FolderStore): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of store.list()) objects.push(object);
  return objects;
}

describe("an object", () => {
  test("is written once; the second writer fails, and the first object stays", async () => {
    const { store, root } = await emptyStore();
    await store.write(ID, stream(numbered(1_000)));
    expect(await reasonOf(store.write(ID, stream(numbered(2_000))))).toBe("exists");
    expect(await bytesOf(store.read(ID, 0, 9_999))).toEqual(numbered(1_000));
    expect(filesIn(root)).toEqual([path.join("07", ID)]);
  });

  test("two writers at once, each with its own store: one wins, and nothing is mixed", async () => {
    const { store, root } = await emptyStore();
    const other = await FolderStore.prepare(root);
    for (let round = 0; round < 20; round++) {
      const id = randomUUID();
      const contents = [Buffer.alloc(300_000, 1), Buffer.alloc(300_000, 2)] as const;
      const ends = await Promise.allSettled([
        store.write(id, stream(contents[0])),
        other.write(id, stream(contents[1])),
      ]);
      const winner = ends.findIndex(({ status }) => status === "fulfilled");
      expect(ends[1 - winner]).toMatchObject({ status: "rejected", reason: { reason: "exists" } });
      expect((await bytesOf(store.read(id, 0, 300_000))).equals(contents[winner] as Buffer)).toBe(true);
    }
    expect(filesIn(root)).toHaveLength(20);
  });

  test("is not there before it is whole", async () => {
    const { store } = await emptyStore();
    const source = silentAfter(numbered(600_000));
    const writing = store.write(ID, source);
    await expect.poll(() => reasonOf(store.size(ID))).toBe("missing");
    expect(await listed(store)).toEqual([]);
    source.push(null);
    await writing;
    expect(await store.size(ID)).toBe(600_000);
  });

  test("its file and folders are the owner's alone, whatever was there before", async () => {
    const { store, root } = await emptyStore();
    const umask = process.umask(0);
    try {
      const made = path.join(root, "made", "deep");
      const inside = await FolderStore.prepare(made);
      for (const [folder, each] of [
        [root, store],
        [made, inside],
      ] as const) {
        await each.write(ID, stream(numbered(1)));
        expect(fs.statSync(fileOf(folder)).mode & 0o777).toBe(0o600);
        expect(fs.statSync(path.dirname(fileOf(folder))).mode & 0o777).toBe(0o700);
      }
      expect(fs.statSync(made).mode & 0o777).toBe(0o700);
    } finally {
      process.umask(umask);
    }
  });

  test("gives any range, and what it has of one that ends later", async () => {
    const { store } = await emptyStore();
    const content = numbered(700_000);
    await store.write(ID, stream(content));
    for (const [start, end] of [
      [0, 0],
      [10, 9],
      [255_999, 262_144],
      [0, 699_999],
      [699_999, 800_000],
      [700_000, 800_000],
    ] as const)
      expect((await bytesOf(store.read(ID, start, end))).equals(content.subarray(start, end + 1))).toBe(true);
  });

  test("may be empty", async () => {
    const { store } = await emptyStore();
    await store.write(ID, stream(Buffer.alloc(0)));
    expect(await store.size(ID)).toBe(0);
  });

  test("is removed; one that is missing is no error, while its bytes are", async () => {
    const { store, root } = await emptyStore();
    await store.write(ID, stream(numbered(1)));
    await store.remove(ID);
    await store.remove(ID);
    expect(filesIn(root)).toEqual([]);
    expect(await reasonOf(store.size(ID))).toBe("missing");
    expect(await reasonOf(bytesOf(store.read(ID, 0, 1)))).toBe("missing");
  });

  test("an id that is no UUID in lowercase reaches no file", async () => {
    const { store, root } = await emptyStore();
    for (const id of ["", ".", "../secret", ID.toUpperCase(), `${ID}\n`, `${ID}/..`, `../07/${ID}`]) {
      await expect(store.write(id, stream(numbered(1)))).rejects.toThrow(TypeError);
      await expect(store.size(id)).rejects.toThrow(TypeError);
      await expect(store.remove(id)).rejects.toThrow(TypeError);
      await expect(bytesOf(store.read(id, 0, 1))).rejects.toThrow(TypeError);
    }
    expect(filesIn(root)).toEqual([]);
  });

  test("a link in its place is not followed", async () => {
    const { store, root } = await emptyStore();
    fs.symlinkSync("/etc/hostname", fileOf(root));
    expect(await reasonOf(bytesOf(store.read(ID, 0, 100)))).toBe("away");
  });
});

describe("a list", () => {
  test("has each object with its length and time, and nothing else that lies in the folder", async () => {
    const { store, root } = await emptyStore();
    await store.write(ID, stream(numbered(5)));
    await store.write(OTHER_ID, stream(numbered(7)));
    fs.utimesSync(fileOf(root, OTHER_ID), 1_000, 1_000);
    fs.writeFileSync(path.join(root, "07", `${ID}.0123456789abcdef.partial`), "");
    fs.writeFileSync(path.join(root, "07", "notes.txt"), "");
    fs.mkdirSync(path.join(root, "lost+found"));
    const objects = await listed(store);
    expect(objects.map(({ id, bytes }) => [id, bytes]).sort()).toEqual([
      [ID, 5],
      [OTHER_ID, 7],
    ]);
    const age = (wanted: string) => Date.now() - (objects.find(({ id }) => id === wanted)?.writtenAt.getTime() ?? 0);
    expect(age(ID)).toBeLessThan(60_000);
    expect(Date.now() - age(OTHER_ID)).toBeCloseTo(1_000_000, -2);
  });

  test("allows objects to be removed and written meanwhile", async () => {
    const { store } = await emptyStore();
    const ids = Array.from({ length: 100 }, (_, index) => `${index.toString(16).padStart(8, "0")}${ID.slice(8)}`);
    for (const id of ids) await store.write(id, stream(numbered(1)));
    const seen = new Set<string>();
    for await (const { id } of store.list()) {
      seen.add(id);
      await store.remove(id);
    }
    expect([...seen].sort()).toEqual(ids);
    for await (const { id } of store.list()) {
      expect(id).toBe("nothing is left");
    }
  });

  test("of 10,000 objects in one shard takes no memory that grows with them", async () => {
    const { root } = await emptyStore();
    const shard = path.dirname(fileOf(root));
    for (let index = 0; index < 10_000; index++)
      fs.writeFileSync(path.join(shard, `${index.toString(16).padStart(8, "0")}${ID.slice(8)}`), "");
    const program = `
      const { FolderStore } = await import(${JSON.stringify(new URL("../../../src/adapters/storage/folder-store.ts", import.meta.url))});
      const store = await FolderStore.prepare(${JSON.stringify(root)});
      const heap = [];
      let count = 0;
      for await (const object of store.list())
        if (++count % 1_000 === 0) { gc(); heap.push(process.memoryUsage().heapUsed); }
      console.log(JSON.stringify({ count, grown: Math.max(...heap.slice(1)) - heap[1] }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const { count, grown } = JSON.parse(stdout) as { count: number; grown: number };
    expect(count).toBe(10_000);
    // The names alone would take 600 kB.
    expect(grown).toBeLessThan(200_000);
  });
});

describe("leftovers", () => {
  test("go when they have not grown for so long; those of living writers and objects stay", async () => {
    const { store, root } = await emptyStore();
    await store.write(OTHER_ID, stream(numbered(1)));
    const source = silentAfter(numbered(600_000));
    const writing = store.write(ID, source);
    await expect.poll(() => filesIn(root)).toHaveLength(2);
    const dead = path.join(root, "07", `${randomUUID()}.0123456789abcdef.partial`);
    fs.writeFileSync(dead, "half an object");
    const past = new Date(Date.now() - 2 * DAY_MS);
    fs.utimesSync(dead, past, past);
    fs.utimesSync(fileOf(root, OTHER_ID), past, past);
    expect(await store.removeLeftovers(new Date(Date.now() - DAY_MS))).toBe(1);
    expect(fs.existsSync(dead)).toBe(false);
    source.push(null);
    await writing;
    expect((await listed(store)).map(({ id }) => id).sort()).toEqual([ID, OTHER_ID]);
  });

  test("a second name of a whole object goes, and the object stays", async () => {
    const { store, root } = await emptyStore();
    await store.write(ID, stream(numbered(9)));
    // As a process leaves it that died between its two names.
    fs.linkSync(fileOf(root), `${fileOf(root)}.0123456789abcdef.partial`);
    expect(await store.removeLeftovers(new Date(Date.now() + DAY_MS))).toBe(1);
    expect(await bytesOf(store.read(ID, 0, 100))).toEqual(numbered(9));
  });

  test("a writer whose file was taken from it fails, and leaves nothing", async () => {
    const { store, root } = await emptyStore();
    const source = silentAfter(numbered(600_000));
    const writing = store.write(ID, source);
    await expect.poll(() => filesIn(root)).toHaveLength(1);
    await store.removeLeftovers(new Date(Date.now() + DAY_MS));
    source.push(null);
    expect(await reasonOf(writing)).toBe("away");
    expect(filesIn(root)).toEqual([]);
  });
});

describe("a failing storage", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Makes a call of a method of open files fail as the system would, after so many that do nothing. */
  async function failing(method: "appendFile" | "sync" | "read", code: string, after = 0) {
    const handle = await open("/dev/null");
    await handle.close();
    const error = Object.assign(new Error(`${code}: injected`), { code, errno: -1, syscall: method });
    const calls = vi.spyOn(Object.getPrototypeOf(handle), method);
    for (let call = 0; call < after; call++) calls.mockResolvedValueOnce(undefined);
    calls.mockRejectedValueOnce(error);
  }

  test.each([
    ["appendFile", "ENOSPC", "full"],
    ["appendFile", "EDQUOT", "full"],
    ["sync", "ENOSPC", "full"],
    ["appendFile", "EIO", "away"],
    ["sync", "EIO", "away"],
  ] as const)(
    "%s that fails with %s is `%s`; nothing is left, and the next attempt works",
    async (method, code, reason) => {
      const { store, root } = await emptyStore();
      await failing(method, code);
      const source = stream(numbered(600_000));
      const error = await store.write(ID, source).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: "StorageError", reason, cause: { code } });
      expect(source.destroyed || source.readableEnded).toBe(true);
      expect(filesIn(root)).toEqual([]);
      await store.write(ID, stream(numbered(10)));
      expect(await store.size(ID)).toBe(10);
    },
  );

  test.each([
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
  ])("a check that fails with %s finds it `%s`, and leaves nothing", async (code, state) => {
    const { store, root } = await emptyStore();
    await failing("appendFile", code);
    expect([await store.check(), filesIn(root)]).toEqual([state, []]);
    expect([await store.check(), filesIn(root)]).toEqual(["ok", []]);
  });

  test("when the folder cannot be synced, the object that has its name already goes again", async () => {
    const { store, root } = await emptyStore();
    // The first call syncs the file.
    await failing("sync", "EIO", 1);
    expect(await reasonOf(store.write(ID, stream(numbered(10))))).toBe("away");
    expect(filesIn(root)).toEqual([]);
  });

  test("a disk that fails while an object is read is `away`", async () => {
    const { store } = await emptyStore();
    await store.write(ID, stream(numbered(10)));
    await failing("read", "EIO");
    expect(await reasonOf(bytesOf(store.read(ID, 0, 9)))).toBe("away");
  });

  test("a folder that is gone is `away`, in every call, and nothing makes it anew", async () => {
    const { store, root } = await emptyStore();
    await store.write(ID, stream(numbered(10)));
    // The folder itself stays, as the mount point of a disk does.
    for (const shard of fs.readdirSync(root)) fs.rmSync(path.join(root, shard), { recursive: true });
    for (const isRootThere of [true, false]) {
      if (!isRootThere) fs.rmdirSync(root);
      const source = stream(numbered(600_000));
      expect(await reasonOf(store.write(ID, source))).toBe("away");
      expect(source.destroyed).toBe(true);
      expect(await reasonOf(store.size(ID))).toBe("away");
      expect(await reasonOf(bytesOf(store.read(ID, 0, 9)))).toBe("away");
      expect(await reasonOf(store.remove(ID))).toBe("away");
      expect(await reasonOf(listed(store))).toBe("away");
      expect(await reasonOf(store.removeLeftovers(new Date()))).toBe("away");
      expect(fs.existsSync(root) ? fs.readdirSync(root) : []).toEqual([]);
    }
  });

  test("a file in the folder's place is `away`", async () => {
    const { root } = await emptyStore();
    const file = path.join(root, "file");
    fs.writeFileSync(file, "");
    expect(await reasonOf(FolderStore.prepare(file))).toBe("away");
    expect(await reasonOf(FolderStore.prepare(path.join(file, "deeper")))).toBe("away");
  });

  test("a folder that another user owns is `away`", async () => {
    const { store, root } = await emptyStore();
    await store.write(ID, stream(numbered(10)));
    fs.chmodSync(root, 0o000);
    const isRoot = process.geteuid?.() === 0;
    // Root may do everything: for these calls the process is nobody.
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await reasonOf(store.write(OTHER_ID, stream(numbered(10))))).toBe("away");
      expect(await reasonOf(store.size(ID))).toBe("away");
      expect(await reasonOf(bytesOf(store.read(ID, 0, 9)))).toBe("away");
      expect(await reasonOf(store.remove(ID))).toBe("away");
      expect(await reasonOf(listed(store))).toBe("away");
      expect(await reasonOf(FolderStore.prepare(root))).toBe("away");
    } finally {
      if (isRoot) process.seteuid?.(0);
      fs.chmodSync(root, 0o700);
    }
    expect(await bytesOf(store.read(ID, 0, 9))).toEqual(numbered(10));
  });
});
