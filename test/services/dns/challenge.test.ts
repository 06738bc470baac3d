// A domain whose name another organization has: the public DNS says whose it is. Issue "DNS hosting II" §2, against squatting.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { DelegationStage, FOREIGN } from "./delegation-stage.ts";
import type { Customer, Zone } from "./dns-stage.ts";
import { enable } from "./dnssec-stage.ts";

let stage: DelegationStage;
let holder: Customer;
let owner: Customer;
beforeAll(async () => {
  stage = await DelegationStage.open();
  holder = await stage.dns.customer({ plan: "business", email: "first@example.com" });
  owner = await stage.dns.customer({ plan: "business", email: "owner@example.com" });
});
afterAll(() => stage?.close());

const create = (customer: Customer, name: string) => customer.ask("POST", "/zones", { name });
/** The record that a refusal names. */
const named = (detail: string) => /TXT record (\S+) with the content "([^"]+)"/.exec(detail)?.slice(1) ?? [];

/** Publishes the record that the refusal of a name asks for. */
async function publish(customer: Customer, name: string): Promise<void> {
  const [record = "", content = ""] = named((await create(customer, name)).body.detail);
  expect(record).toBe(`_selo-challenge.${name}`);
  stage.world.texts.set(record, ["v=spf1 -all", content]);
}

const served = async (zone: Zone) =>
  (await stage.dns.rows("select from pdns.domains where id = $1", [zone.body.id])).length === 1;

describe("409 zone_exists", () => {
  test("names a TXT record of the asking organization", async () => {
    const zone = await holder.zone();
    const answer = await create(owner, zone.name);
    expectError(answer, 409, "zone_exists");
    const [record, content] = named(answer.body.detail);
    expect(record).toBe(`_selo-challenge.${zone.name}`);
    expect(content).toMatch(/^selo-organization=[0-9a-f]{32}$/);
    const third = await stage.dns.customer();
    expect(named((await create(third, zone.name)).body.detail)[1]).not.toBe(content);
    // And of the name.
    const other = await holder.zone();
    expect(named((await create(owner, other.name)).body.detail)[1]).not.toBe(content);
    // The same each time.
    expect(named((await create(owner, zone.name)).body.detail)).toEqual([record, content]);
  });

  test("of one's own zone names none", async () => {
    const zone = await holder.zone();
    const answer = await create(holder, zone.name);
    expectError(answer, 409, "zone_exists");
    expect(answer.body.detail).toBe("Your organization already has this zone.");
  });

  test.each([
    ["is missing", null],
    ["has another content", ["selo-organization=00000000000000000000000000000000"]],
  ])("stays where the record %s", async (_, texts) => {
    const zone = await holder.zone();
    if (texts !== null) stage.world.texts.set(`_selo-challenge.${zone.name}`, texts);
    expectError(await create(owner, zone.name), 409, "zone_exists");
    expect((await zone.ask("GET")).status).toBe(200);
  });

  test("stays where the record names another organization", async () => {
    const zone = await holder.zone();
    await publish(await stage.dns.customer(), zone.name);
    expectError(await create(owner, zone.name), 409, "zone_exists");
  });

  test("stays where the record is that of a CNAME record's target", async () => {
    const zone = await holder.zone();
    const [record = "", content = ""] = named((await create(owner, zone.name)).body.detail);
    stage.world.servers.set("127.0.0.1", (asked) =>
      asked.type === "TXT"
        ? {
            answers: [
              { name: record, type: "CNAME", data: "wild.test" },
              { name: "wild.test", type: "TXT", data: content },
            ],
          }
        : stage.world.honest("127.0.0.1", asked),
    );
    expectError(await create(owner, zone.name), 409, "zone_exists");
    stage.world.servers.clear();
  });

  test("stays while the zone is active", async () => {
    const zone = await stage.active(await holder.zone());
    await publish(owner, zone.name);
    const answer = await create(owner, zone.name);
    expectError(answer, 409, "zone_exists");
    expect(answer.body.detail).toContain("the public DNS delegates it to that zone");
    expect(await served(zone)).toBe(true);
  });
});

describe("with the record in the public DNS, a repeated request", () => {
  test.each(["pending", "lost", "moved"])("takes the name of a zone that is %s", async (state) => {
    const zone = await holder.zone();
    await zone.add({ name: "www", type: "A", content: "192.0.2.1", comment: "kept" });
    if (state !== "pending") {
      await stage.active(zone);
      stage.world.delegate(zone.name, FOREIGN);
      await stage.check(zone);
    }
    if (state === "moved") {
      await stage.ageLoss(zone, "31 days");
      expect(await stage.status(zone)).toBe("moved");
    }
    await publish(owner, zone.name);
    const before = await owner.usage();
    const { status, body } = await create(owner, zone.name);
    expect({ status, body }).toMatchObject({ status: 201, body: { name: zone.name, status: "pending" } });
    expect(body.nameservers).not.toEqual(zone.body.nameservers);
    expect((await owner.usage()).counted).toEqual([(before.counted[0] ?? 0) + 1, before.counted[1]]);
    for (const customer of [holder, owner]) {
      const { counted, real } = await customer.usage();
      expect(counted).toEqual(real);
    }
    // The earlier holder is told, and keeps the records.
    expect((await zone.ask("GET")).status).toBe(404);
    const { mails, events } = await stage.told(zone);
    expect(mails.at(-1)).toBe("zone_taken");
    expect(events.at(-1)).toBe("zone.deleted");
    const file = await zone.ask("GET", "/export");
    expect(file.status).toBe(200);
    expect(file.text).toContain("www 3600 IN A 192.0.2.1");
    expect(file.text).toContain("kept");
    expect((await owner.ask("GET", `/zones/${zone.body.id}/export`)).status).toBe(404);
    // It is still the organization of the key afterwards.
    expect((await owner.ask("GET", `/zones/${body.id}`)).status).toBe(200);
  });

  test("keeps the export for 30 days, while a zone that its owner deleted has none", async () => {
    const [taken, deleted] = [await holder.zone(), await holder.zone()];
    await publish(owner, taken.name);
    await create(owner, taken.name);
    await deleted.ask("DELETE");
    expect((await deleted.ask("GET", "/export")).status).toBe(404);
    const age = (interval: string) =>
      stage.dns.rows("update dns.deleted_zones set deleted_at = now() - $2::interval where zone_id = $1", [
        taken.body.id,
        interval,
      ]);
    const sweep = () => stage.dns.rows("select jobs.delete_old_zones(1000)");
    await age("29 days 23 hours");
    await sweep();
    expect((await taken.ask("GET", "/export")).status).toBe(200);
    await age("30 days 1 minute");
    await sweep();
    expect((await taken.ask("GET", "/export")).status).toBe(404);
  });

  test("takes the names below it from zones that are not active, and leaves those that are", async () => {
    const name = stage.dns.newName();
    const [pending, active] = [await holder.zone(`a.${name}`), await stage.active(await holder.zone(`b.${name}`))];
    const own = await owner.zone(`c.${name}`);
    const refused = await create(owner, name);
    expectError(refused, 403, "zone_not_allowed");
    await publish(owner, name);
    expect((await create(owner, name)).status).toBe(201);
    expect((await pending.ask("GET")).status).toBe(404);
    expect((await active.ask("GET")).body.status).toBe("active");
    expect((await own.ask("GET")).status).toBe(200);
    expect(await served(active)).toBe(true);
  });

  test("makes a zone below one that is not active, and takes nothing from it", async () => {
    const upper = await holder.zone();
    await publish(owner, `shop.${upper.name}`);
    expect((await create(owner, `shop.${upper.name}`)).status).toBe(201);
    expect((await upper.ask("GET")).status).toBe(200);
  });

  test("is refused below an active zone, which alone delegates", async () => {
    const upper = await stage.active(await holder.zone());
    const answer = await create(owner, `shop.${upper.name}`);
    expectError(answer, 403, "zone_not_allowed");
    expect(named(answer.body.detail)).toEqual([]);
  });

  test("is not asked for where no zone of others is in the way", async () => {
    const name = stage.dns.newName();
    await owner.zone(name);
    expect(stage.world.asked(`TXT _selo-challenge.${name}`)).toBe(0);
  });
});

describe("an active zone without NS records for a lower zone of others ends that one's service", () => {
  async function both(): Promise<{ readonly upper: Zone; readonly lower: Zone }> {
    const upper = await holder.zone();
    const name = `shop.${upper.name}`;
    await publish(owner, name);
    const lower = await owner.zone(name);
    await lower.add({ name: "@", type: "A", content: "192.0.2.7" });
    return { upper, lower };
  }

  test("when it becomes active; and begins it again when it delegates, or is active no more, or is gone", async () => {
    const { upper, lower } = await both();
    expect(await served(lower)).toBe(true);
    await stage.active(upper);
    expect(await served(lower)).toBe(false);
    const { id } = await upper.add({ name: "shop", type: "NS", content: "ns1.selo.test" });
    expect(await served(lower)).toBe(true);
    await upper.ask("DELETE", `/records/${id}`);
    expect(await served(lower)).toBe(false);
    // What is written meanwhile is kept, and not served.
    await lower.add({ name: "new", type: "A", content: "192.0.2.8" });
    expect(await served(lower)).toBe(false);
    stage.world.delegate(upper.name, FOREIGN);
    expect(await stage.status(upper)).toBe("pending");
    expect(await served(lower)).toBe(true);
    expect(
      await stage.dns.rows("select from pdns.records where domain_id = $1 and type = 'A'", [lower.body.id]),
    ).toHaveLength(2);
    await stage.active(upper);
    expect(await served(lower)).toBe(false);
    await upper.ask("DELETE");
    expect(await served(lower)).toBe(true);
    expect((await stage.told(lower)).audit.filter((action) => !action.includes("records"))).toEqual([
      "zone.cut_off",
      "zone.served_again",
      "zone.cut_off",
      "zone.served_again",
      "zone.cut_off",
      "zone.served_again",
    ]);
  });

  test("a signed zone keeps its keys meanwhile, and is signed with them when it is served again", async () => {
    const { upper, lower } = await both();
    const { keys } = await enable(lower);
    const keysServed = () => stage.dns.rows("select id from pdns.cryptokeys where domain_id = $1", [lower.body.id]);
    const own = keys.map(({ key_id }) => ({ id: key_id }));
    await stage.active(upper);
    expect([await served(lower), await keysServed()]).toEqual([false, own]);
    await stage.dns.rows("select dns.rebuild_served()");
    expect(await keysServed()).toEqual(own);
    await upper.add({ name: "shop", type: "NS", content: "ns1.selo.test" });
    expect([await served(lower), await keysServed()]).toEqual([true, own]);
    const { faults } = await verifyAll(stage.dns.selo.operator, { organizationId: owner.organization.id });
    expect(faults.filter(({ subject_type }) => subject_type === "zone")).toEqual([]);
  });

  test("and a rebuild and the audit agree", async () => {
    const { upper, lower } = await both();
    await stage.active(upper);
    const faults = async () =>
      (await verifyAll(stage.dns.selo.operator, { organizationId: owner.organization.id })).faults.filter(
        ({ subject_type }) => subject_type === "zone",
      );
    expect(await faults()).toEqual([]);
    await stage.dns.rows("select dns.rebuild_served()");
    expect(await served(lower)).toBe(false);
    expect(await faults()).toEqual([]);
    await stage.dns.rows("insert into pdns.domains (id, name, type) values ($1, $2, 'NATIVE')", [
      lower.body.id,
      lower.name,
    ]);
    expect(await faults()).toMatchObject([{ check_name: "served" }]);
    await stage.dns.rows("delete from pdns.domains where id = $1", [lower.body.id]);
  });

  test("with NS records for it, its service goes on", async () => {
    const { upper, lower } = await both();
    await upper.add({ name: "shop", type: "NS", content: "ns1.selo.test" });
    await stage.active(upper);
    expect(await served(lower)).toBe(true);
  });
});

describe("the two nameservers of a new zone", () => {
  test("are not those that the public DNS shows: a delegation that was left behind makes no zone active", async () => {
    for (const left of [["ns1.selo.test", "ns2.selo.test"], ["ns3.selo.test"], ["ns4.selo.test", FOREIGN[0]]]) {
      const name = stage.dns.newName();
      stage.world.delegate(name, left);
      const zone = await owner.zone(name);
      const own = left.filter((each) => each.endsWith("selo.test"));
      expect(own.every((each) => zone.body.nameservers?.includes(each))).toBe(false);
      stage.world.delegate(name, own);
      expect(await stage.status(zone)).toBe("pending");
    }
  });

  test("are the same again for those who delegated to them themselves, a short time after they deleted the zone", async () => {
    const zone = await stage.active(await owner.zone());
    await zone.ask("DELETE");
    const again = await owner.zone(zone.name);
    expect(again.body.nameservers).toEqual(zone.body.nameservers);
    expect(await stage.status(again)).toBe("active");
    await again.ask("DELETE");
    await stage.dns.rows("update dns.released_names set released_at = now() - interval '31 days' where name = $1", [
      zone.name,
    ]);
    expect((await owner.zone(zone.name)).body.nameservers).not.toEqual(zone.body.nameservers);
  });

  test("make no zone active that was made while the public DNS was silent, before they were seen elsewhere", async () => {
    const name = stage.dns.newName();
    for (const known of [stage.world.resolved, stage.world.referrals]) known.set(name, "fails");
    const zone = await owner.zone(name);
    stage.world.delegate(name, zone.body.nameservers);
    expect(await stage.status(zone)).toBe("pending");
    const { body } = await zone.ask("GET", "/setup");
    expect(body).toMatchObject({ delegated: true });
    expect(body.instructions.at(-1).text).toContain("the public DNS did not answer when the zone was created");
    stage.world.delegate(name, null);
    expect(await stage.status(zone)).toBe("pending");
    await stage.active(zone);
  });
});

test("409 zone_exists where the service has no two others than those that are shown", async () => {
  const two = await DelegationStage.open(["ns1.selo.test", "ns2.selo.test"]);
  const customer = await two.dns.customer();
  two.world.delegate("left.test", ["ns1.selo.test", "ns2.selo.test"]);
  const answer = await create(customer, "left.test");
  expectError(answer, 409, "zone_exists");
  expect(answer.body.detail).toContain(
    "The public DNS already delegates the domain to the nameservers that it would get here.",
  );
  two.world.delegate("left.test", FOREIGN);
  expect((await create(customer, "left.test")).status).toBe(201);
  await two.close();
});
