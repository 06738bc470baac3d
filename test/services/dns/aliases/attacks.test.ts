// What customers may try with ALIAS records, and what must not happen to others: issue "DNS hosting II" §4, §8.
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

test("an ALIAS without addresses is a name all the same: no wildcard answers for it", async () => {
  await zone.add(a("*", ONE));
  await zone.add(alias(stage.target([]), "shop"));
  const rows = await stage.dns.rows("select type from pdns.records where domain_id = $1 and name = $2", [
    zone.body.id,
    `shop.${zone.name}`,
  ]);
  expect(rows).toEqual([{ type: null }]);
});

test("storm", async () => {
  const target = stage.target([ONE]);
  const N = 5000;
  const names = Array.from({ length: N }, (_, i) => `a${i} 300 IN ALIAS ${target}.`).join("\n");
  let t = performance.now();
  const lap = (what: string) => {
    console.log(what, Math.round(performance.now() - t), "ms");
    t = performance.now();
  };
  await zone.ask("POST", "/import", { bind_file: names });
  lap("import");
  await stage.run();
  lap("run");
  stage.world.addresses.set(target, [TWO]);
  await stage.refresh(target);
  lap("refresh");
  console.log(await stage.served(zone, "a4999"));
  await stage.activate(theirs);
  await theirs.add(a("www", ONE));
  const names2 = Array.from({ length: N }, (_, i) => `b${i} 300 IN ALIAS www.${theirs.name}.`).join("\n");
  t = performance.now();
  const imp = zone.ask("POST", "/import", { bind_file: names2 });
  let worst = 0;
  const victim = async (until: Promise<unknown>) => {
    let done = false;
    until.then(() => {
      done = true;
    });
    for (let i = 0; !done; i++) {
      const b = performance.now();
      const r = await theirs.put([set("other", "TXT", `t${i}`)]);
      if (r.status !== 200) console.log(r.body);
      worst = Math.max(worst, performance.now() - b);
    }
  };
  await victim(imp);
  lap("import 2; worst of victim " + worst);
  worst = 0;
  await theirs.put([set("www", "A", TWO)]);
  t = performance.now();
  await victim(stage.run());
  lap("run; worst " + worst);
}, 600_000);
