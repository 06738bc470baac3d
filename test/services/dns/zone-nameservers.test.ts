// The nameservers of a zone, and how many zones a plan allows: issue "DNS hosting I" §2.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { DnsStage, NAMESERVERS } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";

/** With four nameservers. */
let stage: DnsStage;
beforeAll(async () => {
  stage = await DnsStage.open();
});
afterAll(() => stage?.close());

async function open(nameservers: readonly string[] | null): Promise<DnsStage> {
  const other = await DnsStage.open(nameservers);
  onTestFinished(() => other.close());
  return other;
}

describe("two of NAMESERVER_NAMES", () => {
  test("null where the service names none", async () => {
    const stage = await open(null);
    const customer = await stage.customer();
    const zone = await customer.zone();
    expect(zone.body.nameservers).toBeNull();
    const { data } = await customer.graphql("{ dnsZones { nodes { nameservers } } }");
    expect(data).toEqual({ dnsZones: { nodes: [{ nameservers: null }] } });
    await zone.ask("DELETE");
    expect((await (await stage.customer()).zone(zone.name)).body.nameservers).toBeNull();
  });

  test("are spread over the organizations", async () => {
    const pairs = new Set<string>();
    for (let count = 0; count < 30; count++)
      pairs.add(String((await (await stage.customer()).zone()).body.nameservers));
    expect(pairs.size).toBeGreaterThan(3);
  });

  test("are those of the organization's last zone, in PowerDNS' API too", async () => {
    const customer = await stage.customer();
    const { nameservers } = (await customer.zone()).body;
    for (let count = 0; count < 8; count++) expect((await customer.zone()).body.nameservers).toEqual(nameservers);
    const name = stage.newName();
    const named = { name: `${name}.`, kind: "Native", nameservers: nameservers?.map((each) => `${each}.`) };
    expect((await new PowerDnsClient(stage.selo, customer.token).create(named)).status).toBe(201);
    // Of another organization, none.
    const others = new Set<string>();
    for (let count = 0; count < 12; count++)
      others.add(String((await (await stage.customer()).zone()).body.nameservers));
    expect(others.size).toBeGreaterThan(1);
  });

  test("are not those of its last zone where another organization left these behind, nor where it had others there", async () => {
    const [one, other] = [await stage.customer(), await stage.customer()];
    const own = await one.zone();
    const last = own.body.nameservers ?? [];
    // The other organization gets the same pair for a name that it then leaves behind.
    await stage.rows("update dns.zones set nameservers = $2 where id = $1", [(await other.zone()).body.id, last]);
    const left = await other.zone();
    expect(left.body.nameservers).toEqual(last);
    await left.ask("DELETE");
    const taken = await one.zone(left.name);
    expect(taken.body.nameservers?.filter((each) => last.includes(each))).toEqual([]);
    // A name that the organization had before gets its earlier pair of nameservers.
    const before = await one.zone();
    expect(before.body.nameservers).toEqual(taken.body.nameservers);
    await before.ask("DELETE");
    await stage.rows("update dns.zones set nameservers = $2 where id = $1", [taken.body.id, last]);
    expect((await one.zone(before.name)).body.nameservers).toEqual(before.body.nameservers);
  });

  test("of four: the next organization gets the other two, a third none of the pairs before", async () => {
    const name = stage.newName();
    const pairs: (readonly string[])[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const zone = await (await stage.customer()).zone(name);
      pairs.push(zone.body.nameservers ?? []);
      await zone.ask("DELETE");
    }
    expect(pairs[0]?.filter((each) => pairs[1]?.includes(each))).toEqual([]);
    expect(new Set(pairs.map((pair) => pair.toSorted().join(" "))).size).toBe(3);
  });

  test("of three: the next organization gets another pair", async () => {
    const stage = await open(NAMESERVERS.slice(0, 3));
    const zone = await (await stage.customer()).zone();
    await zone.ask("DELETE");
    const next = await (await stage.customer()).zone(zone.name);
    expect(next.body.nameservers?.toSorted()).not.toEqual(zone.body.nameservers?.toSorted());
  });

  test("of two: others get 409 for 30 days, and the same organization its own again", async () => {
    const stage = await open(NAMESERVERS.slice(0, 2));
    const [one, other] = [await stage.customer(), await stage.customer()];
    const zone = await one.zone();
    const ask = () => other.ask("POST", "/zones", { name: zone.name });
    const age = (days: string) =>
      stage.rows("update dns.released_names set released_at = now() - $1::interval where name = $2", [days, zone.name]);
    await zone.ask("DELETE");
    expectError(await ask(), 409, "zone_exists");
    const again = await one.zone(zone.name);
    expect(again.body.nameservers).toEqual(zone.body.nameservers);
    await again.ask("DELETE");
    await age("29 days 23 hours");
    expectError(await ask(), 409, "zone_exists");
    await age("30 days 1 minute");
    expect((await ask()).status).toBe(201);
  });

  test("are the same again for the same organization, also after another had the name", async () => {
    const [one, other] = [await stage.customer(), await stage.customer()];
    const first = await one.zone();
    await first.ask("DELETE");
    const between = await other.zone(first.name);
    await between.ask("DELETE");
    const again = await one.zone(first.name);
    expect(again.body.nameservers).toEqual(first.body.nameservers);
    await again.ask("DELETE");
    expect((await other.zone(first.name)).body.nameservers).toEqual(between.body.nameservers);
  });
});

describe("403 zone_limit_reached", () => {
  const limitZones = (plan: string, most: number) =>
    stage.rows("update platform.plan_limits set most = $2 where plan = $1 and name = 'dns_zones'", [plan, most]);

  test("at one more than the plan has, and no more after one is deleted", async () => {
    const customer = await stage.customer({ plan: "free" });
    // One by one up to the plan's own number: races.test.ts.
    await limitZones("free", 3);
    const first = await customer.zone();
    for (let count = 1; count < 3; count++) await customer.zone();
    const name = stage.newName();
    expectError(await customer.ask("POST", "/zones", { name }), 403, "zone_limit_reached");
    expect(await customer.usage()).toEqual({ counted: [3, 0], real: [3, 0] });
    await first.ask("DELETE");
    await customer.zone(name);
    expectError(await customer.ask("POST", "/zones", { name: stage.newName() }), 403, "zone_limit_reached");
  });

  test("follows the plan, counts each organization for itself, and comes after 422 and 409", async () => {
    await limitZones("free", 1);
    await limitZones("growth", 2);
    const [free, growth] = [await stage.customer({ plan: "free" }), await stage.customer({ plan: "growth" })];
    const zone = await free.zone();
    for (let count = 0; count < 2; count++) await growth.zone();
    for (const customer of [free, growth])
      expectError(await customer.ask("POST", "/zones", { name: stage.newName() }), 403, "zone_limit_reached");
    expectError(await growth.ask("POST", "/zones", { name: zone.name }), 409, "zone_exists");
    expectError(await growth.ask("POST", "/zones", { name: "-" }), 422, "invalid_request", ["name"]);
    const { errors } = await free.graphql('mutation { createDnsZone(input: {name: "x.test"}) { zone { id } } }');
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(["zone_limit_reached"]);
  });
});
