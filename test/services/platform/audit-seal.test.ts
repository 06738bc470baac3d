// The job that seals the audit trail, and when it runs.
import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { VERIFICATION_NAME } from "../../../src/postgres/patient-transaction.ts";
import { platformSettings } from "../../../src/services/platform/settings.ts";
import { services } from "../../../src/services/services.ts";
import { schedule, startWorker } from "../../../workers/main.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { masterKeys } from "../../support/master-keys.ts";
import { call } from "../../support/rest-client.ts";
import { tamper } from "../../support/tamper.ts";
import { verifyAll } from "../../support/verify-all.ts";

let selo: TestGateway;
beforeAll(async () => {
  selo = await startTestGateway({ AUDIT_SEAL_SCHEDULE: "7 3 * * *" });
  await selo.newOrganization();
});
afterAll(() => selo.stop());

/** A log whose lines are kept. */
function keptLog() {
  const lines: string[] = [];
  const log = pino(
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  return { lines, log };
}

const query = (text: string) => selo.database.admin.query(text);

test.each([
  [{}, ["03:00"]],
  [{ AUDIT_SEAL_SCHEDULE: "7 3 * * *" }, ["03:07"]],
  [{ AUDIT_SEAL_SCHEDULE: "0,30 22-23 * * *" }, ["22:00", "22:30", "23:00", "23:30"]],
])("with %j it runs, every day, at %j (UTC)", (environment, times) => {
  const item = schedule(services, readConfig(environment)).find(({ task }) => task === "platform__seal_audit");
  const minutes = Array.from({ length: 1440 }, (_, minute) => ({ hour: Math.floor(minute / 60), min: minute % 60 }));
  for (const day of [
    { date: 1, month: 1, dow: 4 },
    { date: 29, month: 2, dow: 0 },
  ]) {
    const matching = minutes.filter((time) => item?.match({ ...day, ...time }));
    expect(matching.map(({ hour, min }) => [hour, min].map((part) => String(part).padStart(2, "0")).join(":"))).toEqual(
      times,
    );
  }
});

test("seals all there is with both keys, and is scheduled", async () => {
  const { lines, log } = keptLog();
  const { config, database } = selo;
  expect(config.of(platformSettings).AUDIT_SEAL_SCHEDULE).toBe("7 3 * * *");
  const worker = await startWorker({ services, config, databaseUrl: database.workerUrl, masterKeys, log });
  try {
    const known = "select from graphile_worker._private_known_crontabs where identifier = 'platform__seal_audit'";
    await expect.poll(async () => (await query(known)).rowCount).toBe(1);
    await query("select graphile_worker.add_job('platform__seal_audit')");
    const seals = async () => (await query("select from platform.audit_seals")).rowCount;
    await expect.poll(seals).toBe(1);
    await expect.poll(() => lines.join("")).toContain("verified the audit trail");
  } finally {
    await worker.stop();
  }
  expect(lines.join("")).toContain('"seal":1');
  // Verified at once, and nothing amiss.
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 30, msg: "verified the audit trail", since: 0, seals: 1 }),
  );
  const report = await verifyAll(selo.operator);
  // The event after the seal says that it was verified.
  expect(report).toMatchObject({ seals: 1, unsealed_events: 1, faults: [] });
});

test("a fault that the verification after a seal finds sounds the alarm, with its place and no more", async () => {
  const { lines, log } = keptLog();
  const [token] = (await query("select id from platform.tokens limit 1")).rows;
  await tamper(selo.database, ["update platform.tokens set name = 'Ana' where id = $1", [token.id]]);
  const { config, database } = selo;
  const worker = await startWorker({ services, config, databaseUrl: database.workerUrl, masterKeys, log });
  try {
    await query("select graphile_worker.add_job('platform__seal_audit')");
    await expect.poll(() => lines.join("")).toContain("audit_fault");
  } finally {
    await worker.stop();
  }
  const alarm = lines.map((line) => JSON.parse(line)).find((line) => line.alarm === "audit_fault");
  expect(alarm).toMatchObject({ level: 60, faults: 1 });
  expect(alarm.told).toEqual([
    expect.objectContaining({
      check_name: "records",
      subject_id: token.id,
      fault: "the token differs from what was recorded",
    }),
  ]);
  expect(lines.join("")).not.toContain("Ana");
});

test("signatures are verified up to the seal that was found well, however many seals came since, and not again", async () => {
  const { lines, log } = keptLog();
  const own = await startTestGateway();
  const organization = await own.newOrganization();
  const register = async () => {
    const body = { sha256: randomBytes(32).toString("hex"), label: "Contract" };
    expect((await call(own, "POST", "/proofs", { token: organization.live, body })).status).toBe(201);
  };
  const verifications = () =>
    lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "verified the audit trail");
  // Two seals before any run, as of a worker that was down; then one, and one without anything new.
  await register();
  await own.seal();
  await register();
  await own.seal();
  const jobs = "select from graphile_worker._private_jobs where key = 'platform__verify_audit'";
  expect((await own.database.admin.query(jobs)).rowCount).toBe(1);
  const worker = await startWorker({
    services,
    config: own.config,
    databaseUrl: own.database.workerUrl,
    masterKeys,
    log,
  });
  try {
    await expect.poll(() => verifications().length).toBe(1);
    await register();
    await own.seal();
    await expect.poll(() => verifications().length).toBe(2);
  } finally {
    await worker.stop();
    await own.stop();
  }
  expect(verifications()).toEqual([
    expect.objectContaining({ since: 0, seals: 2, proofs: 2 }),
    expect.objectContaining({ since: 2, seals: 3, proofs: 1 }),
  ]);
});

test("a worker that stops amid a verification stops at once, and the job waits for another with all its attempts", async () => {
  const own = await startTestGateway();
  await own.newOrganization();
  const worker = await startWorker({
    services,
    config: own.config,
    databaseUrl: own.database.workerUrl,
    masterKeys,
    log: pino({ level: "silent" }),
  });
  const holder = await own.database.admin.connect();
  try {
    await holder.query("begin; lock table platform.credit_balances in access exclusive mode");
    await own.seal();
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = $1";
    const verifying = async () => (await own.database.admin.query(waiting, [VERIFICATION_NAME])).rowCount;
    await expect.poll(verifying).toBe(1);
    await worker.stop(); // while Postgres still waits
    const jobs = "select attempts, key from graphile_worker._private_jobs where key = 'platform__verify_audit'";
    expect((await own.database.admin.query(jobs)).rows).toEqual([{ attempts: 0, key: "platform__verify_audit" }]);
  } finally {
    await holder.query("rollback");
    holder.release();
    await own.stop();
  }
});
