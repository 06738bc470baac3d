// A large import is cut: kill -9 of the gateway, and a crash of Postgres. The zone has all of them or none, and the next import works.
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestOrganization } from "../../support/gateway.ts";
import { byLane } from "../../support/lane.ts";
import { call, type RestResponse } from "../../support/rest-client.ts";
import type { SeloProcess } from "../../support/selo-process.ts";
import { type Deployment, deploy } from "../faults/deployment.ts";

const RECORDS = byLane({ lane: 2_500, full: 50_000 });
/** When an import is cut. */
const MOMENTS = ["while the file is read", "in the middle of the statement"] as const;

const file = Array.from({ length: RECORDS }, (_, n) => `h${n} 300 IN A 10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
let deployment: Deployment;
let organization: TestOrganization;
let key: string;
let gateway: SeloProcess;
beforeAll(async () => {
  deployment = await deploy();
  gateway = await deployment.startGateway();
  organization = await deployment.newOrganization("enterprise");
  key = await deployment.newDnsKey(organization);
}, 400_000);
afterAll(() => deployment?.stop());

const ask = (method: string, path: string, body?: object): Promise<RestResponse> =>
  call(deployment, method, `/orgs/${organization.number}/zones${path}`, { prefix: "/v1", token: key, body });

/** A zone with one record, which an import that is cut leaves alone. */
async function zoneWithRecord(name: string): Promise<number> {
  const { status, body } = await ask("POST", "", { name });
  expect(status).toBe(201);
  const record = await ask("POST", `/${body.id}/records`, { name: "kept", type: "A", content: "192.0.2.1" });
  expect(record.status).toBe(201);
  return body.id;
}

/** An import whose answer may not come. */
const importInto = (zone: number): Promise<RestResponse | null> =>
  ask("POST", `/${zone}/import`, { bind_file: file.join("\n") }).catch(() => null);

/** Statements of imports that Postgres works at: one whose gateway was killed goes on to its end. */
const statements = async (): Promise<number> =>
  (
    await deployment.admin.query(
      "select from pg_stat_activity where application_name like 'selo gateway%' and state = 'active' and backend_xid is not null",
    )
  ).rowCount ?? 0;

/** Has imports wait in the middle of their statement, before the rows that are served. Answers what lets them go on. */
async function holdImports(): Promise<() => Promise<void>> {
  const client = await deployment.admin.connect();
  // It ends with a Postgres that crashes.
  client.on("error", () => {});
  await client.query("begin");
  await client.query("lock table pdns.records in share row exclusive mode");
  return async () => {
    await client.query("rollback").catch(() => {});
    client.release(true);
  };
}

/** Resolves when an import is there. */
const untilHeld = () =>
  expect
    .poll(
      async () =>
        (
          await deployment.admin.query(
            "select from pg_stat_activity where application_name like 'selo gateway%' and wait_event_type = 'Lock' and backend_xid is not null",
          )
        ).rowCount,
      { timeout: 60_000, interval: 2 },
    )
    .toBe(1);

/** Locks of sessions that are over with their work, or that nobody owns. */
const locksLeft = async (): Promise<readonly object[]> =>
  (
    await deployment.admin.query(
      `select lock.locktype, lock.mode, lock.relation::regclass from pg_locks as lock
       left join pg_stat_activity as session using (pid)
       where lock.locktype in ('relation', 'tuple', 'transactionid', 'advisory') and lock.pid <> pg_backend_pid()
         and session.application_name like 'selo gateway%' and session.state is distinct from 'active'
       union all select 'prepared', gid, null from pg_prepared_xacts`,
    )
  ).rows;

/** How many records the zone has; also those that are served, whose rows stand apart. */
async function counts(
  zone: number,
): Promise<{ readonly kept: number; readonly served: number; readonly serials: number }> {
  const { rows } = await deployment.admin.query(
    `select (select count(*)::integer from dns.records where zone_id = $1) as kept,
       (select count(*)::integer from pdns.records where domain_id = $1 and type = 'A') as served,
       (select count(*)::integer from dns.changes where zone_id = $1) as serials`,
    [zone],
  );
  return rows[0];
}

const BEFORE = { kept: 1, served: 1, serials: 1 };
const COMPLETE = { kept: RECORDS + 1, served: RECORDS + 1, serials: 2 };

/** After the cut: the zone is as before or complete, no lock is left, and the import can be made now. */
async function expectWhole(zone: number): Promise<string> {
  await expect.poll(statements, { timeout: 60_000, interval: 50 }).toBe(0);
  const found = await counts(zone);
  expect([BEFORE, COMPLETE]).toContainEqual(found);
  expect(await locksLeft()).toEqual([]);
  const isComplete = found.kept > 1;
  const next = await importInto(zone);
  expect(next).toMatchObject({
    status: 200,
    body: isComplete ? { imported: 0, skipped: RECORDS } : { imported: RECORDS, skipped: 0 },
  });
  expect(await counts(zone)).toEqual(COMPLETE);
  return isComplete ? "complete" : "as before";
}

test.each(MOMENTS)(
  "kill -9 of the gateway %s: all or nothing, no lock is left, the next import works",
  async (when) => {
    const zone = await zoneWithRecord(`${MOMENTS.indexOf(when)}.killed.test`);
    const letGo = when === "in the middle of the statement" ? await holdImports() : null;
    const lost = importInto(zone);
    if (letGo === null)
      await pause(randomInt(50, 150)); // any moment
    else await untilHeld();
    gateway.child.kill("SIGKILL");
    await gateway.finished;
    await letGo?.();
    // A fast machine may have read the file, and imported all of it, at any moment.
    if (letGo !== null || (await lost)?.status !== 200) expect(await lost).toBeNull();
    gateway = await deployment.startGateway();
    console.log(`${when}: ${await expectWhole(zone)}`);
  },
  180_000,
);

test("an import that is sent again at once, while Postgres still works at the one of the killed gateway, waits or is 503, and then works", async () => {
  const zone = await zoneWithRecord("again.killed.test");
  const letGo = await holdImports();
  const lost = importInto(zone);
  await untilHeld();
  gateway.child.kill("SIGKILL");
  await gateway.finished;
  await letGo();
  expect(await lost).toBeNull();
  gateway = await deployment.startGateway();
  let again = await importInto(zone);
  // It waits for the zone for some seconds only, as every change does.
  for (; again?.status === 503; again = await importInto(zone))
    expect(again.body).toMatchObject({ code: "unavailable", detail: expect.any(String) });
  expect(again?.status).toBe(200);
  expect([RECORDS, 0]).toContain(again?.body.imported);
  expect(await counts(zone)).toEqual(COMPLETE);
}, 400_000);

test("Postgres crashes in the middle of an import: 503, the zone is as before, and the next import works without a new gateway", async () => {
  const zone = await zoneWithRecord("crash.killed.test");
  const letGo = await holdImports();
  const cut = importInto(zone);
  await untilHeld();
  await deployment.cutPostgres();
  await letGo();
  const answer = await cut;
  expect(answer).toMatchObject({ status: 503, body: { code: "unavailable" } });
  await deployment.startPostgres();
  await expect.poll(async () => (await fetch(`${deployment.baseUrl}/readyz`)).status, { interval: 100 }).toBe(200);
  expect(await counts(zone)).toEqual(BEFORE);
  expect(await expectWhole(zone)).toBe("as before");
}, 400_000);

test("records, changes, counts and served rows agree after all of it", async () => {
  expect(await deployment.verifyAudit()).toMatchObject({ faults: [] });
}, 400_000);
