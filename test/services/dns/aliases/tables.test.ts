// ALIAS records whose targets zones here answer for: issue "DNS hosting II" §4.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Customer, expectUnfitRecord, type Zone } from "../dns-stage.ts";
import { AliasStage } from "./alias-stage.ts";

let stage: AliasStage;
let one: Customer;
let other: Customer;
/** Two zones of one organization. */
let zone: Zone;
let second: Zone;
beforeAll(async () => {
  stage = await AliasStage.open();
  [one, other] = [await stage.customer(), await stage.customer()];
});
beforeEach(async () => {
  [zone, second] = [await one.zone(), await one.zone()];
});
afterAll(async () => {
  expect(await stage?.faults()).toEqual([]);
  await stage?.close();
});

const alias = (content: string, name = "@", ttl = 3600) => ({ name, type: "ALIAS", content, ttl });
const a = (name: string, content: string, ttl = 300) => ({ name, type: "A", content, ttl });
const cname = (name: string, content: string, ttl = 3600) => ({ name, type: "CNAME", content, ttl });
const cnameSet = (name: string, content: string) => ({ name, type: "CNAME", records: [{ content }] });
const [ONE, TWO] = ["192.0.2.1", "192.0.2.2"];
/** How often the public DNS was asked for addresses. */
const asked = () =>
  stage.world.questions.filter((question) => /^\S+ (A|AAAA) /.test(question) && !question.includes("nic.test")).length;

describe("a target in a zone of the same organization", () => {
  test("gives its addresses in the transaction that writes the ALIAS, and nobody is asked", async () => {
    await second.add(a("www", ONE));
    await second.add({ name: "www", type: "AAAA", content: "2001:db8::1", ttl: 300 });
    const [serial, before] = [await zone.serial(), asked()];
    await zone.add(alias(`www.${second.name}`));
    expect(await stage.served(zone)).toEqual([`${ONE} 300`, `2001:db8::1 300`]);
    expect(await zone.serial()).toBe(serial + 1);
    expect(asked()).toBe(before);
  });

  test("is followed in the transaction that changes it: addresses, TTL, deletion, and once more", async () => {
    const { id } = await second.add(a("www", ONE));
    await zone.add(alias(`www.${second.name}`));
    const serial = await zone.serial();
    const change = (body: object) => second.ask("PUT", `/records/${id}`, body);
    await change({ content: TWO });
    expect(await stage.served(zone)).toEqual([`${TWO} 300`]);
    expect(await zone.serial()).toBe(serial + 1);
    await change({ ttl: 60 });
    expect([await stage.served(zone), await zone.serial()]).toEqual([[`${TWO} 60`], serial + 1]);
    await change({ comment: "the same" });
    expect(await zone.serial()).toBe(serial + 1);
    await second.ask("DELETE", `/records/${id}`);
    expect([await stage.served(zone), await zone.serial()]).toEqual([[], serial + 2]);
    await second.add(a("www", ONE));
    expect([await stage.served(zone), await zone.serial()]).toEqual([[`${ONE} 300`], serial + 3]);
  });

  test("in the same zone is followed with the serial of the change itself", async () => {
    await zone.add(alias(`www.${zone.name}`));
    const serial = await zone.serial();
    const { id } = await zone.add(a("www", ONE));
    expect([await stage.served(zone), await zone.serial()]).toEqual([[`${ONE} 300`], serial + 1]);
    await zone.ask("PUT", `/records/${id}`, { content: TWO });
    expect([await stage.served(zone), await zone.serial()]).toEqual([[`${TWO} 300`], serial + 2]);
  });

  test("and an ALIAS are written in one request", async () => {
    await zone.put([
      { name: "@", type: "ALIAS", records: [{ content: `www.${zone.name}` }] },
      { name: "www", type: "A", records: [{ content: ONE }] },
    ]);
    expect(await stage.served(zone)).toEqual([`${ONE} 3600`]);
    const file = `@ ALIAS www\nwww 300 A ${TWO}\n`;
    expect((await second.ask("POST", "/import", { bind_file: file })).body).toMatchObject({ imported: 2 });
    expect(await stage.served(second)).toEqual([`${TWO} 300`]);
  });

  test("that a dry run writes is followed by nobody", async () => {
    await second.add(a("www", ONE));
    await zone.add(alias(`www.${second.name}`));
    await second.put([{ name: "www", type: "A", records: [{ content: TWO }] }], { dry_run: true });
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
  });

  test("goes with its zone, and the public DNS is asked from then on", async () => {
    await second.add(a("www", ONE));
    await zone.add(alias(`www.${second.name}`));
    await second.ask("DELETE");
    expect(await stage.served(zone)).toEqual([]);
    stage.world.addresses.set(`www.${second.name}`, ["203.0.113.9"]);
    await stage.refresh(`www.${second.name}`);
    expect(await stage.served(zone)).toEqual(["203.0.113.9 60"]);
    // Made again, the zone answers.
    const again = await one.zone(second.name);
    await again.add(a("www", TWO));
    expect(await stage.served(zone)).toEqual([`${TWO} 300`]);
    stage.world.addresses.delete(`www.${second.name}`);
  });

  test("may be made by a wildcard, and a name that appears hides it", async () => {
    await second.add(a("*", ONE));
    await zone.add(alias(`a.b.${second.name}`));
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    // b is there now, so the wildcard above it no longer makes names below b (RFC 4592 §3.3.1).
    const { id } = await second.add({ name: "c.b", type: "TXT", content: "x" });
    expect(await stage.served(zone)).toEqual([]);
    await second.add(a("*.b", TWO));
    expect(await stage.served(zone)).toEqual([`${TWO} 300`]);
    await second.ask("DELETE", `/records/${id}`);
    expect(await stage.served(zone)).toEqual([`${TWO} 300`]);
  });

  test("below a delegation is asked for in the public DNS", async () => {
    const target = `www.sub.${second.name}`;
    await second.add(a("www.sub", ONE));
    await zone.add(alias(target));
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    stage.world.addresses.set(target, ["203.0.113.7"]);
    const { id } = await second.add({ name: "sub", type: "NS", content: "ns.elsewhere.test" });
    expect(await stage.served(zone)).toEqual(["203.0.113.7 60"]);
    await second.ask("DELETE", `/records/${id}`);
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
  });
});

describe("chains", () => {
  test("of CNAME and ALIAS records through zones are followed, with the smallest TTL", async () => {
    await zone.add(alias(`a.${second.name}`, "@", 3600));
    await second.put([
      { name: "a", type: "CNAME", ttl: 200, records: [{ content: `b.${second.name}` }] },
      { name: "b", type: "ALIAS", ttl: 100, records: [{ content: `c.${zone.name}` }] },
    ]);
    await zone.add(a("c", ONE, 300));
    expect(await stage.served(zone)).toEqual([`${ONE} 100`]);
    expect(await stage.served(second, "b")).toEqual([`${ONE} 100`]);
  });

  test("may have eight names, and with nine the ALIAS is empty", async () => {
    const chain = (length: number) => [
      ...Array.from({ length: length - 1 }, (_, place) => ({
        name: `n${place + 1}`,
        type: place % 2 === 0 ? "CNAME" : "ALIAS",
        ttl: 300,
        records: [{ content: `n${place + 2}.${second.name}` }],
      })),
      { name: `n${length}`, type: "A", ttl: 300, records: [{ content: ONE }] },
    ];
    await zone.add(alias(`n1.${second.name}`));
    expect((await second.put(chain(8))).status).toBe(200);
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    await second.put([{ name: "n8", type: "A", records: [] }, ...chain(9).slice(7)]);
    expect(await stage.served(zone)).toEqual([]);
  });

  test.each([
    [0, 7, true],
    [0, 8, false],
    [4, 3, true],
    [4, 4, false],
  ])(
    "of %i names here, a target elsewhere and %i CNAME records of the public DNS: eight names have addresses, nine have none",
    async (here, there, isServed) => {
      const elsewhere = Array.from({ length: there + 1 }, () => stage.target());
      for (const [place, name] of elsewhere.entries()) {
        const next = elsewhere[place + 1];
        if (next === undefined) stage.world.addresses.set(name, [ONE]);
        else stage.world.cnames.set(name, next);
      }
      const names = Array.from({ length: here }, (_, place) => `n${place}`);
      const way = [...names.map((name) => `${name}.${second.name}`), elsewhere[0] ?? ""];
      await second.put(names.map((name, place) => cnameSet(name, way[place + 1] ?? "")));
      await zone.add(alias(way[0] ?? ""));
      expect(await stage.served(zone)).toEqual(isServed ? [`${ONE} 300`] : []);
    },
  );

  test("that come back from the public DNS count its names, too", async () => {
    const chain = Array.from({ length: 6 }, () => stage.target());
    const [first = ""] = chain;
    for (const [place, name] of chain.entries()) stage.world.cnames.set(name, chain[place + 1] ?? `www.${second.name}`);
    await second.add(cname("www", `end.${second.name}`));
    await second.add(a("end", ONE));
    await zone.add(alias(first));
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    await second.put([{ name: "end", type: "A", records: [] }, cnameSet("end", `last.${second.name}`)]);
    await second.add(a("last", ONE));
    expect(await stage.served(zone)).toEqual([]);
  });

  test("that leave our zones and come back are followed by our tables", async () => {
    const target = stage.target();
    stage.world.cnames.set(target, `www.${second.name}`);
    const { id } = await second.add(a("www", ONE, 300));
    stage.world.ttls.set(target, 120);
    // The public DNS knows an older address.
    stage.world.addresses.set(`www.${second.name}`, ["203.0.113.9"]);
    await zone.add(alias(target));
    expect(await stage.served(zone)).toEqual([`${ONE} 60`]);
    await second.ask("PUT", `/records/${id}`, { content: TWO });
    expect(await stage.served(zone)).toEqual([`${TWO} 60`]);
    stage.world.addresses.delete(`www.${second.name}`);
  });
});

describe("loops", () => {
  test("of an ALIAS to itself, and through zones of the organization, are 422 and change nothing", async () => {
    const itself = await zone.post(alias(zone.name));
    expectUnfitRecord(itself, "record_conflict");
    expect(itself.body.detail).toBe(`${zone.name}: the ALIAS leads to itself.`);
    await zone.add(alias(`a.${second.name}`));
    await second.add(cname("a", `b.${second.name}`));
    const serial = await second.serial();
    const answer = await second.post(alias(zone.name, "b"));
    expectUnfitRecord(answer, "record_conflict");
    expect(answer.body.detail).toBe(
      `b.${second.name}: the ALIAS leads back to itself through ${zone.name}, a.${second.name}.`,
    );
    // A CNAME that closes the loop, too.
    expectUnfitRecord(await second.post(cname("b", zone.name)), "record_conflict");
    expect(await second.serial()).toBe(serial);
    await second.add(a("b", ONE));
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
  });

  test("of CNAME records that an ALIAS leads to are 422 for the ALIAS", async () => {
    await second.put([
      { name: "a", type: "CNAME", records: [{ content: `b.${second.name}` }] },
      { name: "b", type: "CNAME", records: [{ content: `a.${second.name}` }] },
    ]);
    expectUnfitRecord(await zone.post(alias(`a.${second.name}`)), "record_conflict");
  });

  test("that the public DNS shows are empty", async () => {
    const [target, next] = [stage.target(), stage.target()];
    stage.world.cnames.set(target, next).set(next, target);
    expect((await zone.post(alias(target))).status).toBe(201);
    expect(await stage.served(zone)).toEqual([]);
    // One that comes back to the ALIAS itself would keep its own addresses alive.
    const back = stage.target(["203.0.113.5"]);
    await second.add(alias(back));
    expect(await stage.served(second)).toEqual(["203.0.113.5 300"]);
    stage.world.addresses.delete(back);
    stage.world.addresses.set(second.name, ["203.0.113.5"]);
    stage.world.cnames.set(back, second.name);
    await stage.refresh(back);
    expect(await stage.served(second)).toEqual([]);
    stage.world.addresses.delete(second.name);
  });

  test("that another organization closes are empty, and it is told nothing", async () => {
    const theirs = await other.zone();
    await stage.activate(theirs);
    await stage.activate(zone);
    await theirs.add(a("a", ONE));
    await zone.add(alias(`a.${theirs.name}`));
    const answer = await theirs.put([
      { name: "a", type: "A", records: [] },
      { name: "a", type: "CNAME", records: [{ content: zone.name }] },
    ]);
    expect(answer.status).toBe(200);
    await stage.run();
    expect(await stage.served(zone)).toEqual([]);
    // The holder of the ALIAS is refused to write it.
    expectUnfitRecord(
      await zone.put([
        { name: "@", type: "ALIAS", records: [{ content: `b.${zone.name}` }] },
        cnameSet("b", `a.${theirs.name}`),
      ]),
      "record_conflict",
    );
  });
});

describe("a target in a zone of another organization", () => {
  test("gives its addresses while that zone is active, and is followed by a job", async () => {
    const theirs = await other.zone();
    const { id } = await theirs.add(a("www", ONE));
    await stage.activate(theirs);
    const before = asked();
    await zone.add(alias(`www.${theirs.name}`));
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    expect(asked()).toBe(before);
    const serial = await zone.serial();
    await theirs.ask("PUT", `/records/${id}`, { content: TWO });
    await stage.run();
    expect([await stage.served(zone), await zone.serial()]).toEqual([[`${TWO} 300`], serial + 1]);
    expect(stage.flushed).toContain(zone.name);
    expect(await stage.dns.rows("select 1 from dns.alias_news")).toEqual([]);
  });

  test("is never taken from a zone that is pending: the public DNS is asked", async () => {
    const squatted = await other.zone();
    const target = `www.${squatted.name}`;
    stage.world.addresses.set(target, ["203.0.113.4"]);
    await squatted.add(a("www", "192.0.2.66"));
    await zone.add(alias(target));
    expect(await stage.served(zone)).toEqual(["203.0.113.4 60"]);
    await squatted.add(a("www", "192.0.2.67"));
    await stage.run();
    expect(await stage.served(zone)).toEqual(["203.0.113.4 60"]);
    // The one who has the zone uses it.
    await squatted.add(alias(target, "mine"));
    expect(await stage.served(squatted, "mine")).toEqual(["192.0.2.66 300", "192.0.2.67 300"]);
  });

  test("changes its source with the status of that zone", async () => {
    const theirs = await other.zone();
    const target = `www.${theirs.name}`;
    stage.world.addresses.set(target, ["203.0.113.4"]);
    await theirs.add(a("www", ONE));
    await zone.add(alias(target));
    expect(await stage.served(zone)).toEqual(["203.0.113.4 60"]);
    await stage.activate(theirs);
    await stage.run();
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    stage.world.delegate(theirs.name, ["ns.elsewhere.test"]);
    await stage.dns.rows("update dns.zones set checked_at = checked_at - interval '1 minute' where id = $1", [
      theirs.body.id,
    ]);
    expect((await theirs.ask("POST", "/check-delegation")).body.status).toBe("pending");
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual(["203.0.113.4 60"]);
  });
});

describe("schema pdns, after a restore or a rebuild", () => {
  test("has the last answers again", async () => {
    const target = stage.target(["203.0.113.1", "2001:db8::1"]);
    await second.add(a("www", ONE));
    await zone.put([
      { name: "@", type: "ALIAS", records: [{ content: target }] },
      { name: "a", type: "ALIAS", records: [{ content: `www.${second.name}` }] },
    ]);
    stage.world.failing.set(target, "silent");
    await stage.dns.rows("delete from pdns.records where domain_id = $1", [zone.body.id]);
    await stage.dns.rows("delete from pdns.domains where id = $1", [zone.body.id]);
    expect(await stage.faults()).not.toEqual([]);
    await stage.dns.selo.operator.query("select dns.rebuild_served()");
    expect(await stage.served(zone)).toEqual(["2001:db8::1 300", "203.0.113.1 300"]);
    expect(await stage.served(zone, "a")).toEqual([`${ONE} 300`]);
    expect(await stage.faults()).toEqual([]);
  });

  test("a deleted zone that an operator restores has them after a run of the job", async () => {
    const target = stage.target(["203.0.113.1"]);
    await zone.add(alias(target));
    await zone.ask("DELETE");
    const [restored] = await stage.dns.rows<{ id: number }>("select id from dns.restore_zone($1, $2)", [
      one.organization.id,
      zone.name,
    ]);
    await stage.refresh(target);
    const rows = await stage.dns.rows("select content from pdns.records where domain_id = $1 and type = 'A'", [
      restored?.id,
    ]);
    expect(rows).toEqual([{ content: "203.0.113.1" }]);
  });

  test("an address that was written past the product is found", async () => {
    await second.add(a("www", ONE));
    await zone.add(alias(`www.${second.name}`));
    await stage.dns.rows("update pdns.records set content = '192.0.2.66' where domain_id = $1 and type = 'A'", [
      zone.body.id,
    ]);
    expect(await stage.faults()).toEqual([`${zone.name} A is served with other values than the zone has`]);
    await stage.dns.selo.operator.query("select dns.rebuild_served()");
    expect(await stage.faults()).toEqual([]);
  });
});
