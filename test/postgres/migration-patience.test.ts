// A migration and those who read for long: it waits for them with no lock in hand, not for ever, and says what it waits for.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { AuditReader } from "../../src/postgres/audit-reader.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { MigrationError } from "../../src/postgres/migrate/migration-error.ts";
import { readSqlSource } from "../../src/postgres/migrate/sql-source.ts";
import type { ReaderPatience } from "../../src/postgres/patient-transaction.ts";
import type { Service } from "../../src/service.ts";
import { services } from "../../src/services/services.ts";
import { changedSource } from "../support/changed-source.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../support/gateway.ts";
import { call } from "../support/rest-client.ts";
import { verifyWith } from "../support/verify-all.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
  const body = { sha256: randomBytes(32).toString("hex") };
  expect((await call(selo, "POST", "/proofs", { token: organization.live, body })).status).toBe(201);
});
afterAll(() => selo.stop());

/** How each of those who verify opens the database. */
const OPEN = {
  "selo audit verify": () => selo.operator.openAudit(),
  "the worker": () => AuditReader.open({ url: selo.database.workerUrl, role: "selo_worker" }, null),
};
const BOTH = Object.keys(OPEN) as (keyof typeof OPEN)[];

/** A verification of everything that has come to the signatures of proofs, and goes on when it may. */
async function heldVerification(who: keyof typeof OPEN) {
  const reader = await OPEN[who]();
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const held = services.map((service): Pick<Service, "name" | "rangeChecks"> => {
    const ofProofs = service.rangeChecks?.proofs;
    if (ofProofs === undefined) return service;
    const load = async () => {
      const check = await ofProofs.load();
      return async (...given: Parameters<typeof check>) => {
        reached.resolve();
        await gate.promise;
        return check(...given);
      };
    };
    return { name: service.name, rangeChecks: { ...service.rangeChecks, proofs: { ...ofProofs, load } } };
  });
  // As all do who verify, whatever becomes of it.
  const verified = verifyWith(reader, { services: held }).finally(() => reader.close());
  verified.catch(() => {}); // some are broken off
  await Promise.race([reached.promise, verified]);
  return { verified, release: () => gate.resolve() };
}

let number = 9000;
/** Changes a table that every verification reads, or another one. */
function migrateNow({
  table = "signature.proofs",
  ...options
}: {
  table?: string;
  readerPatience?: ReaderPatience;
} = {}) {
  const name = `${++number}-more`;
  const log: string[] = [];
  const source = changedSource({
    [`migrations/${name}.sql`]: `alter table ${table} add column more text;\n`,
  });
  const given = { adminUrl: selo.database.adminUrl, serviceUrls: [], log: (line: string) => log.push(line) };
  const applied = migrate({ ...given, source, ...options });
  applied.catch(() => {}); // looked at later
  /** All is as it was, for the next of these. */
  const undo = async () => {
    await selo.database.admin.query("delete from platform.migrations where name = $1", [name]);
    await selo.database.admin.query(`alter table ${table} drop column more`);
    expect(await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [] })).toEqual(["repeatable"]);
  };
  return { name, log, applied, undo };
}
/** Locks of a migration that others would wait for. */
const heldByMigration = async () =>
  (
    await selo.database.admin.query(
      `select held.mode from pg_locks as held join pg_stat_activity as session using (pid)
       where session.datname = current_database() and application_name = 'selo migrate' and held.mode = 'AccessExclusiveLock'`,
    )
  ).rows;

test.each(BOTH)("it waits for the verification of %s, says so once, and nobody waits for it", async (who) => {
  const { verified, release } = await heldVerification(who);
  const { name, log, applied, undo } = migrateNow();
  await expect.poll(() => log.length).toBe(1);
  expect(log[0]).toMatch(
    /^waiting for a verification of the audit trail \(login \w+, process \d+\) to finish reading, for at most 15 minutes; select pg_terminate_backend\(\d+\) ends it \(a worker's verification begins anew by itself\)$/,
  );
  for (let asked = 0; asked < 10; asked++) {
    expect(await heldByMigration()).toEqual([]);
    expect((await call(selo, "GET", "/proofs", { token: organization.live })).status).toBe(200);
  }
  release();
  const { faults, verified: counts } = await verified;
  expect([faults, counts.proofs]).toEqual([[], 1]);
  expect(await applied).toEqual([name, "repeatable"]);
  expect(log.slice(1)).toEqual([`applied ${name}`, "applied the repeatable step"]);
  await undo();
});

test("one that reads on for longer than that ends it with what to do, and nothing is changed", async () => {
  const { release, verified } = await heldVerification("the worker");
  const { name, applied } = migrateNow({ readerPatience: { analyst: 60_000, verification: 2_000 } });
  await expect(applied).rejects.toThrow(MigrationError);
  const message = await applied.catch((error: Error) => error.message);
  const told =
    /^migration \d+-more failed: a verification of the audit trail \(login selo_worker, process (\d+)\) has been reading for 2 seconds; (select pg_terminate_backend\(\d+\)) ends it \(a worker's verification begins anew by itself\), or wait and migrate again$/;
  expect(message).toMatch(told);
  const { rows } = await selo.database.admin.query("select from platform.migrations where name = $1", [name]);
  expect(rows).toEqual([]);
  // What the message says works.
  const [, , statement = ""] = told.exec(String(message)) ?? [];
  await selo.database.admin.query(statement);
  release();
  await expect(verified).rejects.toThrow();
  const again = migrateNow();
  expect(await again.applied).toEqual([again.name, "repeatable"]);
  await again.undo();
});

test("a worker of v0.1.0, which verifies under its own name, is known by how long it reads; its short transactions are not", async () => {
  const worker = new pg.Client({ connectionString: selo.database.workerUrl, application_name: "selo worker" });
  await worker.connect();
  onTestFinished(() => worker.end());
  await worker.query("begin isolation level repeatable read read only");
  await worker.query("select jobs.verified_seal()");
  const early = migrateNow({ table: "platform.settings" });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(early.log).toEqual([]);
  await expect.poll(() => early.log.length, { timeout: 15_000 }).toBe(1);
  expect(early.log[0]).toContain("login selo_worker");
  await worker.query("rollback");
  expect(await early.applied).toEqual([early.name, "repeatable"]);
  await early.undo();
});

test("the repeatable step waits as well, and a migration without anything to do does not", async () => {
  const { release, verified } = await heldVerification("selo audit verify");
  expect(await migrate({ adminUrl: selo.database.adminUrl, serviceUrls: [] })).toEqual([]);
  const source = readSqlSource();
  const log: string[] = [];
  const applied = migrate({
    adminUrl: selo.database.adminUrl,
    serviceUrls: [],
    source: { ...source, schemas: `${source.schemas}-- another text\n` },
    log: (line) => log.push(line),
  });
  await expect.poll(() => log.length).toBe(1);
  expect(log[0]).toContain("a verification of the audit trail");
  release();
  expect((await verified).faults).toEqual([]);
  expect(await applied).toEqual(["repeatable"]);
});
