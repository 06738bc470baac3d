// `selo audit verify` compares what the nameservers serve with the zones, and a rebuild mends it: issue "DNS hosting I" §6.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { rebuildServed } from "../../../src/services/dns/nameserver/rebuild-served.ts";
import { change, randomSteps } from "./random-records.ts";
import { publish, ServedStage, type Zone } from "./served-stage.ts";

let stage: ServedStage;
let zone: Zone;
beforeAll(async () => {
  stage = await ServedStage.open();
});
afterAll(() => stage?.close());
beforeEach(async () => {
  zone = await stage.newZone();
  await stage.add(zone, [
    { name: "www", type: "A", content: "192.0.2.1" },
    { name: "a.b", type: "MX", content: "mx.example.net", priority: 10 },
    { name: "sub", type: "NS", content: "ns.sub.example" },
  ]);
});

interface Found {
  readonly tenant_id: string | null;
  readonly subject_type: string;
  readonly subject_id: string | null;
  readonly fault: string;
}
const check = async (tenantId: string | null = null) =>
  (await stage.owner.query<Found>("select * from dns.audit_check_served($1)", [tenantId])).rows;
const faults = async (tenantId: string | null = null) => (await check(tenantId)).map(({ fault }) => fault);
const tamper = (text: string, ...values: unknown[]) => stage.database.admin.query(text, values);
/** As `selo nameserver rebuild` does it. */
const rebuild = () => rebuildServed(stage.operator, async () => null);

test("nothing is found in zones that were published", async () => {
  for (let seed = 100; seed < 110; seed++) {
    const other = await stage.newZone();
    await stage.inTenant((client) => change(client, stage.tenantId, other, randomSteps(seed, 60)));
  }
  expect(await faults()).toEqual([]);
  expect(await faults(stage.tenantId)).toEqual([]);
});

test("a fault names the organization and the zone", async () => {
  await tamper("update pdns.records set content = '192.0.2.66' where domain_id = $1 and type = 'A'", zone.id);
  const [kept] = (await tamper("select subject_id from dns.zones where id = $1", zone.id)).rows;
  const fault = `www.${zone.name} A is served with other values than the zone has`;
  expect(await check()).toEqual([
    expect.objectContaining({ tenant_id: stage.tenantId, subject_type: "zone", subject_id: kept.subject_id, fault }),
  ]);
  await rebuild();
});

const wrongs: readonly (readonly [string, string, RegExp])[] = [
  [
    "a record that is gone",
    "delete from pdns.records where domain_id = $1 and type = 'A'",
    /^www\.\S+ A is not served$/,
  ],
  [
    "an empty non-terminal that is gone",
    "delete from pdns.records where domain_id = $1 and type is null",
    /^b\.\S+ without records is not served$/,
  ],
  [
    "a record that no zone has",
    "insert into pdns.records (domain_id, id, name, type, content, ttl, auth) select $1, gen_random_uuid(), 'www.' || name, 'A', '192.0.2.66', 300, true from pdns.domains where id = $1",
    /^www\.\S+ A is served, and the zone does not have it$/,
  ],
  [
    "a record that went without its publication",
    "delete from dns.records where zone_id = $1 and type = 'A'",
    /^www\.\S+ A is served, and the zone does not have it$/,
  ],
  [
    "a domain that is gone",
    "delete from pdns.domains where id = $1",
    /is served with other settings than the zone has, or is not served$/,
  ],
  [
    "a domain that is copied from elsewhere",
    "update pdns.domains set type = 'SLAVE', master = '192.0.2.66' where id = $1",
    /is served with other settings/,
  ],
  [
    "a key",
    "insert into pdns.cryptokeys values (1, $1, 257, true, true, 'x')",
    /^the zone is served with the key 1, which it does not have$/,
  ],
  [
    "a setting",
    "insert into pdns.domainmetadata values (1, $1, 'ALLOW-AXFR-FROM', '0.0.0.0/0')",
    /^the zone is served with the setting ALLOW-AXFR-FROM$/,
  ],
];

test.each(wrongs)("%s is found, for one organization too, and a rebuild mends it", async (_, statement, fault) => {
  await tamper(statement, zone.id);
  for (const found of [await faults(), await faults(stage.tenantId)]) {
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(fault);
  }
  await rebuild();
  expect(await faults()).toEqual([]);
  expect(await stage.served(zone)).toEqual(await stage.rebuilt(zone));
});

test("a domain that no organization has, and a key of signed questions, are found and go with a rebuild", async () => {
  await tamper("insert into pdns.domains (id, name, type) values (1000000, 'bank.example', 'NATIVE')");
  await tamper("insert into pdns.tsigkeys values ('key', 'hmac-sha256', 'x')");
  expect((await faults()).sort()).toEqual([
    "bank.example is served with other settings than the zone has, or is not served",
    "the nameservers have a key key",
  ]);
  await rebuild();
  expect(await faults()).toEqual([]);
});

test("a rebuild of nothing makes everything, and of everything writes nothing", async () => {
  const before = (await tamper("select * from pdns.records order by domain_id, id")).rows;
  await tamper("truncate pdns.domains, pdns.records");
  await rebuild();
  expect((await tamper("select * from pdns.records order by domain_id, id")).rows).toEqual(before);
  const places = async () => (await tamper("select ctid, * from pdns.records order by ctid")).rows;
  const written = await places();
  await rebuild();
  expect(await places()).toEqual(written);
});

test("nothing is found while others change zones: one snapshot sees records and what is served", async () => {
  const steps = randomSteps(7, 200);
  let isDone = false;
  let checks = 0;
  const checking = async () => {
    for (; !isDone; checks++) expect(await faults()).toEqual([]);
  };
  const writing = async () => {
    for (let place = 0; place < steps.length; place += 2) {
      await stage.inTenant((client) => change(client, stage.tenantId, zone, steps.slice(place, place + 2)));
      const before = checks;
      // However fast one of both is: several checks end between these changes.
      if (place % 32 === 0) await expect.poll(() => checks, { interval: 2 }).toBeGreaterThan(before);
    }
    isDone = true;
  };
  await Promise.all([checking(), writing()]);
  expect(checks).toBeGreaterThan(5);
});

test("a rebuild waits for a change under way, and serves what it wrote", async () => {
  const client = await stage.owner.connect();
  try {
    await client.query("begin");
    await client.query("select platform.enter_context($1, 'live', null, null, null)", [stage.tenantId]);
    await client.query("select from dns.zones where id = $1 for update", [zone.id]);
    await stage.insert(client, zone, [{ name: "late", type: "A", content: "192.0.2.9" }]);
    const rebuilt = rebuild();
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%rebuild_served%' and datname = current_database()";
    await expect.poll(async () => (await tamper(waiting)).rowCount).toBe(1);
    await publish(client, zone, ["late"]);
    await client.query("commit");
    await rebuilt;
  } finally {
    client.release();
  }
  expect(await stage.short(zone)).toContain("late A 192.0.2.9 300 auth");
  expect(await faults()).toEqual([]);
});
