// A backup taken under load is one instant; restored into an empty database, everything of it works and verifies.
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Manifest } from "../../src/postgres/backup/manifest.ts";
import type { Restored } from "../../src/postgres/backup/restore-backup.ts";
import { dumpCatalog } from "../../src/postgres/migrate/catalog-dump.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { readSqlSource } from "../../src/postgres/migrate/sql-source.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { sealAudit } from "../../src/services/platform/audit/seal-audit.ts";
import { backUp, backupFolder, restore } from "../support/backup-folder.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startGatewayOn, startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { masterKeys } from "../support/master-keys.ts";
import { verifyAll } from "../support/verify-all.ts";
import { verifyEveryProof } from "../support/verify-every-proof.ts";

const CLIENTS = 8;
const CREDITS = 1_000_000;

interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: { readonly id: string; readonly sha256: string; readonly verification_code: string };
}

const folder = backupFolder();
let selo: TestGateway;
let organizations: TestOrganization[];
let revoked: string;
let keyed: { readonly key: string; readonly body: object; readonly answer: Answer };
/** Ids of the proofs that were answered before the backup began, and of all when it had ended. */
let before: string[];
let afterwards: string[];
let manifest: Manifest;
let restored: Restored;
let target: TestDatabase;
let there: { readonly baseUrl: string; stop(): Promise<void> };

beforeAll(async () => {
  selo = await startTestGateway();
  organizations = [
    await selo.newOrganization({ name: "Ação\t& \\N Söhne\n", credits: CREDITS, language: "pt-BR" }),
    await selo.newOrganization({ credits: CREDITS }),
  ];
  const [first] = organizations;
  if (!first) throw new Error("no organization");
  const { id, token } = await selo.operator.createToken(first.id, "live", "revoked", ["proofs:read"]);
  await selo.operator.revokeToken(id);
  revoked = token;
  keyed = await postKeyed(first);
  await addJobs(selo.database);
  await sealAudit(selo.operator, masterKeys);
  await backUpUnderLoad();
  target = await createTestDatabase({ empty: true });
  restored = await restore(target, folder.file("load.backup"));
  there = await startGatewayOn(target.appUrl);
}, 120_000);
afterAll(async () => {
  await there?.stop();
  await target?.drop();
  await selo?.stop();
  folder.remove();
});

async function post(baseUrl: string, token: string, body: object, key?: string): Promise<Answer> {
  const answer = await fetch(`${baseUrl}/api/v1/proofs`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  return {
    status: answer.status,
    replayed: answer.headers.get("idempotent-replayed") === "true",
    body: (await answer.json()) as Answer["body"],
  };
}

async function get(token: string | null, path: string) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(`${there.baseUrl}/api/v1${path}`, { headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

async function postKeyed(organization: TestOrganization) {
  const key = randomUUID();
  const body = {
    sha256: digest("keyed"),
    label: "tab\t, \\., \u2028 and \\N",
    file_name: "não.pdf",
    file_size: 2 ** 53 - 1,
  };
  return { key, body, answer: await post(selo.baseUrl, organization.live, body, key) };
}

/** One that waits with everything a job may have, one that failed before, one that was given up, many more than fit one entry. */
async function addJobs({ admin }: TestDatabase): Promise<void> {
  await admin.query(`
    select graphile_worker.add_job('keyed', '{"b": 1, "a": "ção"}', queue_name => 'line', run_at => '2031-02-03 04:05:06.789+00',
      max_attempts => 7, job_key => 'one', priority => -3, flags => array['slow']);
    select graphile_worker.add_job('failed_before');
    select graphile_worker.add_job('given_up', max_attempts => 2);
    update graphile_worker._private_jobs as job set attempts = 2, last_error = 'Error: no'
      from graphile_worker._private_tasks as task where task.id = job.task_id and task.identifier in ('failed_before', 'given_up');
    select graphile_worker.add_job('many', json_build_object('which', which), run_at => '2032-01-01') from generate_series(1, 1200) as which;`);
}

async function backUpUnderLoad(): Promise<void> {
  const answered: string[] = [];
  let running = true;
  const client = async (which: number) => {
    const organization = organizations[which % organizations.length];
    for (let round = 0; running && organization; round++) {
      const token = round % 3 === 0 ? organization.test : organization.live;
      const body = { sha256: digest(`${which} ${round}`), label: `client ${which}`, file_name: `${round}.pdf` };
      const { status, body: proof } = await post(selo.baseUrl, token, body, round % 2 ? randomUUID() : undefined);
      if (status !== 201) throw new Error(`a proof was answered with ${status}`);
      answered.push(proof.id);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, which) => client(which));
  try {
    await vi.waitUntil(() => answered.length > 100, { timeout: 30_000 });
    before = [...answered];
    manifest = await backUp(selo.database, folder.file("load.backup"));
    const during = answered.length;
    await vi.waitUntil(() => answered.length > during + CLIENTS, { timeout: 30_000 });
  } finally {
    running = false;
    await Promise.all(clients);
  }
  afterwards = answered;
}

const numbers = async (text: string) => (await target.admin.query<Record<string, number>>(text)).rows[0] ?? {};

describe("a backup taken while proofs are registered", () => {
  test("holds every proof that was answered before it, and none twice or half", async () => {
    const { rows } = await target.admin.query<{ id: string }>("select id from signature.proofs");
    const ids = new Set(rows.map(({ id }) => id));
    expect(before.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBeGreaterThanOrEqual(before.length + 1);
    // The load went on while it was taken: not everything is in it.
    expect(ids.size).toBeLessThan(afterwards.length + 1);
    expect(manifest.tables.find(({ name }) => name === "signature.proofs")?.rows).toBe(ids.size);
  });

  test("credits equal live proofs, and every proof has its code, its place in the queue, its key's answer", async () => {
    const found = await numbers(`
      select (select count(*)::integer from signature.proofs where environment = 'live') as live,
        (select -sum(amount)::integer from platform.credit_ledger where reason = 'proof_registered') as spent,
        (select sum(amount)::integer from platform.credit_ledger) - (select sum(balance)::integer from platform.credit_balances) as difference,
        (select count(*)::integer from signature.proofs as proof where not exists (
          select from platform.public_codes where code = proof.verification_code and subject_id = proof.id)) as uncoded,
        (select count(*)::integer from signature.proofs as proof where not exists (
          select from signature.unverified_proofs where proof_id = proof.id)) as unqueued,
        (select count(*)::integer from platform.public_codes) - (select count(*)::integer from signature.proofs) as lone_codes,
        (select count(*)::integer from platform.credit_ledger as movement where subject_id is not null and not exists (
          select from signature.proofs where id = movement.subject_id)) as lone_movements,
        (select count(*)::integer from platform.idempotency_keys as key where status is null or not exists (
          select from signature.proofs where id = key.subject_id)) as lone_keys`);
    const none = { difference: 0, uncoded: 0, unqueued: 0, lone_codes: 0, lone_movements: 0, lone_keys: 0 };
    expect(found).toEqual({ live: found.live, spent: found.live, ...none });
    expect(found.live).toBeGreaterThan(50);
  });

  test("leaves one file, for its owner alone", () => {
    expect(fs.readdirSync(folder.path)).toEqual(["load.backup"]);
    expect(fs.statSync(folder.file("load.backup")).mode & 0o777).toBe(0o600);
  });

  test("says what it holds and that the master key is not in it", () => {
    expect(manifest).toMatchObject({
      format: 2,
      migrations: readSqlSource().migrations.map(({ name, hash }) => ({ name, hash })),
      jobs: { rows: 1_204 },
      // SHA-256 of 32 bytes of 0x11, its first four bytes.
      master_key: { included: false, ids: [digest11()] },
    });
    const names = manifest.tables.map(({ name }) => name);
    expect(names).toContain("platform.settings");
    expect(names).not.toContain("platform.request_counts");
    expect(names).not.toContain("platform.migrations");
    expect(names.indexOf("platform.organizations")).toBeLessThan(names.indexOf("platform.tokens"));
    expect(Date.now() - Date.parse(manifest.taken_at)).toBeLessThan(600_000);
  });
});

const digest11 = () => createHash("sha256").update(Buffer.alloc(32, 0x11)).digest("hex").slice(0, 8);

describe("restored into an empty database", () => {
  test("every table has the rows of the manifest, and the database is the one of a fresh install", async () => {
    for (const { name, rows } of manifest.tables) {
      expect({ name, ...(await numbers(`select count(*)::integer as rows from ${name}`)) }).toEqual({ name, rows });
    }
    expect(restored.manifest).toEqual(manifest);
    expect(restored.upgraded).toEqual(["repeatable"]);
    const client = new pg.Client({ connectionString: target.adminUrl });
    await client.connect();
    const catalog = await dumpCatalog(client);
    await client.end();
    expect(catalog).toBe(fs.readFileSync(new URL("../../schema/database.sql", import.meta.url), "utf8"));
    expect(await migrate({ adminUrl: target.adminUrl, serviceUrls: [] })).toEqual([]);
  });

  test("every proof verifies with both implementations", async () => {
    const { count, failed } = await verifyEveryProof(target.admin);
    expect(failed).toEqual([]);
    expect(count).toBe(manifest.tables.find(({ name }) => name === "signature.proofs")?.rows);
  });

  test("every chain of the audit trail is whole, and its seal verifies", async () => {
    const operator = await Operator.connect(target.adminUrl);
    const { faults, events, seals } = await verifyAll(operator);
    await operator.close();
    expect(faults).toEqual([]);
    expect(seals).toBe(1);
    expect(events).toBe(manifest.tables.find(({ name }) => name === "platform.audit_events")?.rows);
    expect(events).toBeGreaterThan(before.length);
  });

  test("tokens work, revoked ones do not, and proofs read and verify in public as before", async () => {
    const [first, second] = organizations;
    const { id, verification_code } = keyed.answer.body;
    const read = await get(first?.live ?? "", `/proofs/${id}`);
    expect(read).toMatchObject({ status: 200, body: { ...keyed.answer.body, created: false } });
    expect((await get(revoked, "/proofs")).status).toBe(401);
    expect((await get(second?.live ?? "", `/proofs/${id}`)).status).toBe(404);
    expect((await get(first?.test ?? "", `/proofs/${id}`)).status).toBe(404);
    expect((await get(null, `/public/proofs/${verification_code}`)).status).toBe(200);
  });

  test("an Idempotency-Key is answered again, and another request with it is refused", async () => {
    const token = organizations[0]?.live ?? "";
    const again = await post(there.baseUrl, token, keyed.body, keyed.key);
    expect(again).toEqual({ ...keyed.answer, replayed: true });
    expect((await post(there.baseUrl, token, { sha256: digest("other") }, keyed.key)).status).toBe(409);
  });

  test("new proofs are sealed with the keys of the backup and pay with its credits", async () => {
    const balance = "select sum(balance)::integer as balance from platform.credit_balances";
    const { balance: had } = await numbers(balance);
    const made = await post(there.baseUrl, organizations[1]?.live ?? "", { sha256: digest("after the restore") });
    expect(made.status).toBe(201);
    expect(await numbers(balance)).toEqual({ balance: (had ?? 0) - 1 });
    expect((await get(null, `/public/proofs/${made.body.verification_code}`)).status).toBe(200);
  });

  test("append-only tables refuse changes, and the owner is held to its tenant again", async () => {
    for (const statement of [
      "update signature.proofs set label = 'x'",
      "delete from platform.credit_ledger",
      "delete from platform.organizations",
      "truncate signature.proofs cascade",
    ]) {
      await expect(target.admin.query(statement), statement).rejects.toMatchObject({ code: "23001" });
    }
    const owner = new pg.Client({ connectionString: target.adminUrl, options: "-c role=selo_owner" });
    await owner.connect();
    expect((await owner.query("select from signature.proofs")).rowCount).toBe(0);
    await owner.end();
  });

  test("contexts are signed with the database's own key, which is in no backup", async () => {
    expect(manifest.tables.filter(({ name }) => name.startsWith("secrets."))).toEqual([]);
    const keyOf = async (database: TestDatabase) =>
      (await database.admin.query<{ key: Buffer }>("select key from secrets.context_key")).rows.map(({ key }) =>
        key.toString("hex"),
      );
    const migrated = await createTestDatabase();
    try {
      const keys = [await keyOf(selo.database), await keyOf(target), await keyOf(migrated)];
      await restore(migrated, folder.file("load.backup"));
      keys.push(await keyOf(migrated));
      // The databases of tests are copies of one, and have its key until something is restored into them.
      expect(keys.map((each) => each.length)).toEqual([1, 1, 1, 1]);
      expect(new Set(keys.flat()).size).toBe(3);
      expect(keys[2]).toEqual(keys[0]);
    } finally {
      await migrated.drop();
    }
  });

  test("numbers go on where they were", async () => {
    const operator = await Operator.connect(target.adminUrl);
    const next = await operator.createOrganization({ name: "Next" });
    await operator.close();
    expect(next.number).toBe(Math.max(...organizations.map(({ number }) => number)) + 1);
  });

  test("jobs wait again as they did: task, payload, queue, time, attempts, key, priority, flags", async () => {
    const jobs = `
      select task.identifier, job.payload::text, queue.queue_name, job.run_at, job.attempts, job.max_attempts, job.last_error, job.key, job.priority, job.flags, job.is_available
      from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = task_id
      left join graphile_worker._private_job_queues as queue on queue.id = job_queue_id order by job.id`;
    const { rows } = await target.admin.query(jobs);
    expect(rows).toEqual((await selo.database.admin.query(jobs)).rows);
    expect(rows).toHaveLength(1_204);
  });
});
