// A backup carries the stored content that its rows name, and a restore brings it back byte for byte, or says what is missing.
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import zlib from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { FolderStore } from "../../src/adapters/storage/folder-store.ts";
import { BackupError } from "../../src/postgres/backup/backup-error.ts";
import type { Manifest } from "../../src/postgres/backup/manifest.ts";
import { onePage, pdf, stream } from "../adapters/pdf-check/pdf-file.ts";
import { backUp, backupFolder, restore } from "../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startGatewayOn, startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { byLane } from "../support/lane.ts";
import { call } from "../support/rest-client.ts";
import {
  checkedDocument,
  ORDINARY,
  objectsOf,
  readyDocument,
  type UploadedDocument,
  WITH_JAVASCRIPT,
} from "../support/uploads.ts";

/** Longer than two entries of a backup. */
const LARGE = pdf(onePage({ objects: { 4: stream("", Buffer.alloc(17_000_000, "large ")) } }));

const folder = backupFolder();
let selo: TestGateway;
let organization: TestOrganization;
let [small, large]: UploadedDocument[] = [];
let store: FolderStore;
let manifest: Manifest;
let target: TestDatabase;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  store = await objectsOf(selo);
  small = await readyDocument(selo, organization.live);
  large = await readyDocument(selo, organization.test, "large.pdf", LARGE);
  await checkedDocument(selo, organization.live, "quarantined.pdf", WITH_JAVASCRIPT);
  await store.write("018f3b5c-7a1e-7c3d-9b42-5d2e8f6a1c07", Readable.from([Buffer.alloc(100)]));
  manifest = await backUp(selo.database, folder.file("good"), () => store);
  await without(large, async () => void (await backUp(selo.database, folder.file("without large"), () => store)));
});
afterAll(async () => {
  await selo?.stop();
  folder.remove();
});
beforeEach(async () => {
  target = await createTestDatabase();
  onTestFinished(() => target.drop());
});

let folders = 0;
/** An empty storage. */
const emptyStore = async () => {
  const root = folder.file(`objects-${folders++}`);
  return { root, store: await FolderStore.prepare(root) };
};
const objectOf = async (document: UploadedDocument | undefined) => {
  const { rows } = await selo.database.admin.query<{ object_id: string }>(
    "select object_id from signature.documents where id = $1",
    [document?.id],
  );
  return rows[0]?.object_id ?? "";
};
const fileOf = (root: string, id: string) => path.join(root, id.slice(-2), id);
async function idsIn(objects: FolderStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of objects.list()) ids.push(id);
  return ids.sort();
}
const documentsIn = async (database: TestDatabase) =>
  (await database.admin.query("select from signature.documents")).rowCount;
/** Without the content of a document while work is done. */
async function without(document: UploadedDocument | undefined, work: (id: string) => Promise<void>): Promise<void> {
  const id = await objectOf(document);
  const file = fileOf(selo.config.storageFolder, id);
  fs.renameSync(file, `${file}.away`);
  try {
    await work(id);
  } finally {
    fs.renameSync(`${file}.away`, file);
  }
}
const bytesOf = async (baseUrl: string, token: string, id: string | undefined): Promise<Buffer> => {
  const { status, body } = await call({ baseUrl }, "GET", `/documents/${id}/download`, { token });
  expect(status).toBe(200);
  const { pathname, search } = new URL(body.url);
  const answer = await fetch(`${baseUrl}${pathname}${search}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

describe("a backup", () => {
  test("has the objects that rows name, and no others", async () => {
    const bytes = await Promise.all([small, large].map(async (one) => store.size(await objectOf(one))));
    expect(manifest.objects).toEqual({
      count: 2,
      bytes: (bytes[0] ?? 0) + (bytes[1] ?? 0),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      missing: { count: 0, rows: [] },
    });
    // What is encrypted becomes no smaller.
    expect(fs.statSync(folder.file("good")).size).toBeGreaterThan(LARGE.length);
  });

  test("with an object that is missing, or is cut short, is made and names the document", async () => {
    await without(large, async (id) => {
      const row = `signature.documents (tenant_id ${organization.id}, id ${large?.id})`;
      for (const left of [undefined, Buffer.alloc(0), Buffer.alloc(55)]) {
        const file = folder.file(`missing-${left?.length}`);
        if (left !== undefined) fs.writeFileSync(fileOf(selo.config.storageFolder, id), left);
        const made = await backUp(selo.database, file, () => store);
        expect(made.objects).toMatchObject({ count: 1, missing: { count: 1, rows: [row] } });
      }
      fs.rmSync(fileOf(selo.config.storageFolder, id));
    });
    const there = await emptyStore();
    const { missing } = await restore(target, folder.file("missing-0"), undefined, () => there.store);
    expect(missing).toEqual({
      count: 1,
      rows: [`signature.documents (tenant_id ${organization.id}, id ${large?.id})`],
    });
  });

  test("is not made while the storage is away, and no file is left", async () => {
    const away = backUp(selo.database, folder.file("away"), () => FolderStore.existing(folder.file("nowhere")));
    await expect(away).rejects.toThrow(/^STORAGE_FOLDER: the storage cannot be used \(ENOENT\)$/);
    await expect(away).rejects.toThrow(BackupError);
    expect(fs.readdirSync(folder.path).filter((name) => name.startsWith("away") || name === "nowhere")).toEqual([]);
  });
});

describe("a restore", () => {
  test("brings every document back byte for byte, for the gateway of the new place", async () => {
    const there = await emptyStore();
    const { missing } = await restore(target, folder.file("good"), undefined, () => there.store);
    expect(missing).toEqual({ count: 0, rows: [] });
    expect(await idsIn(there.store)).toEqual((await Promise.all([small, large].map(objectOf))).sort());
    const gateway = await startGatewayOn(target.appUrl, { STORAGE_FOLDER: there.root });
    try {
      expect((await bytesOf(gateway.baseUrl, organization.live, small?.id)).equals(ORDINARY)).toBe(true);
      expect((await bytesOf(gateway.baseUrl, organization.test, large?.id)).equals(LARGE)).toBe(true);
    } finally {
      await gateway.stop();
    }
  });

  test("takes objects that are there already with the same bytes", async () => {
    const before = await idsIn(store);
    const { missing } = await restore(target, folder.file("good"), undefined, () => store);
    expect(missing.count).toBe(0);
    expect(await idsIn(store)).toEqual(before);
  });

  // All three in backup-objects.full.test.ts.
  const others: [string, (stored: Buffer) => Buffer][] = [
    ["other bytes", (stored) => Buffer.from(stored).fill("x", 100, 101)],
    ["fewer bytes", (stored) => stored.subarray(0, -1)],
    ["more bytes", (stored) => Buffer.concat([stored, Buffer.alloc(1)])],
  ];
  test.each(others.slice(0, byLane({ lane: 1, full: 3 })))(
    "does not overwrite other content under an id (%s): the database stays empty, the content as it is",
    async (_, change) => {
      const there = await emptyStore();
      const id = await objectOf(small);
      const file = fileOf(there.root, id);
      const other = change(fs.readFileSync(fileOf(selo.config.storageFolder, id)));
      fs.writeFileSync(file, other);
      const refused = restore(target, folder.file("without large"), undefined, () => there.store);
      await expect(refused).rejects.toThrow(`the storage has other content as object ${id}`);
      await expect(refused).rejects.toThrow(BackupError);
      expect(fs.readFileSync(file).equals(other)).toBe(true);
      expect(await documentsIn(target)).toBe(0);
      fs.rmSync(file);
      await restore(target, folder.file("without large"), undefined, () => there.store);
      expect(await documentsIn(target)).toBe(3);
    },
  );

  test("finds content that the backup lacks where the storage has it", async () => {
    const { missing } = await restore(target, folder.file("without large"), undefined, () => store);
    expect(missing).toEqual({ count: 0, rows: [] });
  });

  test("is refused while the storage is away; the database stays empty", async () => {
    const refused = restore(target, folder.file("good"), undefined, () => FolderStore.existing(folder.file("nowhere")));
    await expect(refused).rejects.toThrow(/^STORAGE_FOLDER: the storage cannot be used/);
    expect(await documentsIn(target)).toBe(0);
  });
});

describe("a damaged file is refused before anything is done", () => {
  const BLOCK = 512;
  /** The tar of the good backup, and where the content of the first entry of each object begins. */
  const unpacked = () => {
    const tar = zlib.gunzipSync(fs.readFileSync(folder.file("good")));
    const starts: number[] = [];
    for (let at = tar.indexOf("objects/"); at >= 0; at = tar.indexOf("objects/", at + 1))
      if (at % BLOCK === 0) starts.push(at);
    return { tar, starts };
  };
  const whole = () => fs.readFileSync(folder.file("good"));

  // All of them in backup-objects.full.test.ts.
  const damages: [string, () => Buffer, RegExp][] = [
    [
      "one bit of an object changed",
      () => {
        const { tar, starts } = unpacked();
        const place = (starts[0] ?? 0) + BLOCK + 60;
        tar.writeUInt8(tar.readUInt8(place) ^ 1, place);
        return zlib.gzipSync(tar, { level: 1 });
      },
      /the objects differ from the manifest \(SHA-256\)/,
    ],
    [
      "an object left out",
      () => {
        const { tar } = unpacked();
        // The small one: its header, and its content in blocks.
        const at = tar.indexOf(`objects/${smallObject}/000001`);
        const size = Number.parseInt(tar.toString("latin1", at + 124, at + 135), 8);
        const end = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
        return zlib.gzipSync(Buffer.concat([tar.subarray(0, at), tar.subarray(end)]), { level: 1 });
      },
      /the file has 1 objects, the manifest says 2/,
    ],
    ["cut short within an object", () => whole().subarray(0, whole().length - 1_000_000), /cut short/],
    [
      "an entry of an object left out",
      () => {
        const { tar } = unpacked();
        const at = tar.indexOf(`objects/${largeObject}/000002`);
        const end = at + BLOCK + 8 * 2 ** 20;
        return zlib.gzipSync(Buffer.concat([tar.subarray(0, at), tar.subarray(end)]), { level: 1 });
      },
      /has no entry 2/,
    ],
  ];
  test.each(damages.slice(0, byLane({ lane: 2, full: damages.length })))("%s", async (_, damaged, message) => {
    fs.writeFileSync(folder.file("bad"), damaged());
    const there = await emptyStore();
    const empty = await createTestDatabase({ empty: true });
    onTestFinished(() => empty.drop());
    await expect(restore(empty, folder.file("bad"), undefined, () => there.store)).rejects.toThrow(message);
    expect(await idsIn(there.store)).toEqual([]);
    expect((await empty.admin.query("select to_regnamespace('platform') as schema")).rows).toEqual([{ schema: null }]);
  });

  let [smallObject, largeObject]: string[] = [];
  beforeAll(async () => {
    [smallObject, largeObject] = await Promise.all([small, large].map(objectOf));
  });
});
