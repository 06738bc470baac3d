// What we publish for the nameservers, judged by PowerDNS' own tool: issue "DNS hosting I" §5.
import { afterAll, beforeAll, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { makeKeyForZone } from "../../../src/services/dns/dnssec/dnssec-keys.ts";
import { change, randomSteps } from "../../services/dns/random-records.ts";
import { ServedStage, type Zone } from "../../services/dns/served-stage.ts";
import { byLane } from "../../support/lane.ts";
import { type PowerDns, unpackPowerDns } from "../../support/power-dns.ts";

const PASSWORD = "of the nameserver";
const ZONES = byLane({ lane: 40, full: 200 });
const STEPS = 40;
const KEYS = new MasterKeyring(Buffer.alloc(32, 1), []);

let stage: ServedStage;
let powerDns: PowerDns;
const zones: Zone[] = [];
beforeAll(async () => {
  powerDns = unpackPowerDns();
  stage = await ServedStage.open();
  await stage.database.admin.query(`alter role selo_dns password '${PASSWORD}'`);
  for (let seed = 1; seed <= ZONES; seed++) {
    const zone = await stage.newZone();
    const steps = randomSteps(seed, STEPS);
    await stage.inTenant((client) => change(client, stage.tenantId, zone, steps));
    if (seed % 2 === 0) await sign(zone);
    zones.push(zone);
  }
}, 400_000);
afterAll(async () => {
  await stage?.close();
  powerDns?.remove();
});

/** Gives a zone a key, as `POST …/dnssec` does. */
async function sign(zone: Zone): Promise<void> {
  const key = makeKeyForZone(KEYS, { ...zone, key_tags: [] });
  await stage.inTenant((client) =>
    client.query(
      "select dns.add_key(zone, 'dnssec_enabled', $2, $3, $4, $5, $6) from dns.zones as zone where zone.id = $1",
      [zone.id, key.key_tag, key.dnskey, key.ds_records, key.sealed_private_key, key.private_key],
    ),
  );
}

const everything = async () =>
  (await stage.database.admin.query("select * from pdns.records order by domain_id, id")).rows;

test("every second zone is signed, and some of these have names that lead only to delegations", async () => {
  const { rowCount } = await stage.database.admin.query("select from pdns.cryptokeys");
  expect(rowCount).toBe(ZONES / 2);
  const { rows } = await stage.database.admin.query<{ name: string }>(
    `select empty.name from pdns.records as empty join pdns.cryptokeys as key on key.domain_id = empty.domain_id
     where empty.type is null and not exists (
       select from pdns.records as below
       where below.domain_id = empty.domain_id and below.auth and below.type is not null and below.name like '%.' || empty.name)`,
  );
  expect(rows.length).toBeGreaterThan(ZONES / 40);
});

test("the zones have delegations, glue, and names without records", async () => {
  const { rows } = await stage.database.admin.query(
    `select count(*) filter (where type is null and auth) > $1 as empty, count(*) filter (where type is null and not auth) > $1 / 10 as empty_below,
       count(*) filter (where type = 'NS' and not auth) > $1 as delegations, count(*) filter (where type = 'A' and not auth) > $1 / 4 as glue,
       count(*) filter (where type = 'TXT') > $1 as texts from pdns.records`,
    [ZONES / 2],
  );
  expect(rows).toEqual([{ empty: true, empty_below: true, delegations: true, glue: true, texts: true }]);
});

/** Where the nameserver connects. */
function loginUrl(): string {
  const url = new URL(stage.database.adminUrl);
  Object.assign(url, { username: "selo_dns", password: PASSWORD });
  return url.href;
}

test("pdnsutil check-all-zones finds no error, with the rights of the nameserver", () => {
  const { output } = powerDns.pdnsutil(loginUrl(), "check-all-zones");
  expect(output).toContain(`Checked ${ZONES} zones, 0 had errors.`);
});

test("pdnsutil rectify-all-zones changes nothing", async () => {
  const before = await everything();
  const { output } = powerDns.pdnsutil(stage.database.adminUrl, "rectify-all-zones");
  expect(output).toContain(`Rectified ${ZONES} zones.`);
  expect(await everything()).toEqual(before);
}, 400_000);

test.each([
  ["an address below a delegation", "update pdns.records set auth = true where type = 'A' and not auth"],
  ["a delegation", "update pdns.records set auth = true where type = 'NS' and not auth"],
  ["a record of the zone", "update pdns.records set auth = false where type = 'MX'"],
  ["an empty non-terminal", "update pdns.records set auth = not auth where type is null"],
  ["an empty non-terminal that is gone", "delete from pdns.records where type is null"],
])(
  "and it mends %s, so it does look",
  async (_, edit) => {
    const { admin } = stage.database;
    const columns = "domain_id, name, type, content, ttl, prio, disabled, ordername, auth";
    const whole = async () =>
      (await admin.query(`select ${columns} from pdns.records order by domain_id, name, type, content`)).rows;
    const before = await whole();
    await admin.query("alter table pdns.records alter column id set default gen_random_uuid()");
    await admin.query(edit);
    expect(await whole()).not.toEqual(before);
    powerDns.pdnsutil(stage.database.adminUrl, "rectify-all-zones");
    expect(await whole()).toEqual(before);
  },
  120_000,
);
