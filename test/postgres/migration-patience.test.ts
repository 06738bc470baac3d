// A migration and those who read for long: it waits for them with no lock in hand, not for ever, and says what it waits for.
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AuditReader } from "../../src/postgres/audit-reader.ts";
import { migrate } from "../../src/postgres/migrate/migrate.ts";
import { MigrationError } from "../../src/postgres/migrate/migration-error.ts";
import { readSqlSource } from "../../src/postgres/migrate/sql-source.ts";
import { inPatientTransaction, type PatientOptions } from "../../src/postgres/patient-transaction.ts";
import type { Service } from "../../src/services/service.ts";
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

const NAME = "9001-more";

/** Changes a table that every verification reads, and then makes all views and functions again. */
function migrateNow(options: PatientOptions = {}) {
  const log: string[] = [];
  const source = changedSource({
    [`migrations/${NAME}.sql`]: "alter table signature.proofs add column more text;\n",
  });
  const given = { adminUrl: selo.database.adminUrl, serviceUrls: [], log: (line: string) => log.push(line) };
  const applied = migrate({ ...given, source, ...options });
  applied.catch(() => {}); // looked at later
  return { log, applied };
}

/** Locks a table as each migration does that changes it, and changes nothing. */
function lockNow(table: string) {
  const log: string[] = [];
  const lock = async () => {
    const client = new pg.Client({ connectionString: selo.database.adminUrl, application_name: "selo migrate" });
    await client.connect();
    const work = async () => void (await client.query(`lock table ${table} in access exclusive mode`));
    try {
      await inPatientTransaction(client, "set local role selo_owner", work, { log: (line) => log.push(line) });
    } finally {
      await client.end();
    }
  };
  const applied = lock();
  applied.catch(() => {}); // looked at later
  return { log, applied };
}

/** Until the migration says that it waits: what it says. */
async function told(log: readonly string[]): Promise<string> {
  await expect.poll(() => log.length).toBe(1);
  return log[0] ?? "";
}

/** Once it said so, nothing that it holds is in anybody's way. */
async function expectNobodyWaits(): Promise<void> {
  // Locks that others would wait for.
  const held = `select held.mode from pg_locks as held join pg_stat_activity as session using (pid)
    where session.datname = current_database() and application_name = 'selo migrate' and held.mode = 'AccessExclusiveLock'`;
  for (let asked = 0; asked < 10; asked++) {
    expect((await selo.database.admin.query(held)).rows).toEqual([]);
    expect((await call(selo, "GET", "/proofs", { token: organization.live })).status).toBe(200);
  }
}

const WAITS =
  /^waiting for a verification of the audit trail \(login \w+, process \d+\) to finish reading, for at most 15 minutes; select pg_terminate_backend\(\d+\) ends it \(a worker's verification begins anew by itself\)$/;

test("it waits for the verification of the worker, says so once, and nobody waits for it", async () => {
  const { verified, release } = await heldVerification("the worker");
  const { log, applied } = lockNow("signature.proofs");
  expect(await told(log)).toMatch(WAITS);
  await expectNobodyWaits();
  release();
  const { faults, verified: counts } = await verified;
  expect([faults, counts.proofs]).toEqual([[], 1]);
  await applied;
  expect(log).toHaveLength(1);
});

test("one that reads on for longer than that ends it with what to do, and nothing is changed", async () => {
  const { release, verified } = await heldVerification("the worker");
  const { applied } = migrateNow({ readerPatience: { analyst: 60_000, verification: 500 } });
  await expect(applied).rejects.toThrow(MigrationError);
  const message = await applied.catch((error: Error) => error.message);
  const ended =
    /^migration 9001-more failed: a verification of the audit trail \(login selo_worker, process (\d+)\) has been reading for 0.5 seconds; (select pg_terminate_backend\(\d+\)) ends it \(a worker's verification begins anew by itself\), or wait and migrate again$/;
  expect(message).toMatch(ended);
  const { rows } = await selo.database.admin.query("select from platform.migrations where name = $1", [NAME]);
  expect(rows).toEqual([]);
  // What the message says works.
  const [, , statement = ""] = ended.exec(String(message)) ?? [];
  await selo.database.admin.query(statement);
  release();
  await expect(verified).rejects.toThrow();
  const { log, applied: again } = lockNow("signature.proofs");
  await again;
  expect(log).toEqual([]);
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
  expect(await told(log)).toContain("a verification of the audit trail");
  release();
  expect((await verified).faults).toEqual([]);
  expect(await applied).toEqual(["repeatable"]);
});

test("a whole migration waits for selo audit verify, and does all that it has to do after it", async () => {
  const { verified, release } = await heldVerification("selo audit verify");
  const { log, applied } = migrateNow();
  expect(await told(log)).toMatch(WAITS);
  await expectNobodyWaits();
  release();
  const { faults, verified: counts } = await verified;
  expect([faults, counts.proofs]).toEqual([[], 1]);
  expect(await applied).toEqual([NAME, "repeatable"]);
  expect(log.slice(1)).toEqual([`applied ${NAME}`, "applied the repeatable step"]);
});
