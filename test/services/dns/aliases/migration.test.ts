// Migration 0048 on a database that has ALIAS records already: they were kept, and not served.
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "../../../../src/postgres/migrate/migrate.ts";
import type { Customer, Zone } from "../dns-stage.ts";
import { AliasStage } from "./alias-stage.ts";

const NAME = "0048-dns-aliases";

let stage: AliasStage;
let one: Customer;
let zone: Zone;
let second: Zone;
beforeAll(async () => {
  stage = await AliasStage.open();
  one = await stage.customer();
  [zone, second] = [await one.zone(), await one.zone()];
});
afterAll(() => stage?.close());

/** As before the migration: its tables are not there, and no ALIAS is served. */
const forget = () =>
  stage.dns.rows(`
    delete from pdns.records where type in ('A', 'AAAA') and (domain_id, name) in (select zone_id, name from dns.aliases);
    drop table dns.alias_links, dns.aliases, dns.alias_targets, dns.alias_news;
    alter table dns.zones drop column scanned_at;
    delete from webhooks.event_kinds where name = 'zone.alias_failing';
    insert into platform.error_codes (code, status, meaning) values ('quick_scan_unavailable', 422, 'The quick scan of a domain is not available yet.');
    delete from platform.migrations where name = '${NAME}'`);

test("ALIAS records that were kept before it are served after it and a run of the job, and follow their targets", async () => {
  const target = stage.target(["203.0.113.1"]);
  await second.add({ name: "www", type: "A", content: "192.0.2.1", ttl: 300 });
  await zone.put([
    { name: "@", type: "ALIAS", ttl: 300, records: [{ content: target }] },
    { name: "a", type: "ALIAS", ttl: 300, records: [{ content: `www.${second.name}` }] },
    { name: "off", type: "ALIAS", ttl: 300, records: [{ content: target, disabled: true }] },
  ]);
  // Two that lead to each other were no conflict then.
  await stage.dns.rows(
    `insert into dns.records (tenant_id, zone_id, name, type, content, ttl)
     select tenant_id, id, 'x.' || name, 'ALIAS', 'y.' || name, 300 from dns.zones where id = $1
     union all select tenant_id, id, 'y.' || name, 'ALIAS', 'x.' || name, 300 from dns.zones where id = $1`,
    [zone.body.id],
  );
  await forget();
  const { adminUrl } = stage.dns.selo.database;
  expect(await migrate({ adminUrl, serviceUrls: [] })).toContain(NAME);
  expect(await stage.served(zone)).toEqual([]);
  const served = () => stage.dns.rows("select fault from dns.audit_check_served(null)");
  expect(await served()).toEqual([]);
  await stage.run();
  expect(await stage.served(zone)).toEqual(["203.0.113.1 300"]);
  expect(await stage.served(zone, "a")).toEqual(["192.0.2.1 300"]);
  for (const name of ["off", "x", "y"]) expect(await stage.served(zone, name)).toEqual([]);
  expect(await served()).toEqual([]);
  await second.put([{ name: "www", type: "A", ttl: 300, records: [{ content: "192.0.2.2" }] }]);
  expect(await stage.served(zone, "a")).toEqual(["192.0.2.2 300"]);
});
