// ALIAS records and their targets, written at the same moment: issue "DNS hosting II" §4.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byLane } from "../../../support/lane.ts";
import type { Customer, Zone } from "../dns-stage.ts";
import { AliasStage } from "./alias-stage.ts";

let stage: AliasStage;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  stage = await AliasStage.open();
  [one, other] = [await stage.customer(), await stage.customer()];
});
afterAll(async () => {
  expect(await stage?.faults()).toEqual([]);
  await stage?.close();
});

const TEN = Array.from({ length: 10 }, (_, place) => place);
/** Requests at the same moment meet in another order each time. */
const TRIES = TEN.slice(0, byLane({ lane: 3, full: 10 }));
const alias = (content: string, name = "@") => ({ name, type: "ALIAS", content });
const set = (name: string, type: string, content: string) => ({ name, type, ttl: 300, records: [{ content }] });
const [OLD, NEW] = ["192.0.2.1", "192.0.2.2"];

/** What a zone is served with does not differ from what its records say. */
async function expectSettled(zone: Zone, addresses: readonly string[]): Promise<void> {
  expect(await stage.served(zone)).toEqual(addresses.map((address) => `${address} 300`));
  const open = await stage.dns.rows("select name from dns.aliases where settled_at is null and zone_id = $1", [
    zone.body.id,
  ]);
  expect(open).toEqual([]);
}

test.each(TRIES)(
  "an ALIAS and its target in one organization: after both answers it has the new address (%i)",
  async () => {
    const [zone, second] = [await one.zone(), await one.zone()];
    await second.put([set("www", "A", OLD)]);
    const answers = await Promise.all([zone.post(alias(`www.${second.name}`)), second.put([set("www", "A", NEW)])]);
    expect(answers.map(({ status }) => status)).toEqual([201, 200]);
    await expectSettled(zone, [NEW]);
  },
);

test.each(TRIES)(
  "an ALIAS and its target in two organizations: after a run of the job it has the new address (%i)",
  async () => {
    const [zone, theirs] = [await one.zone(), await other.zone()];
    await theirs.put([set("www", "A", OLD)]);
    await stage.activate(theirs);
    await Promise.all([zone.post(alias(`www.${theirs.name}`)), theirs.put([set("www", "A", NEW)])]);
    await stage.run();
    await expectSettled(zone, [NEW]);
  },
);

test("many changes of a target and of the zones that follow it: nobody fails, nobody waits for ever, and all follow", async () => {
  const [target, ...zones] = [await one.zone(), await one.zone(), await one.zone(), await one.zone()];
  if (target === undefined) throw new Error("there are four");
  await target.put([set("www", "A", OLD)]);
  for (const zone of zones) await zone.add(alias(`www.${target.name}`));
  // They follow each other, too.
  await target.add(alias(`www.${zones[0]?.name}`, "back"));
  const changes = Array.from({ length: 12 }, (_, turn) => [
    target.put([set("www", "A", `192.0.2.${10 + turn}`)]),
    ...zones.map((zone) => zone.put([set(`www`, "A", `198.51.100.${turn}`)])),
  ]).flat();
  expect((await Promise.all(changes)).filter(({ status }) => status !== 200)).toEqual([]);
  await target.put([set("www", "A", NEW)]);
  for (const zone of zones) await expectSettled(zone, [NEW]);
});

test.each(TRIES)(
  "two ALIAS records that lead to each other, at once: one is refused, or both are empty (%i)",
  async () => {
    const [zone, second] = [await one.zone(), await one.zone()];
    const answers = await Promise.all([zone.post(alias(second.name)), second.post(alias(zone.name))]);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.length).toBeLessThanOrEqual(1);
    for (const { body } of refused) expect(body.code).toBe("record_conflict");
    await stage.run();
    for (const each of [zone, second]) await expectSettled(each, []);
  },
);

test("the zone of a target is deleted while an ALIAS to it is written: it does not keep the addresses", async () => {
  for (const _ of TRIES) {
    const [zone, second] = [await one.zone(), await one.zone()];
    await second.put([set("@", "A", OLD)]);
    const answers = await Promise.all([zone.post(alias(second.name)), second.ask("DELETE")]);
    expect(answers.map(({ status }) => status)).toEqual([201, 204]);
    await stage.run();
    await expectSettled(zone, []);
  }
});

test.each(TEN.slice(0, byLane({ lane: 2, full: 5 })))(
  "three workers at once ask for each target once, and all names follow (%i)",
  async () => {
    const targets = TEN.map(() => stage.target(["203.0.113.1"]));
    const zone = await one.zone();
    await zone.put(targets.map((target, place) => set(`a${place}`, "ALIAS", target)));
    const serial = await zone.serial();
    for (const target of targets) {
      stage.world.addresses.set(target, ["203.0.113.2"]);
      await stage.pass(target);
    }
    await Promise.all([stage.run(), stage.run(), stage.run()]);
    for (const target of targets) expect(stage.world.asked(`A ${target}`)).toBe(2);
    expect(await zone.serial()).toBeLessThanOrEqual(serial + targets.length);
    for (const [place] of targets.entries()) expect(await stage.served(zone, `a${place}`)).toEqual(["203.0.113.2 300"]);
  },
);

test("an answer that was asked for earlier does not replace a later one", async () => {
  const target = stage.target(["203.0.113.1"]);
  const zone = await one.zone();
  await zone.add(alias(target));
  const late = JSON.stringify([{ type: "A", status: "found", addresses: ["203.0.113.9"], ttl: 300, cnames: [] }]);
  await stage.dns.rows("select dns.record_alias_target($1, now() - interval '1 minute', $2)", [target, late]);
  await stage.run();
  await expectSettled(zone, ["203.0.113.1"]);
});

test("what a worker that was killed had claimed, another does a minute later", async () => {
  const target = stage.target(["203.0.113.1"]);
  const zone = await one.zone();
  await zone.add(alias(target));
  stage.world.addresses.set(target, ["203.0.113.2"]);
  await stage.pass(target);
  // Killed before it asked.
  await stage.dns.rows("select jobs.claim_alias_targets(1000, false)");
  await stage.run();
  await expectSettled(zone, ["203.0.113.1"]);
  await stage.pass(target, "1 minute");
  await stage.dns.rows("update dns.alias_targets set checked_at = checked_at - interval '1 minute' where name = $1", [
    target,
  ]);
  // Killed after it recorded, before the zone followed.
  const answers = JSON.stringify([{ type: "A", status: "found", addresses: ["203.0.113.2"], ttl: 300, cnames: [] }]);
  await stage.dns.rows("select jobs.record_alias_target($1, clock_timestamp(), $2)", [target, answers]);
  await stage.dns.rows("select jobs.note_alias_followers(1000)");
  await stage.dns.rows("select jobs.claim_aliases(1000)");
  await stage.run();
  await expectSettled(zone, ["203.0.113.1"]);
  await stage.dns.rows("update dns.aliases set due_at = due_at - interval '1 minute'");
  await stage.run();
  await expectSettled(zone, ["203.0.113.2"]);
});

test("what a gateway says about a target counts only where its organization leads there, and nobody has asked before", async () => {
  const [known, foreign] = [stage.target(["203.0.113.1"]), stage.target(["203.0.113.1"])];
  const [zone, theirs] = [await one.zone(), await other.zone()];
  await zone.add(alias(known));
  stage.world.failing.set(foreign, "silent");
  await theirs.add(alias(foreign));
  await stage.dns.rows("update dns.alias_targets set checked_at = null where name = $1", [foreign]);
  const answers = [{ type: "A", status: "found", addresses: ["192.0.2.66"], ttl: 300, cnames: [] }];
  const { credentialHash } = { credentialHash: createHash("sha256").update(one.token).digest() };
  await stage.dns.rows("select gateway.call($1, 'settle_dns_aliases', $2, 200, null, null, '{}')", [
    credentialHash,
    JSON.stringify({
      began: new Date(Date.now() + 60_000).toISOString(),
      answers: [known, foreign].map((name) => ({ name, answers })),
    }),
  ]);
  await stage.run();
  await expectSettled(zone, ["203.0.113.1"]);
  expect(await stage.served(theirs)).toEqual([]);
});
