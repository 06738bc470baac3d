// The states of a zone by the checks of its delegation: dns-hosting §3, issue "DNS hosting II" §2.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyAll } from "../../support/verify-all.ts";
import { DelegationStage, FOREIGN } from "./delegation-stage.ts";
import type { Customer, Zone } from "./dns-stage.ts";

let stage: DelegationStage;
let customer: Customer;
beforeAll(async () => {
  stage = await DelegationStage.open();
  customer = await stage.dns.customer({ plan: "business", email: "dono@example.com", language: "pt-BR" });
});
afterAll(() => stage?.close());

const ownNs = ({ body }: Zone): readonly string[] => body.nameservers ?? [];

describe("pending → active", () => {
  test("when its parent and the resolver name its nameservers", async () => {
    const zone = await customer.zone();
    expect(zone.body).toMatchObject({ status: "pending", checked_at: null });
    stage.world.delegate(zone.name, ownNs(zone));
    const { status, body } = await stage.check(zone);
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...zone.body, status: "active", checked_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
    expect((await zone.ask("GET")).body).toEqual(body);
    expect(await stage.told(zone)).toEqual({ audit: ["zone.activated"], events: ["zone.activated"], mails: [] });
  });

  test("when they name one of the two, and when they write it otherwise", async () => {
    const zone = await customer.zone();
    stage.world.delegate(zone.name, [`${ownNs(zone)[1]?.toUpperCase()}.`]);
    expect(await stage.status(zone)).toBe("active");
  });

  test.each([
    ["nobody delegates it", null],
    ["it is delegated elsewhere", FOREIGN],
    ["it has no NS records", []],
  ])("not when %s", async (_, ns) => {
    const zone = await customer.zone();
    stage.world.delegate(zone.name, ns);
    const { body } = await stage.check(zone);
    expect(body).toMatchObject({ status: "pending", checked_at: expect.any(String) });
    expect(await stage.told(zone)).toEqual({ audit: [], events: [], mails: [] });
  });

  test("not when one NS record is another's: by the parent, or by the resolver alone", async () => {
    for (const place of ["both", "parent", "resolver"] as const) {
      const zone = await customer.zone();
      stage.world.delegate(zone.name, ownNs(zone));
      const partly = [...ownNs(zone), FOREIGN[0]];
      if (place !== "resolver") stage.world.referrals.set(zone.name, partly);
      if (place !== "parent") stage.world.resolved.set(zone.name, partly);
      expect({ place, status: await stage.status(zone) }).toEqual({ place, status: "pending" });
    }
  });

  test("not with nameservers of the service that are not its own two", async () => {
    const zone = await customer.zone();
    const others = ["ns1", "ns2", "ns3", "ns4"]
      .map((each) => `${each}.selo.test`)
      .filter((each) => !ownNs(zone).includes(each));
    stage.world.delegate(zone.name, others);
    expect(await stage.status(zone)).toBe("pending");
  });

  test("by the parent alone, and by the resolver alone, where the other does not answer", async () => {
    for (const [parent, resolver] of [
      ["own", "fails"],
      ["fails", "own"],
    ] as const) {
      const zone = await customer.zone();
      stage.world.referrals.set(zone.name, parent === "own" ? ownNs(zone) : parent);
      stage.world.resolved.set(zone.name, resolver === "own" ? ownNs(zone) : resolver);
      expect({ parent, resolver, status: await stage.status(zone) }).toEqual({ parent, resolver, status: "active" });
    }
  });
});

describe("active → pending", () => {
  test.each([
    ["elsewhere", () => FOREIGN],
    ["partly elsewhere", (zone: Zone) => [ownNs(zone)[0] ?? "", FOREIGN[0]]],
    ["nowhere: it does not exist", () => null],
    ["nowhere: it has no NS records", () => []],
  ])("in the one check that finds it delegated %s", async (_, ns) => {
    const zone = await stage.active(await customer.zone());
    stage.world.delegate(zone.name, ns(zone));
    expect(await stage.status(zone)).toBe("pending");
    expect(await stage.told(zone)).toEqual({
      audit: ["zone.activated", "zone.delegation_lost"],
      events: ["zone.activated", "zone.delegation_lost"],
      mails: ["zone_delegation_lost"],
    });
  });

  test("mails once, and again only after it was active again", async () => {
    const zone = await stage.active(await customer.zone());
    stage.world.delegate(zone.name, FOREIGN);
    for (let count = 0; count < 3; count++) expect(await stage.status(zone)).toBe("pending");
    expect((await stage.told(zone)).mails).toEqual(["zone_delegation_lost"]);
    await stage.active(zone);
    stage.world.delegate(zone.name, null);
    for (let count = 0; count < 2; count++) expect(await stage.status(zone)).toBe("pending");
    expect((await stage.told(zone)).mails).toEqual(["zone_delegation_lost", "zone_delegation_lost"]);
  });

  test.each([
    ["nobody answers", "silent", "silent"],
    ["all of them fail", "fails", "fails"],
  ] as const)("not when %s: only checked_at changes", async (_, parent, resolver) => {
    const zone = await stage.active(await customer.zone());
    const before = (await zone.ask("GET")).body;
    stage.world.referrals.set(zone.name, parent);
    stage.world.resolved.set(zone.name, resolver);
    const { body } = await stage.checkByWorker(zone);
    expect(body).toEqual({ ...before, checked_at: expect.any(String) });
    expect(body.checked_at > before.checked_at).toBe(true);
    expect((await stage.told(zone)).audit).toEqual(["zone.activated"]);
  });

  test.each([
    ["has NUL", ["ns\u0000.other.test"]],
    ["controls a terminal, or writes lines of a mail", ['ns\u001b[31m\n\u202e"\\.other.test']],
    [
      "has 253 bytes that JSON escapes, with fifty beside it",
      Array.from({ length: 51 }, (_, place) => [`n${place}`, ...Array(3).fill("\u0001".repeat(63))].join(".")),
    ],
  ])("by a name that %s: setup shows it, and new zones are made beside it", async (_, names) => {
    const zone = await stage.active(await customer.zone());
    stage.world.delegate(zone.name, names);
    expect((await stage.check(zone)).body).toMatchObject({ status: "pending" });
    const { status, body } = await zone.ask("GET", "/setup");
    expect(status).toBe(200);
    expect(body.current_ns).toHaveLength(Math.min(names.length, 50));
    for (const name of body.current_ns) expect(name).toMatch(/^[a-z0-9?.[]+$/);
    const [mail] = await stage.dns.rows<{ data: { observed: string[] } }>(
      "select data from platform.mails where (data ->> 'zone_id')::int = $1",
      [zone.body.id],
    );
    expect(mail?.data.observed).toEqual(body.current_ns.slice(0, 10));
    await zone.ask("DELETE");
    expect(await customer.ask("POST", "/zones", { name: zone.name })).toMatchObject({ status: 201 });
  });

  test("not while two servers of the parent answer differently", async () => {
    const zone = await stage.active(await customer.zone());
    // Two of three are asked, and here any two differ.
    stage.world.referrals.set(zone.name, { "a.nic.test": ownNs(zone), "b.nic.test": FOREIGN, "c.nic.test": [] });
    stage.world.resolved.set(zone.name, FOREIGN);
    expect(await stage.status(zone)).toBe("active");
    stage.world.referrals.set(zone.name, FOREIGN);
    expect(await stage.status(zone)).toBe("pending");
  });

  test("by two servers that agree where a third is silent", async () => {
    const zone = await stage.active(await customer.zone());
    stage.world.referrals.set(zone.name, { "a.nic.test": FOREIGN, "b.nic.test": "fails", "c.nic.test": FOREIGN });
    stage.world.resolved.set(zone.name, "fails");
    expect(await stage.status(zone)).toBe("pending");
  });

  test("not by one server of the parent alone", async () => {
    const zone = await stage.active(await customer.zone());
    stage.world.referrals.set(zone.name, { "a.nic.test": FOREIGN, "b.nic.test": "fails", "c.nic.test": "fails" });
    stage.world.resolved.set(zone.name, "fails");
    expect(await stage.status(zone)).toBe("active");
  });
});

describe("pending → moved", () => {
  test("30 days after the loss, not a day before, and never without a loss", async () => {
    const [lost, never] = [await stage.active(await customer.zone()), await customer.zone()];
    stage.world.delegate(lost.name, FOREIGN);
    stage.world.delegate(never.name, FOREIGN);
    expect(await stage.status(lost)).toBe("pending");
    await stage.check(never);
    await stage.ageLoss(lost, "29 days 23 hours");
    await stage.age(never, "31 days");
    expect(await stage.status(lost)).toBe("pending");
    expect(await stage.status(never)).toBe("pending");
    await stage.ageLoss(lost, "1 hour");
    expect(await stage.status(lost)).toBe("moved");
    expect(await stage.status(lost)).toBe("moved");
    expect(await stage.told(lost)).toEqual({
      audit: ["zone.activated", "zone.delegation_lost", "zone.moved"],
      events: ["zone.activated", "zone.delegation_lost", "zone.moved"],
      mails: ["zone_delegation_lost"],
    });
  });

  test("not while nobody answers", async () => {
    const zone = await stage.active(await customer.zone());
    stage.world.delegate(zone.name, FOREIGN);
    await stage.check(zone);
    await stage.ageLoss(zone, "31 days");
    stage.world.referrals.set(zone.name, "silent");
    stage.world.resolved.set(zone.name, "fails");
    expect((await stage.checkByWorker(zone)).body.status).toBe("pending");
  });

  test("and moved → active when it is seen again; a later loss begins its 30 days anew", async () => {
    const zone = await stage.active(await customer.zone());
    stage.world.delegate(zone.name, FOREIGN);
    await stage.check(zone);
    await stage.ageLoss(zone, "31 days");
    expect(await stage.status(zone)).toBe("moved");
    await stage.active(zone);
    stage.world.delegate(zone.name, FOREIGN);
    expect(await stage.status(zone)).toBe("pending");
    expect(await stage.status(zone)).toBe("pending");
    expect((await stage.told(zone)).events).toEqual([
      "zone.activated",
      "zone.delegation_lost",
      "zone.moved",
      "zone.activated",
      "zone.delegation_lost",
    ]);
  });
});

test("a zone goes on being served when its delegation is lost, and its trail verifies", async () => {
  const own = await stage.dns.customer();
  const zone = await stage.active(await own.zone());
  stage.world.delegate(zone.name, FOREIGN);
  expect(await stage.status(zone)).toBe("pending");
  expect(await stage.dns.rows("select from pdns.domains where id = $1", [zone.body.id])).toHaveLength(1);
  const { faults } = await verifyAll(stage.dns.selo.operator, { organizationId: own.organization.id });
  expect(faults).toEqual([]);
});

test("the event says the zone and its new status", async () => {
  const zone = await stage.active(await customer.zone());
  const [event] = await stage.dns.rows<{ data: object }>(
    "select body::jsonb -> 'data' as data from webhooks.events where type = 'zone.activated' and (body::jsonb #>> '{data,zone_id}')::int = $1",
    [zone.body.id],
  );
  expect(event?.data).toEqual({ zone_id: zone.body.id, name: zone.name, status: "active" });
});
