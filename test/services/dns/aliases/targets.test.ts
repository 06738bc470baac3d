// ALIAS records whose targets the public DNS answers for: issue "DNS hosting II" §4.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Customer, Zone } from "../dns-stage.ts";
import { AliasStage } from "./alias-stage.ts";

let stage: AliasStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await AliasStage.open();
  customer = await stage.customer();
});
beforeEach(async () => {
  zone = await customer.zone();
});
afterAll(async () => {
  expect(await stage?.faults()).toEqual([]);
  await stage?.close();
});

const alias = (content: string, name = "@", ttl = 3600) => ({ name, type: "ALIAS", content, ttl });
const ONE = "203.0.113.1";
const TWO = "203.0.113.2";
const SIX = "2001:db8::1";

describe("in the request that writes it", () => {
  test("an ALIAS at the apex is served with the addresses of its target, and they raise the serial once more", async () => {
    const serial = await zone.serial();
    await zone.add(alias(stage.target([ONE, TWO, SIX])));
    expect(await stage.served(zone)).toEqual([`${SIX} 300`, `${ONE} 300`, `${TWO} 300`]);
    expect(await zone.serial()).toBe(serial + 2);
    expect(await stage.actions(zone)).toEqual(["zone.created", "zone.records_changed", "zone.aliases_changed"]);
    expect(await stage.faults()).toEqual([]);
  });

  test("the addresses follow the ALIAS when it is changed, disabled, enabled and deleted", async () => {
    const [one, two] = [stage.target([ONE]), stage.target([TWO])];
    const record = await zone.add(alias(one, "www"));
    const change = (body: object) => zone.ask("PUT", `/records/${record.id}`, body);
    expect((await change({ content: two })).status).toBe(200);
    expect(await stage.served(zone, "www")).toEqual([`${TWO} 300`]);
    await change({ ttl: 60 });
    expect(await stage.served(zone, "www")).toEqual([`${TWO} 60`]);
    await change({ disabled: true });
    expect(await stage.served(zone, "www")).toEqual([]);
    await change({ disabled: false });
    expect(await stage.served(zone, "www")).toEqual([`${TWO} 60`]);
    await zone.ask("DELETE", `/records/${record.id}`);
    expect(await stage.served(zone, "www")).toEqual([]);
  });

  test("the same target is asked for once for all who share it", async () => {
    const target = stage.target([ONE]);
    await zone.add(alias(target));
    const other = await (await stage.customer()).zone();
    await other.add(alias(target, "www"));
    expect(await stage.served(other, "www")).toEqual([`${ONE} 300`]);
    expect(stage.world.asked(`A ${target}`)).toBe(1);
  });

  test("addresses that are not public are served as they are", async () => {
    await zone.add(alias(stage.target(["10.0.0.1", "127.0.0.1", "fd00::1"])));
    expect(await stage.served(zone)).toEqual(["10.0.0.1 300", "127.0.0.1 300", "fd00::1 300"]);
  });

  test("a silent public DNS delays the answer by two seconds at most, and a worker asks again", async () => {
    const target = stage.target([ONE]);
    stage.world.failing.set(target, "silent");
    // It is answered although the public DNS never answers.
    await zone.add(alias(target));
    expect(await stage.served(zone)).toEqual([]);
    stage.world.failing.delete(target);
    await stage.refresh(target, "3 minutes");
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    expect(stage.flushed).toContain(zone.name);
  });

  test("a wildcard, and a name with other records, have ALIAS addresses too", async () => {
    const target = stage.target([ONE]);
    await zone.add({ name: "*", type: "TXT", content: "x" });
    await zone.add(alias(target, "*"));
    expect(await stage.served(zone, "*")).toEqual([`${ONE} 300`]);
  });

  test("below a delegation, an ALIAS is not served", async () => {
    await zone.add({ name: "sub", type: "NS", content: "ns.elsewhere.test" });
    await zone.add(alias(stage.target([ONE]), "www.sub"));
    expect(await stage.served(zone, "www.sub")).toEqual([]);
  });
});

describe("the TTL is the smallest of the record's and the target's, of which 60 s to 1 h are kept", () => {
  test.each([
    [3600, 0, 60, 60],
    [3600, 59, 60, 60],
    [3600, 61, 61, 61],
    [86_400, 3_599, 3_599, 3_599],
    [86_400, 3_601, 3_600, 3_600],
    [120, 300, 120, 300],
  ])("record %i, target %i: served with %i, asked for again after %i s", async (own, theirs, ttl, due) => {
    const target = stage.target([ONE], theirs);
    await zone.add(alias(target, "@", own));
    expect(await stage.served(zone)).toEqual([`${ONE} ${ttl}`]);
    const [row] = await stage.targetRows(target);
    expect(due - (row?.due ?? 0)).toBeGreaterThanOrEqual(0);
    expect(due - (row?.due ?? 0)).toBeLessThan(20);
  });

  test("the TTL of a CNAME on the way counts", async () => {
    const [target, end] = [stage.target(null, 90), stage.target([ONE], 300)];
    stage.world.cnames.set(target, end);
    await zone.add(alias(target));
    expect(await stage.served(zone)).toEqual([`${ONE} 90`]);
  });
});

describe("a worker asks again on the target's TTL", () => {
  test("not before: nobody is asked", async () => {
    const target = stage.target([ONE]);
    await zone.add(alias(target));
    await stage.run();
    expect(stage.world.asked(`A ${target}`)).toBe(1);
  });

  test("a changed set raises the serial once, and an equal one does not", async () => {
    const target = stage.target([ONE, TWO]);
    await zone.add(alias(target));
    const serial = await zone.serial();
    stage.world.addresses.set(target, [TWO, ONE]);
    await stage.refresh(target);
    expect(await zone.serial()).toBe(serial);
    stage.world.addresses.set(target, [TWO, SIX]);
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([`${SIX} 300`, `${TWO} 300`]);
    expect(await zone.serial()).toBe(serial + 1);
    expect((await stage.actions(zone)).at(-1)).toBe("zone.aliases_changed");
  });

  test("another TTL alone is served, without another serial", async () => {
    const target = stage.target([ONE]);
    await zone.add(alias(target));
    const serial = await zone.serial();
    stage.world.ttls.set(target, 100);
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([`${ONE} 100`]);
    expect(await zone.serial()).toBe(serial);
  });

  test("all names that lead there follow, of every organization", async () => {
    const target = stage.target([ONE]);
    const other = await (await stage.customer()).zone();
    await zone.put(
      [alias(target), alias(target, "a"), alias(target, "b")].map(({ content, ...set }) => ({
        ...set,
        records: [{ content }],
      })),
    );
    await other.add(alias(target));
    // The requests left news of a new target, for others. Names that follow it while the target changes may follow one after the other.
    await stage.run();
    const serials = [await zone.serial(), await other.serial()];
    stage.world.addresses.set(target, [TWO]);
    await stage.refresh(target);
    for (const name of ["", "a", "b"]) expect(await stage.served(zone, name)).toEqual([`${TWO} 300`]);
    expect(await stage.served(other)).toEqual([`${TWO} 300`]);
    expect([await zone.serial(), await other.serial()]).toEqual(serials.map((serial) => serial + 1));
  });

  test("a target to which no ALIAS leads is forgotten", async () => {
    const target = stage.target([ONE]);
    const { id } = await zone.add(alias(target));
    await zone.ask("DELETE", `/records/${id}`);
    await stage.refresh(target);
    expect(await stage.targetRows(target)).toEqual([]);
    expect(stage.world.asked(`A ${target}`)).toBe(1);
  });
});

describe("without addresses", () => {
  test.each(["NXDOMAIN", "NODATA"])("%s once keeps the last answer, and twice in a row empties it", async (how) => {
    const target = stage.target([ONE, SIX]);
    await zone.add(alias(target));
    const serial = await zone.serial();
    const gone = () =>
      how === "NODATA" ? stage.world.addresses.set(target, []) : stage.world.addresses.delete(target);
    gone();
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([`${SIX} 300`, `${ONE} 300`]);
    // Soon asked again.
    expect((await stage.targetRows(target)).every(({ due }) => due <= 60)).toBe(true);
    // Once more there: the count begins anew.
    stage.world.addresses.set(target, [ONE, SIX]);
    await stage.refresh(target);
    gone();
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([`${SIX} 300`, `${ONE} 300`]);
    expect(await zone.serial()).toBe(serial);
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([]);
    expect(await zone.serial()).toBe(serial + 1);
    stage.world.addresses.set(target, [TWO]);
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([`${TWO} 300`]);
  });

  test("addresses of one type stay while those of the other go", async () => {
    const target = stage.target([ONE, SIX]);
    await zone.add(alias(target));
    stage.world.addresses.set(target, [ONE]);
    await stage.refresh(target);
    await stage.refresh(target);
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
  });
});

describe("without an answer", () => {
  const events = async () =>
    stage.dns.rows<{ record: string; target: string }>(
      `select body::json #>> '{data,record}' as record, body::json #>> '{data,target}' as target from webhooks.events
       where type = 'zone.alias_failing' and body::json #>> '{data,name}' = $1`,
      [zone.name],
    );

  test.each(["silent", "fails"] as const)(
    "(%s) the last one is served for seven days, then none, with one event",
    async (how) => {
      const target = stage.target([ONE, SIX]);
      await zone.add(alias(target, "www"));
      const serial = await zone.serial();
      // Nobody answers, so nothing comes too late.
      const notAnswered = (time?: string) => stage.refresh(target, time, { taskMs: 100 });
      stage.world.failing.set(target, how);
      await notAnswered();
      expect(await stage.targetRows(target)).toMatchObject([{ failing: true }, { failing: true }]);
      await notAnswered("6 days 23 hours 50 minutes");
      expect(await stage.served(zone, "www")).toEqual([`${SIX} 300`, `${ONE} 300`]);
      expect([await zone.serial(), await events()]).toEqual([serial, []]);
      await notAnswered("15 minutes");
      expect(await stage.served(zone, "www")).toEqual([]);
      expect(await zone.serial()).toBe(serial + 1);
      expect(await events()).toEqual([{ record: `www.${zone.name}`, target }]);
      await notAnswered("1 day");
      expect(await events()).toHaveLength(1);
      stage.world.failing.delete(target);
      await stage.refresh(target);
      expect(await stage.served(zone, "www")).toEqual([`${SIX} 300`, `${ONE} 300`]);
      // It may fail again.
      stage.world.failing.set(target, how);
      await notAnswered();
      await notAnswered("8 days");
      expect(await events()).toHaveLength(2);
    },
  );

  test("an answer in between begins the seven days anew", async () => {
    const target = stage.target([ONE]);
    await zone.add(alias(target));
    for (let turn = 0; turn < 2; turn++) {
      stage.world.failing.set(target, "fails");
      await stage.refresh(target);
      await stage.refresh(target, "6 days");
      stage.world.failing.delete(target);
      await stage.refresh(target);
    }
    expect(await stage.served(zone)).toEqual([`${ONE} 300`]);
    expect(await events()).toEqual([]);
  });
});
