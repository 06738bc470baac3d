// What customers may try with ALIAS records, and what must not happen to others: issue "DNS hosting II" §4, §8.
import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueKey } from "../../../../src/services/dns/store.ts";
import { Customer, type Zone } from "../dns-stage.ts";
import { AliasStage } from "./alias-stage.ts";

let stage: AliasStage;
let one: Customer;
let other: Customer;
let zone: Zone;
let theirs: Zone;
beforeAll(async () => {
  stage = await AliasStage.open();
  [one, other] = [await stage.customer(), await stage.customer()];
});
beforeEach(async () => {
  [zone, theirs] = [await one.zone(), await other.zone()];
});
afterAll(async () => {
  expect(await stage?.faults()).toEqual([]);
  await stage?.close();
});

const alias = (content: string, name = "@") => ({ name, type: "ALIAS", content });
const a = (name: string, content: string) => ({ name, type: "A", content, ttl: 300 });
const set = (name: string, type: string, ...contents: string[]) => ({
  name,
  type,
  ttl: 300,
  records: contents.map((content) => ({ content })),
});
const [ONE, TWO] = ["192.0.2.1", "192.0.2.2"];

test("a key that is narrowed to the zone of a target changes it, and zones that the key does not open follow", async () => {
  const second = await one.zone();
  await second.add(a("www", ONE));
  await zone.add(alias(`www.${second.name}`));
  const { secret } = await issueKey(stage.dns.selo.operator, one.organization.id, "narrow", null, {
    zones: [second.body.id],
  });
  const narrow = new Customer(stage.dns, one.organization, secret);
  const answer = await narrow.ask("PUT", `/zones/${second.body.id}/records`, { sets: [set("www", "A", TWO)] });
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
  expect(await stage.served(zone)).toEqual([`${TWO} 300`]);
});

test("a loop that another organization closes refuses no change that is not of the ALIAS", async () => {
  await stage.activate(theirs);
  await theirs.add(a("a", ONE));
  await zone.add(alias(`y.${zone.name}`, "x"));
  await zone.add({ name: "y", type: "CNAME", content: `a.${theirs.name}` });
  await zone.add(alias(`a.${theirs.name}`));
  await stage.activate(zone);
  const closed = await theirs.put([set("a", "A"), set("a", "CNAME", `x.${zone.name}`)]);
  expect(closed.status).toBe(200);
  await stage.run();
  expect(await stage.served(zone, "x")).toEqual([]);
  expect((await zone.post({ name: "z.y", type: "TXT", content: "x" })).body).toMatchObject({ type: "TXT" });
  expect((await zone.post({ name: "x", type: "MX", content: "mx.example.net", priority: 1 })).body).toMatchObject({
    type: "MX",
  });
});

describe("an ALIAS without addresses is a name all the same, so no wildcard answers for it", () => {
  const rows = (name: string) =>
    stage.dns.rows<{ type: string | null; auth: boolean }>(
      "select type, auth from pdns.records where domain_id = $1 and name = $2 order by type",
      [zone.body.id, `${name}.${zone.name}`],
    );
  const EMPTY = [{ type: null, auth: true }];

  test("from the request that writes it, until it has addresses, and when it has lost them", async () => {
    const target = stage.target([]);
    await zone.add(a("*", ONE));
    const { id } = await zone.add(alias(target, "shop.a"));
    // The names between, too.
    expect([await rows("shop.a"), await rows("a")]).toEqual([EMPTY, EMPTY]);
    expect(await stage.faults()).toEqual([]);
    stage.world.addresses.set(target, [TWO]);
    await stage.refresh(target);
    expect([await rows("shop.a"), await rows("a")]).toEqual([[{ type: "A", auth: true }], EMPTY]);
    stage.world.addresses.set(target, []);
    await stage.refresh(target);
    await stage.refresh(target);
    expect([await rows("shop.a"), await rows("a")]).toEqual([EMPTY, EMPTY]);
    expect(await stage.faults()).toEqual([]);
    // Disabled or deleted, it is no name.
    await zone.ask("PUT", `/records/${id}`, { disabled: true });
    expect([await rows("shop.a"), await rows("a")]).toEqual([[], []]);
    await zone.ask("PUT", `/records/${id}`, { disabled: false });
    expect(await rows("shop.a")).toEqual(EMPTY);
    await zone.ask("DELETE", `/records/${id}`);
    expect([await rows("shop.a"), await rows("a")]).toEqual([[], []]);
    expect(await stage.faults()).toEqual([]);
  });

  test("but not below a delegation", async () => {
    await zone.add(alias(stage.target([]), "www.sub"));
    expect(await rows("www.sub")).toEqual(EMPTY);
    const { id } = await zone.add({ name: "sub", type: "NS", content: "ns.elsewhere.test" });
    expect(await rows("www.sub")).toEqual([]);
    await zone.ask("DELETE", `/records/${id}`);
    expect([await rows("www.sub"), await rows("sub")]).toEqual([EMPTY, EMPTY]);
    expect(await stage.faults()).toEqual([]);
  });

  test("after a rebuild, too", async () => {
    await zone.add(alias(stage.target([]), "shop"));
    await stage.dns.rows("delete from pdns.records where domain_id = $1 and type is null", [zone.body.id]);
    expect(await stage.faults()).toEqual([`shop.${zone.name} without records is not served`]);
    await stage.dns.selo.operator.query("select dns.rebuild_served()");
    expect([await rows("shop"), await stage.faults()]).toEqual([EMPTY, []]);
  });
});

test("an unfinished request that leads to the zone of another organization keeps nobody from changing it, and misses no change", async () => {
  await theirs.add(a("www", ONE));
  await stage.activate(theirs);
  const client = new pg.Client({ connectionString: stage.dns.selo.database.adminUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select gateway.call($1, 'create_dns_record', $2, 201, null, null, '{}')", [
      createHash("sha256").update(one.token).digest(),
      JSON.stringify({ zone_id: String(zone.body.id), ...alias(`www.${theirs.name}`) }),
    ]);
    // It has read the old address, and this change cannot see its ALIAS.
    expect((await theirs.put([set("www", "A", TWO)])).status).toBe(200);
    await client.query("commit");
  } finally {
    await client.end();
  }
  expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
  await stage.run();
  expect(await stage.served(zone)).toEqual([`${TWO} 300`]);
});

test("many names that lead to another zone follow in transactions of a hundred names, each of which raises the serial once", async () => {
  await theirs.add(a("www", ONE));
  await stage.activate(theirs);
  const names = Array.from({ length: 250 }, (_, place) => `a${place}`);
  await zone.put(names.map((name) => set(name, "ALIAS", `www.${theirs.name}`)));
  await stage.run();
  const serial = await zone.serial();
  await theirs.put([set("www", "A", TWO)]);
  await stage.run();
  for (const name of ["a0", "a100", "a249"]) expect(await stage.served(zone, name)).toEqual([`${TWO} 300`]);
  expect(await zone.serial()).toBe(serial + 3);
});

test("a change of one name is no news of the names beside it and below it", async () => {
  await theirs.put([set("a.lb", "A", ONE), set("b.lb", "A", ONE), set("c.b.lb", "A", ONE)]);
  await stage.activate(theirs);
  await zone.put(["a.lb", "b.lb", "c.b.lb"].map((name) => set(name, "ALIAS", `${name}.${theirs.name}`)));
  await stage.run();
  await theirs.put([set("b.lb", "A", TWO)]);
  expect(await stage.dns.rows("select name, with_names_below from dns.alias_news")).toEqual([
    { name: `b.lb.${theirs.name}`, with_names_below: false },
  ]);
  await stage.run();
  expect(await stage.served(zone, "b.lb")).toEqual([`${TWO} 300`]);
});

test("a CNAME of any bytes on the way is followed, and delays no other name", async () => {
  const [target, hostile] = [stage.target(), "n\u0000\u001b[31m.elsewhere.test"];
  stage.world.cnames.set(target, hostile);
  stage.world.addresses.set(hostile, [ONE]);
  await zone.put([set("hostile", "ALIAS", target), set("other", "ALIAS", stage.target([TWO]))]);
  expect([await stage.served(zone, "hostile"), await stage.served(zone, "other")]).toEqual([
    [`${ONE} 60`],
    [`${TWO} 300`],
  ]);
});

describe("targets that never answer", () => {
  /** Where the first question about a target stands among all questions since. */
  const turnOf = (target: string) =>
    stage.world.questions
      .filter((question) => question.includes(" A "))
      .findIndex((question) => question.endsWith(` ${target}`));

  test("keep nobody else's from being asked: organizations take turns, and failing targets are asked beside the others", async () => {
    const [attacker, victim] = [await stage.customer(), await stage.customer()];
    // More than are asked before the other organization has its turn.
    const silent = Array.from({ length: 100 }, () => stage.target());
    for (const target of silent) stage.world.failing.set(target, "silent");
    const many = await attacker.zone();
    await many.put(silent.map((target, place) => set(`a${place}`, "ALIAS", target)));
    const [target, mine] = [stage.target([ONE]), await victim.zone()];
    await mine.add(alias(target));
    const due = (names: readonly string[], time: string) =>
      stage.dns.rows("update dns.alias_targets set due_at = now() - $2::interval where name = any ($1)", [names, time]);
    // New, and due for longer.
    await due(silent, "1 hour");
    await stage.pass(target);
    stage.world.addresses.set(target, [TWO]);
    stage.world.questions.length = 0;
    await stage.run();
    expect(turnOf(target)).toBeGreaterThanOrEqual(0);
    expect(turnOf(target)).toBeLessThan(60);
    expect(await stage.served(mine)).toEqual([`${TWO} 300`]);
    // All are asked in one run.
    for (const each of silent) expect(stage.world.asked(`A ${each}`)).toBeGreaterThan(0);
    // They are known to fail now.
    await due(silent, "1 hour");
    await stage.pass(target);
    stage.world.questions.length = 0;
    await stage.run({ failingMs: 200 });
    expect(turnOf(target)).toBeGreaterThanOrEqual(0);
    expect(turnOf(target)).toBeLessThan(60);
    for (const each of silent) expect(stage.world.asked(`A ${each}`)).toBe(1);
  });

  test("for seven days are one event, also when the worker is killed after it recorded them, and when three workers run", async () => {
    const target = stage.target([ONE]);
    await zone.add(alias(target));
    stage.world.failing.set(target, "fails");
    await stage.refresh(target);
    await stage.pass(target, "8 days");
    const answers = ["A", "AAAA"].map((type) => ({ type, status: "failed", addresses: [], ttl: null, cnames: [] }));
    await stage.dns.rows("select jobs.record_alias_target($1, clock_timestamp(), $2)", [
      target,
      JSON.stringify(answers),
    ]);
    // Killed here.
    await stage.dns.rows("select jobs.note_alias_followers(1000)");
    await stage.dns.rows("select jobs.claim_aliases(1000)");
    await stage.run();
    const events = () =>
      stage.dns.rows(
        "select 1 from webhooks.events where type = 'zone.alias_failing' and body::json #>> '{data,name}' = $1",
        [zone.name],
      );
    expect(await events()).toEqual([]);
    await stage.dns.rows("update dns.aliases set due_at = due_at - interval '1 minute'");
    await stage.pass(target);
    await Promise.all([stage.run(), stage.run(), stage.run()]);
    expect(await events()).toHaveLength(1);
    expect(await stage.served(zone)).toEqual([]);
  });
});

test("a zone that has moved answers for nobody else: the public DNS is asked", async () => {
  const target = `www.${theirs.name}`;
  stage.world.addresses.set(target, ["203.0.113.4"]);
  await theirs.add(a("www", ONE));
  await stage.activate(theirs);
  await zone.add(alias(target));
  expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
  const check = async (ago: string) => {
    await stage.dns.rows(
      "update dns.zones set checked_at = checked_at - $2::interval, lost_at = lost_at - $2::interval where id = $1",
      [theirs.body.id, ago],
    );
    return (await theirs.ask("POST", "/check-delegation")).body.status;
  };
  stage.world.delegate(theirs.name, ["ns.elsewhere.test"]);
  expect(await check("1 minute")).toBe("pending");
  expect(await check("31 days")).toBe("moved");
  await stage.refresh(target);
  expect(await stage.served(zone)).toEqual(["203.0.113.4 60"]);
  // What its holder writes now reaches nobody.
  await theirs.put([set("www", "A", TWO)]);
  await stage.refresh(target);
  expect(await stage.served(zone)).toEqual(["203.0.113.4 60"]);
});

test("a disabled record of another organization is not shown by an ALIAS", async () => {
  await theirs.add(a("www", ONE));
  await theirs.add({ ...a("www", TWO), disabled: true });
  await theirs.add({ ...a("hidden", TWO), disabled: true });
  await stage.activate(theirs);
  await zone.put([set("w", "ALIAS", `www.${theirs.name}`), set("h", "ALIAS", `hidden.${theirs.name}`)]);
  expect([await stage.served(zone, "w"), await stage.served(zone, "h")]).toEqual([[`${ONE} 300`], []]);
});

test("`selo audit verify` finds an address beside those of an ALIAS, one that is missing, and one of a name that has none", async () => {
  await zone.put([set("a", "ALIAS", stage.target([ONE, TWO])), set("b", "ALIAS", stage.target([]))]);
  const forge = (name: string, content: string) =>
    stage.dns.rows(
      "insert into pdns.records (domain_id, id, name, type, content, ttl, auth) values ($1, gen_random_uuid(), $2, 'A', $3, 300, true)",
      [zone.body.id, `${name}.${zone.name}`, content],
    );
  await forge("a", "192.0.2.66");
  await forge("b", "192.0.2.66");
  await stage.dns.rows("delete from pdns.records where domain_id = $1 and content = $2", [zone.body.id, ONE]);
  const found = await stage.faults();
  expect(found).toEqual([
    `a.${zone.name} A is not served`,
    `a.${zone.name} A is served, and the zone does not have it`,
    `b.${zone.name} A is served, and the zone does not have it`,
    // A name without records has no rows beside records.
    `b.${zone.name} without records is served, and the zone does not have it`,
  ]);
  await stage.dns.selo.operator.query("select dns.rebuild_served()");
  expect(await stage.faults()).toEqual([]);
  expect(await stage.served(zone, "a")).toEqual([`${ONE} 300`, `${TWO} 300`]);
});
