// With what the nameservers sign: compared by `selo audit verify`, and made again with the master key. Issue "DNS hosting II" §3, §8.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { parseMasterKey } from "../../../src/adapters/crypto/sealed-secret.ts";
import { rebuildServed } from "../../../src/services/dns/nameserver/rebuild-served.ts";
import { dns } from "../../../src/services/dns/service.ts";
import { reencrypt } from "../../../src/services/platform/keys/reencrypt.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { enable, remove, rotate } from "./dnssec-stage.ts";

const MASTER = parseMasterKey(TEST_MASTER_KEY);
const KEYS = new MasterKeyring(MASTER, []);
const OTHER = parseMasterKey("33".repeat(32));

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());
beforeEach(async () => {
  zone = await customer.zone();
  await zone.add({ name: "a.b", type: "A", content: "192.0.2.1" });
  await zone.add({ name: "cut.only", type: "NS", content: "ns.example.net" });
  await zone.add({ name: "a.below.cut.only", type: "A", content: "192.0.2.1" });
});

const faults = async () =>
  (
    await stage.rows<{ fault: string }>(
      "select fault from dns.audit_check_served($1) where subject_id = (select subject_id from dns.zones where id = $2) order by fault",
      [customer.organization.id, zone.body.id],
    )
  ).map(({ fault }) => fault);
const tamper = (text: string) => stage.rows(text, [zone.body.id]);
const rebuild = (keys: MasterKeyring | null = KEYS) => rebuildServed(stage.selo.operator, async () => keys);
const everything = async () => ({
  records: await tamper("select * from pdns.records where domain_id = $1 order by id"),
  keys: await tamper("select * from pdns.cryptokeys where domain_id = $1 order by id"),
  settings: await tamper("select domain_id, kind, content from pdns.domainmetadata where domain_id = $1 order by kind"),
});
const authOf = async (name: string) =>
  (
    await stage.rows<{ auth: boolean }>(
      "select auth from pdns.records where domain_id = $1 and name = $2 and type is null",
      [zone.body.id, `${name}.${zone.name}`],
    )
  ).map(({ auth }) => auth);

test("a name that leads only to delegations is authoritative while the zone is signed, also after changes", async () => {
  expect(await authOf("only")).toEqual([false]);
  await enable(zone);
  expect(await authOf("only")).toEqual([true]);
  await zone.add({ name: "cut.other", type: "NS", content: "ns.example.net" });
  expect(await authOf("other")).toEqual([true]);
  // It belongs to the other zone.
  expect(await authOf("below.cut.only")).toEqual([false]);
  expect((await zone.ask("DELETE", "/dnssec", { confirm: true })).status).toBe(200);
  expect([await authOf("only"), await authOf("other"), await authOf("b")]).toEqual([[false], [false], [true]]);
  expect(await faults()).toEqual([]);
});

test("a rebuild of a signed zone changes nothing, and opens no key", async () => {
  await enable(zone);
  await rotate(zone);
  const before = await everything();
  const places = await tamper("select ctid from pdns.cryptokeys where domain_id = $1 order by id");
  expect(await rebuildServed(stage.selo.operator, () => Promise.reject(new Error("no key is needed")))).toEqual([]);
  expect(await everything()).toEqual(before);
  expect(await tamper("select ctid from pdns.cryptokeys where domain_id = $1 order by id")).toEqual(places);
});

const wrongs: readonly (readonly [string, string, RegExp])[] = [
  [
    "a key that is gone",
    "delete from pdns.cryptokeys where domain_id = $1",
    /^the key \d+ of the zone does not sign it$/,
  ],
  [
    "another private key",
    "update pdns.cryptokeys set content = replace(content, 'PrivateKey: ', 'PrivateKey: A') where domain_id = $1",
    /^the key \d+ of the zone is served with other values than it has$/,
  ],
  [
    "a key that does not sign",
    "update pdns.cryptokeys set active = false where domain_id = $1",
    /^the key \d+ of the zone is served with other values/,
  ],
  [
    "a key that is not published",
    "update pdns.cryptokeys set published = false where domain_id = $1",
    /^the key \d+ of the zone is served with other values/,
  ],
  [
    "a key with other flags",
    "update pdns.cryptokeys set flags = 256 where domain_id = $1",
    /^the key \d+ of the zone is served with other values/,
  ],
  [
    "a foreign key",
    "insert into pdns.cryptokeys select 1000000, $1, 257, true, true, content from pdns.cryptokeys limit 1",
    /^the zone is served with the key 1000000, which it does not have$/,
  ],
  [
    "wide NSEC3",
    "delete from pdns.domainmetadata where domain_id = $1 and kind = 'NSEC3NARROW'",
    /^the zone is served without the setting NSEC3NARROW$/,
  ],
  [
    "a setting of transfers",
    "insert into pdns.domainmetadata (domain_id, kind, content) values ($1, 'ALLOW-AXFR-FROM', '0.0.0.0/0')",
    /^the zone is served with the setting ALLOW-AXFR-FROM$/,
  ],
  [
    "an empty non-terminal that is not authoritative",
    "update pdns.records set auth = false where domain_id = $1 and type is null and name like 'only.%'",
    /^only\.\S+ without records is served with other values/,
  ],
];

test.each(wrongs)("%s is found, and a rebuild with the master key mends it", async (_, statement, fault) => {
  await enable(zone);
  const before = await everything();
  expect(await faults()).toEqual([]);
  await tamper(statement);
  expect(await faults()).toEqual([expect.stringMatching(fault)]);
  expect(await rebuild()).toEqual([]);
  expect(await faults()).toEqual([]);
  expect(await everything()).toEqual(before);
});

test("without the master key, and with another, the key is named, and the zone is served without it", async () => {
  const { keys } = await enable(zone);
  const before = await everything();
  await tamper("delete from pdns.cryptokeys where domain_id = $1");
  const line = expect.stringMatching(
    new RegExp(
      `^the zone ${zone.name} is served without its key ${keys[0]?.key_id} \\(tag ${keys[0]?.ds_records[0]?.split(" ")[0]}\\): `,
    ),
  );
  for (const wrong of [null, new MasterKeyring(OTHER, [])]) {
    expect(await rebuild(wrong)).toEqual([line]);
    expect(await tamper("select from pdns.cryptokeys where domain_id = $1")).toEqual([]);
  }
  expect(await rebuild()).toEqual([]);
  expect(await everything()).toEqual(before);
});

test("a sealed key of another zone does not open", async () => {
  await enable(zone);
  const other = await customer.zone();
  await enable(other);
  await stage.rows(
    "update dns.dnssec_keys set sealed_private_key = (select sealed_private_key from dns.dnssec_keys where zone_id = $2) where zone_id = $1",
    [zone.body.id, other.body.id],
  );
  await tamper("delete from pdns.cryptokeys where domain_id = $1");
  expect(await rebuild()).toHaveLength(1);
  // The next tests find everything whole.
  await stage.rows("delete from dns.dnssec_keys where zone_id = $1", [zone.body.id]);
  await rebuild();
});

test("the master key is rotated while zones are signed: keys are sealed anew, and a rebuild opens them with the new one", async () => {
  const { keys } = await enable(zone);
  await rotate(zone);
  await remove(zone, keys[0]);
  const before = await everything();
  const columns = (await dns.sealedColumns?.()) ?? [];
  const { reencrypted } = await reencrypt(stage.selo.operator, new MasterKeyring(OTHER, [MASTER]), columns);
  expect(reencrypted).toEqual([{ column: "dns.dnssec_keys.sealed_private_key", count: expect.any(Number) }]);
  expect(reencrypted[0]?.count).toBeGreaterThan(0);
  expect(await faults()).toEqual([]);
  await tamper("delete from pdns.cryptokeys where domain_id = $1");
  expect(await rebuild()).toHaveLength(1);
  expect(await rebuild(new MasterKeyring(OTHER, []))).toEqual([]);
  expect(await everything()).toEqual(before);
});
