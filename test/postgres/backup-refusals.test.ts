// What restore refuses, each time leaving the database as it was: damaged and hostile files, newer backups, databases with data.
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";
import tar from "tar-stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BackupError } from "../../src/postgres/backup/backup-error.ts";
import type { Manifest } from "../../src/postgres/backup/manifest.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { backUp, backupFolder, restore } from "../support/backup-folder.ts";
import { changedSource } from "../support/changed-source.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { newOrganization } from "../support/gateway.ts";

interface Entry {
  name: string;
  content: Buffer;
  header?: Partial<tar.Header>;
}

const folder = backupFolder();
let good: Buffer;
let target: TestDatabase;
beforeAll(async () => {
  const source = await createTestDatabase();
  const operator = await Operator.connect(source.adminUrl);
  await newOrganization(operator, { name: "Backed Up" });
  await operator.close();
  await source.admin.query("select graphile_worker.add_job('one')");
  await backUp(source, folder.file("good"));
  await source.drop();
  good = fs.readFileSync(folder.file("good"));
});
afterAll(() => folder.remove());

/** One that nobody has migrated, for the tests of a describe: what is refused leaves it as it is. */
function emptyTarget(): void {
  beforeAll(async () => {
    target = await createTestDatabase({ empty: true });
    return () => target.drop();
  });
}

async function read(file: Buffer): Promise<Entry[]> {
  const extract = tar.extract();
  const done = pipeline(Readable.from([zlib.gunzipSync(file)]), extract);
  const entries: Entry[] = [];
  for await (const entry of extract) {
    const pieces: Buffer[] = [];
    for await (const piece of entry) pieces.push(piece as Buffer);
    entries.push({ name: entry.header.name, content: Buffer.concat(pieces) });
  }
  await done;
  return entries;
}

async function write(entries: readonly Entry[]): Promise<Buffer> {
  const pack = tar.pack();
  for (const { name, content, header } of entries) pack.entry({ name, ...header }, content);
  pack.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of pack) pieces.push(piece as Buffer);
  return zlib.gzipSync(Buffer.concat(pieces));
}

/** The good backup with its entries changed. */
const changed = async (change: (entries: Entry[]) => Entry[] | undefined) => {
  const entries = await read(good);
  return write(change(entries) ?? entries);
};
const manifestOf = (entries: readonly Entry[]) =>
  JSON.parse(entries.at(-1)?.content.toString() ?? "") as Omit<Manifest, "format"> & { format: number };
/** The good backup with its manifest changed, and what the manifest says of a table's content kept true. */
const claiming = (change: (manifest: ReturnType<typeof manifestOf>, entries: Entry[]) => void) =>
  changed((entries) => {
    const manifest = manifestOf(entries);
    change(manifest, entries);
    for (const section of [...manifest.tables.map((table) => ({ table, name: `tables/${table.name}` }))]) {
      const content = Buffer.concat(
        entries.filter(({ name }) => name.startsWith(`${section.name}/`)).map((e) => e.content),
      );
      section.table.sha256 = createHash("sha256").update(content).digest("hex");
      section.table.bytes = content.length;
    }
    entries.splice(-1, 1, { name: "manifest.json", content: Buffer.from(JSON.stringify(manifest)) });
    return entries;
  });
const table = (entries: readonly Entry[], name: string) => {
  const found = entries.find((entry) => entry.name === `tables/${name}/000001`);
  if (found === undefined) throw new Error(`${name} has no entry`);
  return found;
};

async function expectRefusal(file: Buffer, message: RegExp, database = target): Promise<void> {
  fs.writeFileSync(folder.file("bad"), file);
  const refused = restore(database, folder.file("bad"));
  await expect(refused).rejects.toThrow(BackupError);
  await expect(refused).rejects.toThrow(message);
}

async function expectUntouched(): Promise<void> {
  const { rows } = await target.admin.query("select to_regnamespace('platform') as schema");
  expect(rows).toEqual([{ schema: null }]);
}

describe("a file that is damaged is refused before anything is done", () => {
  emptyTarget();

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ["no gzip", () => Buffer.from("select 1;\n".repeat(200)), /not a backup, is damaged or was cut short/],
    ["empty", () => Buffer.alloc(0), /not a backup|no manifest/],
    [
      "gzip of something else",
      () => zlib.gzipSync(Buffer.alloc(5_000, "x")),
      /not a backup, is damaged or was cut short/,
    ],
    ["cut short by one byte", () => good.subarray(0, -1), /not a backup, is damaged or was cut short/],
    ["cut in half", () => good.subarray(0, good.length / 2), /not a backup, is damaged or was cut short/],
    [
      "a bit changed within the gzip",
      () => flipped(good, good.length / 2),
      /not a backup, is damaged or was cut short|damaged/,
    ],
    ["cut between two entries, well packed", () => changed((entries) => entries.slice(0, -3)), /no manifest/],
    ["without its manifest", () => changed((entries) => entries.slice(0, -1)), /no manifest/],
    [
      "a manifest that is no JSON",
      () => changed((e) => [...e.slice(0, -1), { name: "manifest.json", content: Buffer.from("{") }]),
      /not JSON/,
    ],
    [
      "a manifest without members",
      () => changed((e) => [...e.slice(0, -1), { name: "manifest.json", content: Buffer.from('{"format": 1}') }]),
      /manifest\.json: selo_version is wrong/,
    ],
    [
      "one byte of a table changed",
      () => changed((e) => flip(table(e, "platform.organizations").content, 20)),
      /platform\.organizations differs from the manifest/,
    ],
    [
      "one job changed",
      () =>
        changed(
          (e) => void e.filter(({ name }) => name.startsWith("jobs")).map(({ content }) => content.write("x", 5)),
        ),
      /jobs differs from the manifest/,
    ],
    [
      "a table taken away",
      () => changed((e) => e.filter(({ name }) => !name.startsWith("tables/platform.tokens/"))),
      /platform\.tokens is missing/,
    ],
    ["a table twice", () => changed((e) => [table(e, "platform.plans"), ...e]), /missing or in the wrong place/],
    [
      "tables in another order",
      () => changed((e) => [...e.slice(0, -1).reverse(), ...e.slice(-1)]),
      /in the wrong place/,
    ],
    [
      "an entry's number left out",
      () => changed((e) => void Object.assign(table(e, "platform.plans"), { name: "tables/platform.plans/000002" })),
      /has no entry 1/,
    ],
    ["something behind the manifest", () => changed((e) => [...e, table(e, "platform.plans")]), /follows the manifest/],
  ])("%s", async (_what, file, message) => {
    await expectRefusal(await file(), message);
    await expectUntouched();
  });

  test("a file that is not there", async () => {
    await expect(restore(target, folder.file("absent"))).rejects.toThrow(/cannot be read: ENOENT/);
    await expectUntouched();
  });
});

function flip(content: Buffer, place: number): undefined {
  content.writeUInt8(content.readUInt8(place) ^ 1, place);
}

function flipped(file: Buffer, place: number): Buffer {
  const copy = Buffer.from(file);
  flip(copy, Math.floor(place));
  return copy;
}

describe("a hostile file is refused before anything is done", () => {
  emptyTarget();

  const more = (entry: Entry) => () => changed((entries) => [entry, ...entries]);
  const small = Buffer.from("x");
  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ["a path out of the folder", more({ name: "../../etc/passwd", content: small }), /does not belong in a backup/],
    ["an absolute path", more({ name: "/etc/passwd", content: small }), /does not belong/],
    [
      "a table's name with a quote",
      more({ name: 'tables/platform.x";drop/000001', content: small }),
      /does not belong/,
    ],
    [
      "a symbolic link",
      more({ name: "jobs/000001", content: Buffer.alloc(0), header: { type: "symlink", linkname: "/etc" } }),
      /does not belong/,
    ],
    [
      "a folder",
      more({ name: "jobs/000001", content: Buffer.alloc(0), header: { type: "directory" } }),
      /does not belong/,
    ],
    [
      "an entry larger than any",
      more({ name: "tables/platform.plans/000001", content: Buffer.alloc(8 * 2 ** 20 + 1) }),
      /too large/,
    ],
    [
      "another name behind a pax header",
      more({ name: "jobs/000001", content: small, header: { pax: { path: "/etc/passwd" } } }),
      /does not belong/,
    ],
    [
      "a size without end behind a pax header",
      more({ name: "jobs/000001", content: small, header: { pax: { size: "99999999999999" } } }),
      /too large/,
    ],
  ])("%s", async (_what, file, message) => {
    await expectRefusal(await file(), message);
    await expectUntouched();
  });

  test("a member of the manifest that nobody knows, and names that are no names", async () => {
    await expectRefusal(await claiming((m) => void Object.assign(m, { more: 1 })), /manifest\.json/);
    await expectRefusal(
      await claiming((m) => void Object.assign(m.tables[0] ?? {}, { name: 'x"; drop' })),
      /tables\.0\.name is wrong/,
    );
    const analyst = { login: "ana", verifier: "md5 x' superuser" };
    await expectRefusal(await claiming((m) => void m.analysts.push(analyst)), /analysts\.0\.verifier is wrong/);
    await expectUntouched();
  });
});

/** Made first of all, and gone with everything else. */
const HOSTILE_LOGIN = `hostile_${randomBytes(4).toString("hex")}`;

/** What a migrated database has that was never used: no organization, its own keys, no job, no login. */
async function contentsOf(database: TestDatabase) {
  const { rows } = await database.admin.query(`
    select (select count(*)::integer from platform.organizations) as organizations,
      (select array_agg(key_id order by key_id) from platform.platform_keys) as keys,
      (select count(*)::integer from graphile_worker._private_jobs) as jobs,
      (select count(*)::integer from pg_trigger where tgenabled = 'D') as disabled,
      (select count(*)::integer from pg_class where relrowsecurity and not relforcerowsecurity and relowner = 'selo_owner'::regrole) as unforced,
      (select count(*)::integer from pg_roles where rolname = '${HOSTILE_LOGIN}') as logins`);
  return rows[0];
}

describe("data that do not fit are refused in the one transaction, and a good backup is restored afterwards", () => {
  /** One for all of them: the good backup then comes after whatever any of them could have left behind. */
  let refusing: TestDatabase;
  let before: object;
  beforeAll(async () => {
    refusing = await createTestDatabase();
    before = await contentsOf(refusing);
    expect(before).toMatchObject({ organizations: 0, jobs: 0, disabled: 0, unforced: 0, logins: 0 });
  });
  afterAll(() => refusing.drop());

  test.each<[string, () => Promise<Buffer>, RegExp]>([
    [
      "a row that no column understands",
      () =>
        claiming((m, e) => {
          table(e, "platform.organizations").content = Buffer.from("x\ty\n");
          m.analysts.push({ login: HOSTILE_LOGIN, verifier: null });
        }),
      /data do not fit/,
    ],
    [
      "a token of no organization",
      () => claiming((_m, e) => void replaceIds(table(e, "platform.tokens"))),
      /data do not fit.*foreign key/,
    ],
    [
      "fewer rows than the manifest says",
      () => claiming((m) => void m.tables.map((t) => t.name === "platform.plans" && Object.assign(t, { rows: 5 }))),
      /platform\.plans has 4 rows, the manifest says 5/,
    ],
    [
      "an end of data before the end",
      () =>
        claiming((_m, e) => {
          const plans = table(e, "platform.plans");
          plans.content = Buffer.concat([Buffer.from("\\.\n"), plans.content]);
        }),
      /platform\.plans|do not fit/,
    ],
    [
      "fewer jobs than the manifest says",
      () => claiming((m) => void Object.assign(m.jobs, { rows: 2 })),
      /the backup has 1 jobs, the manifest says 2/,
    ],
    [
      "a column more",
      () => claiming((m) => void m.tables.find((t) => t.name === "platform.plans")?.columns.push("more")),
      /does not fit its migrations: platform\.plans/,
    ],
    [
      "a column less",
      () => claiming((m) => void m.tables.find((t) => t.name === "platform.plans")?.columns.pop()),
      /does not fit its migrations: platform\.plans/,
    ],
    [
      "a table less",
      () =>
        claiming((m, e) => {
          m.tables = m.tables.filter(({ name }) => name !== "platform.plans");
          e.splice(e.indexOf(table(e, "platform.plans")), 1);
        }),
      /does not fit its migrations: platform\.plans/,
    ],
    [
      "a table nobody knows",
      () =>
        claiming((m) => void m.tables.push({ name: "platform.mine", columns: ["id"], rows: 0, bytes: 0, sha256: "" })),
      /does not fit its migrations: platform\.mine/,
    ],
    [
      "a sequence nobody knows",
      () => claiming((m) => void m.sequences.push({ name: "platform.mine", last_value: 1, is_called: true })),
      /does not fit its migrations: sequence platform\.mine/,
    ],
  ])("%s", async (_what, file, message) => {
    await expectRefusal(await file(), message, refusing);
    expect(await contentsOf(refusing)).toEqual(before);
  });

  test("the good backup, after all of these", async () => {
    await restore(refusing, folder.file("good"));
    const { rows } = await refusing.admin.query("select name from platform.organizations");
    expect(rows).toEqual([{ name: "Backed Up" }]);
  });
});

/** Each row's first column, the organization, becomes another. */
function replaceIds(entry: Entry): void {
  entry.content = Buffer.from(entry.content.toString().replaceAll(/^[0-9a-f]{8}/gm, "00000000"));
}

describe("a backup of another version", () => {
  emptyTarget();

  test("of a newer format, or with a migration this version does not know, names what to do", async () => {
    await expectRefusal(
      await claiming((m) => void Object.assign(m, { format: 3 })),
      /format 3, this version reads 2: run a newer Selo/,
    );
    const newer = await claiming((m) => void m.migrations.push({ name: "9999-newer", hash: "0".repeat(64) }));
    await expectRefusal(
      newer,
      /migration 9999-newer, which this version does not know: a newer Selo made the backup \(0\.0\.0-test\)/,
    );
    await expectUntouched();
  });

  test("with an edited migration, or one left out, is refused", async () => {
    await expectRefusal(
      await claiming((m) => void Object.assign(m.migrations[0] ?? {}, { hash: "0".repeat(64) })),
      /differs from that of this version/,
    );
    await expectRefusal(await claiming((m) => void m.migrations.splice(1, 1)), /differs from that of this version/);
    await expectRefusal(await claiming((m) => void m.migrations.splice(0)), /names no migrations/);
    await expectUntouched();
  });

  test("made by a version with one more migration and its table: the older version refuses it, the newer restores it", async () => {
    const source = changedSource({
      "migrations/9999-newer.sql":
        "create table platform.newer (id integer primary key, what text);\ninsert into platform.newer values (1, 'migrated');\n",
    });
    const [newer, migrated] = [await createTestDatabase(), await createTestDatabase()];
    try {
      await migrate({ adminUrl: newer.adminUrl, serviceUrls: [], source });
      await newer.admin.query(
        "insert into platform.newer values (2, 'data'); update platform.newer set what = 'changed' where id = 1",
      );
      await backUp(newer, folder.file("newer"));
      await expect(restore(migrated, folder.file("newer"))).rejects.toThrow(
        /9999-newer, which this version does not know/,
      );
      expect((await restore(migrated, folder.file("newer"), source)).upgraded).toEqual(["repeatable"]);
      const { rows } = await migrated.admin.query("select id, what from platform.newer order by id");
      expect(rows).toEqual([
        { id: 1, what: "changed" },
        { id: 2, what: "data" },
      ]);
    } finally {
      await newer.drop();
      await migrated.drop();
    }
  });
});

describe("the database", () => {
  emptyTarget();

  test("with data is refused, and stays as it is", async () => {
    const full = await createTestDatabase();
    try {
      const operator = await Operator.connect(full.adminUrl);
      await newOrganization(operator, { name: "In The Way" });
      await operator.close();
      await expect(restore(full, folder.file("good"))).rejects.toThrow(/holds data \(platform\.\w+\).*empty database/);
      const { rows } = await full.admin.query("select name from platform.organizations");
      expect(rows).toEqual([{ name: "In The Way" }]);
    } finally {
      await full.drop();
    }
  });

  test("migrated and never used takes a backup: its fresh platform keys give way", async () => {
    const migrated = await createTestDatabase();
    try {
      const keys = "select key_id from platform.platform_keys order by 1";
      const fresh = (await migrated.admin.query(keys)).rows;
      await restore(migrated, folder.file("good"));
      const { rows } = await migrated.admin.query("select name from platform.organizations");
      expect(rows).toEqual([{ name: "Backed Up" }]);
      expect(fresh).toHaveLength(4);
      expect((await migrated.admin.query(keys)).rows).toHaveLength(4);
    } finally {
      await migrated.drop();
    }
  });

  test("migrated further than the backup is refused with the migration's name", async () => {
    const migrated = await createTestDatabase();
    try {
      await migrated.admin.query("insert into platform.migrations (name, hash) values ('9999-newer', repeat('0', 64))");
      await expect(restore(migrated, folder.file("good"))).rejects.toThrow(
        /has migration 9999-newer, which the backup lacks/,
      );
    } finally {
      await migrated.drop();
    }
  });

  test("that nobody has migrated has nothing to back up, and no file is left", async () => {
    await expect(backUp(target, folder.file("nothing"))).rejects.toThrow(/not migrated/);
    expect(fs.readdirSync(folder.path).filter((name) => name.startsWith("nothing"))).toEqual([]);
  });

  test("of two restores at once one works, the other finds data", async () => {
    const migrated = await createTestDatabase();
    try {
      const outcomes = await Promise.allSettled([
        restore(migrated, folder.file("good")),
        restore(migrated, folder.file("good")),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const { rows } = await migrated.admin.query("select name from platform.organizations");
      expect(rows).toEqual([{ name: "Backed Up" }]);
    } finally {
      await migrated.drop();
    }
  });
});

describe("a backup's own file", () => {
  test("is never overwritten", async () => {
    const source = await createTestDatabase();
    try {
      await expect(backUp(source, folder.file("good"))).rejects.toThrow(/exists; a backup does not overwrite/);
      expect(fs.readFileSync(folder.file("good")).equals(good)).toBe(true);
      await expect(backUp(source, folder.file("no/such/folder"))).rejects.toThrow(/cannot be written: ENOENT/);
    } finally {
      await source.drop();
    }
  });

  test("is not there, in part or whole, when the database goes away in the middle", async () => {
    const source = await createTestDatabase();
    try {
      // Holds the backup up in the middle: it waits for this table.
      const holder = await source.admin.connect();
      await holder.query("begin; lock table platform.tokens in access exclusive mode");
      const refused = expect(backUp(source, folder.file("broken"))).rejects.toThrow();
      const waiting =
        "select pid from pg_stat_activity where application_name = 'selo backup' and datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await source.admin.query(waiting)).rowCount).toBe(1);
      expect(fs.readdirSync(folder.path).some((name) => /^broken\..*\.partial$/.test(name))).toBe(true);
      await source.admin.query(`select pg_terminate_backend(pid) from (${waiting}) as backup`);
      await refused;
      await holder.query("rollback");
      holder.release();
      expect(fs.readdirSync(folder.path).filter((name) => name.startsWith("broken"))).toEqual([]);
    } finally {
      await source.drop();
    }
  });
});
