// `selo backup` and `selo restore` as an operator runs them, and killed in the middle.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FolderStore } from "../../../src/adapters/storage/folder-store.ts";
import { issueKey } from "../../../src/services/dns/store.ts";
import { onePage, pdf, stream } from "../../adapters/pdf-check/pdf-file.ts";
import { writeZone } from "../../services/dns/write-zone.ts";
import { backupFolder } from "../../support/backup-folder.ts";
import { command, commandJson } from "../../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startGatewayOn, startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { call } from "../../support/rest-client.ts";
import { selo as program } from "../../support/selo-process.ts";
import { readyDocument, type UploadedDocument } from "../../support/uploads.ts";
import { verifyEveryProof } from "../../support/verify-every-proof.ts";

/** Longer than some entries of a backup: it takes a moment to write. */
const LARGE = pdf(onePage({ objects: { 4: stream("", Buffer.alloc(12_000_000, "large ")) } }));

const folder = backupFolder();
let selo: TestGateway;
let organization: TestOrganization;
let document: UploadedDocument;
const databases: TestDatabase[] = [];
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Operated" });
  for (const token of [organization.live, organization.test]) {
    await fetch(`${selo.baseUrl}/api/v1/proofs`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ sha256: randomBytes(32).toString("hex") }),
    });
  }
  const { secret } = await issueKey(selo.operator, organization.id, "robot");
  await writeZone(selo, organization, secret, "restored.example");
  document = await readyDocument(selo, organization.live, "large.pdf", LARGE);
});
afterAll(async () => {
  for (const database of databases) await database.drop();
  await selo.stop();
  folder.remove();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true });
  databases.push(database);
  return database;
}

function environmentOf(database: Pick<TestDatabase, "adminUrl" | "appUrl" | "workerUrl">, more: object = {}) {
  return {
    DATABASE_URL: database.appUrl,
    DATABASE_ADMIN_URL: database.adminUrl,
    DATABASE_WORKER_URL: database.workerUrl,
    SELO_MASTER_KEY: TEST_MASTER_KEY,
    SELO_DATA_DIR: path.join(folder.path, "data"),
    STORAGE_FOLDER: database === selo.database ? selo.config.storageFolder : folder.file("objects"),
    PUBLIC_URL: "http://restored.test",
    ...more,
  };
}

/** What the nameservers serve, and the least number of rows. */
const SERVED = [
  ["select * from pdns.records order by domain_id, id", 6],
  ["select * from pdns.cryptokeys order by id", 1],
  ["select domain_id, kind, content from pdns.domainmetadata order by domain_id, kind", 2],
] as const;

test("a backup is made, restored into a database that does not exist yet, and the gateway serves it", async () => {
  const file = folder.file("operator.backup");
  const made = await commandJson<Record<string, unknown>>(["backup", file], environmentOf(selo.database));
  expect(made).toMatchObject({ file, bytes: fs.statSync(file).size, master_key_ids: [expect.any(String)] });
  expect(made).toMatchObject({ objects: 1, missing_objects: 0, missing: [] });

  const known = await emptyDatabase();
  const elsewhere = (url: string) => url.replace(known.name, `${known.name}_new`);
  const target = {
    adminUrl: elsewhere(known.adminUrl),
    appUrl: elsewhere(known.appUrl),
    workerUrl: elsewhere(known.workerUrl),
  };
  try {
    const restored = await commandJson<Record<string, unknown>>(["restore", file], environmentOf(target));
    expect(restored).toEqual({
      taken_at: made["taken_at"],
      migrations: made["migrations"],
      tables: made["tables"],
      rows: made["rows"],
      jobs: made["jobs"],
      objects: 1,
      object_bytes: made["object_bytes"],
      missing_objects: 0,
      missing: [],
      master_key_ids: made["master_key_ids"],
      upgraded: ["repeatable"],
      not_made: [],
      master_key_fits: true,
      logins: { made: [], without_password: [], existing: [], not_made: [] },
    });
    const admin = new pg.Pool({ connectionString: target.adminUrl });
    expect(await verifyEveryProof(admin)).toEqual({ count: 2, failed: [] });
    // No backup holds what the nameservers serve: it is made again.
    for (const [served, least] of SERVED) {
      const { rows } = await admin.query(served);
      expect(rows).toEqual((await selo.database.admin.query(served)).rows);
      expect(rows.length).toBeGreaterThanOrEqual(least);
    }
    await admin.end();
    expect(await commandJson(["audit", "verify"], environmentOf(target))).toMatchObject({ faults: [] });
    expect(await commandJson(["migrate"], environmentOf(target))).toEqual({ applied: [] });
    // The settings are those of the deployment it was restored for.
    const gateway = await startGatewayOn(target.appUrl, {
      PUBLIC_URL: "http://restored.test",
      STORAGE_FOLDER: folder.file("objects"),
    });
    try {
      expect((await fetch(`${gateway.baseUrl}/readyz`)).status).toBe(200);
      const answer = await fetch(`${gateway.baseUrl}/api/v1/proofs`, {
        headers: { authorization: `Bearer ${organization.live}` },
      });
      const { items } = (await answer.json()) as { items: { verify_url: string }[] };
      expect(items.map(({ verify_url }) => new URL(verify_url).origin)).toEqual(["http://restored.test"]);
      const { body } = await call(gateway, "GET", `/documents/${document.id}/download`, { token: organization.live });
      const { pathname, search } = new URL(body.url);
      const download = await fetch(`${gateway.baseUrl}${pathname}${search}`);
      expect(Buffer.from(await download.arrayBuffer()).equals(LARGE)).toBe(true);
    } finally {
      await gateway.stop();
    }
  } finally {
    await known.admin.query(`drop database if exists ${known.name}_new with (force)`);
  }
});

test("people read what is in it and which master key it needs; a wrong one is named, and none is generated", async () => {
  const file = folder.file("people.backup");
  const made = await command(["backup", file], environmentOf(selo.database));
  expect(made.stdout).toMatch(/people\.backup: \d+ bytes, \d+ rows of \d+ tables, \d+ jobs, 1 object, as of 2.*Z\n/);
  expect(made.stdout).toMatch(/The backup does not contain the master key/);
  const bytes = fs.readFileSync(file, "latin1");
  expect(made.stdout + bytes).not.toContain(TEST_MASTER_KEY);
  // Keys of zones are in it sealed, and open only with the master key.
  expect(bytes).not.toContain("Private-key-format");

  const target = await emptyDatabase();
  const other = { SELO_MASTER_KEY: "22".repeat(32) };
  const { stdout, code } = await command(["restore", file], environmentOf(target, other));
  expect(stdout).toMatch(
    / 1 object, as of .*; each table read back and compared\n(MISSING: .*\n)*applied repeatable\n/,
  );
  expect(stdout).toMatch(/need the master key with id [0-9a-f]{8}: a different master key is configured/);
  expect(stdout).toMatch(
    /^MISSING: the zone restored\.example is served without its key \d+ \(tag \d+\): no configured master key decrypts it$/m,
  );
  expect(code).toBe(1);
  // With the right master key, a rebuild makes it whole.
  const rebuild = await command(["nameserver", "rebuild"], environmentOf(target, other));
  expect(rebuild).toMatchObject({ code: 1, stdout: expect.stringContaining("MISSING: the zone restored.example") });
  expect(await commandJson(["nameserver", "rebuild"], environmentOf(target))).toEqual({ rebuilt: true, missing: [] });
  for (const [served] of SERVED)
    expect((await target.admin.query(served)).rows).toEqual((await selo.database.admin.query(served)).rows);

  const again = await command(["restore", file], environmentOf(target));
  expect(again).toMatchObject({ code: 1, stdout: "" });
  expect(again.stderr).toMatch(/^the database holds data .*\n$/);
  const over = await command(["backup", file], environmentOf(selo.database));
  expect(over).toMatchObject({ code: 1, stdout: "" });
  expect(over.stderr).toMatch(/exists; a backup does not overwrite\n$/);
  expect(fs.existsSync(path.join(folder.path, "data", "master-key"))).toBe(false);
});

test("content that the storage lacks is named, with exit code 1; the backup is made, and restored", async () => {
  const file = folder.file("lacking.backup");
  const elsewhere = `${selo.config.storageFolder}-elsewhere`;
  fs.renameSync(selo.config.storageFolder, elsewhere);
  try {
    const away = await command(["backup", file], environmentOf(selo.database));
    expect(away).toMatchObject({ code: 1, stdout: "" });
    expect(away.stderr).toMatch(/^STORAGE_FOLDER: the storage cannot be used \(ENOENT\)\n$/);
    expect(fs.existsSync(selo.config.storageFolder)).toBe(false);
    await FolderStore.prepare(selo.config.storageFolder);
    const named = new RegExp(
      `^MISSING: the (backup|storage) has no content of signature\\.documents \\(.*${document.id}\\)$`,
      "m",
    );
    const made = await command(["backup", file], environmentOf(selo.database));
    expect(made.code).toBe(1);
    expect(made.stdout).toMatch(named);
    const empty = { STORAGE_FOLDER: folder.file("other-objects") };
    const restored = await command(["restore", file], environmentOf(await emptyDatabase(), empty));
    expect(restored.code).toBe(1);
    expect(restored.stdout).toMatch(named);
  } finally {
    fs.rmSync(selo.config.storageFolder, { recursive: true, force: true });
    fs.renameSync(elsewhere, selo.config.storageFolder);
  }
});

test("killed while it brings content: the database is empty, and the next restore completes it", async () => {
  const file = folder.file("content.backup");
  await commandJson(["backup", file], environmentOf(selo.database));
  const target = await emptyDatabase();
  const objects = folder.file("killed-objects");
  const partial = () =>
    fs.existsSync(objects) &&
    fs.readdirSync(objects, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith(".partial"));
  const restore = program(["restore", file], environmentOf(target, { STORAGE_FOLDER: objects }));
  await expect.poll(partial, { interval: 1 }).toBe(true);
  restore.child.kill("SIGKILL");
  await restore.finished;
  const { rows } = await target.admin.query("select from signature.documents");
  expect(rows).toEqual([]);
  const completed = await commandJson<object>(["restore", file], environmentOf(target, { STORAGE_FOLDER: objects }));
  expect(completed).toMatchObject({ objects: 1, missing: [] });
});

/** Proofs enough for a COPY of some seconds, without signing them. */
async function fill({ admin }: TestDatabase): Promise<void> {
  await admin.query(`
    insert into signature.proofs
    select proof.tenant_id, gen_random_uuid(), proof.environment, sha256(convert_to(which::text, 'UTF8')), 'label ' || which, which || '.pdf', which,
      proof.language, proof.registered_at, proof.verification_code, proof.evidence, proof.platform_key_id, proof.platform_signature,
      proof.platform_pq_key_id, proof.platform_signature_pq
    from signature.proofs as proof, generate_series(1, 5000) as which where proof.environment = 'live'`);
}

/** Kills a command with SIGKILL while Postgres runs a statement of its, and waits until Postgres has noticed. */
async function killDuring(args: string[], database: TestDatabase, statement: string): Promise<void> {
  const command = program(args, environmentOf(database));
  const active = async () =>
    (
      await database.admin.query(
        "select from pg_stat_activity where datname = $1 and application_name = $2 and query like $3 and state = 'active'",
        [database.name, `selo ${args[0]}`, statement],
      )
    ).rowCount;
  await expect.poll(active, { interval: 5 }).toBe(1);
  command.child.kill("SIGKILL");
  expect((await command.finished).signal).toBe("SIGKILL");
  await expect.poll(active).toBe(0);
}

test("killed in the middle: a backup leaves no file at its place, a restore an empty database, and both work when run again", async () => {
  await fill(selo.database);
  const file = folder.file("killed.backup");
  await killDuring(["backup", file], selo.database, "copy%signature%proofs%to stdout");
  expect(fs.existsSync(file)).toBe(false);
  await commandJson(["backup", file], environmentOf(selo.database));

  const target = await emptyDatabase();
  await killDuring(["restore", file], target, "copy%signature%proofs%from stdin");
  const { rows } = await target.admin.query(`
    select (select count(*)::integer from platform.organizations) as organizations,
      (select count(*)::integer from signature.proofs) as proofs, (select count(*)::integer from platform.platform_keys) as keys,
      (select count(*)::integer from pg_trigger where tgenabled = 'D') as disabled`);
  expect(rows).toEqual([{ organizations: 0, proofs: 0, keys: 0, disabled: 0 }]);

  await commandJson(["restore", file], environmentOf(target));
  const counted = await target.admin.query("select count(*)::integer as proofs from signature.proofs");
  expect(counted.rows).toEqual([{ proofs: 5_002 }]);
}, 120_000);
