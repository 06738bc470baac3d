// When delegations are checked, and what happens when several check at once: issue "DNS hosting II" §2.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startGatewayBeside } from "../../support/gateway.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { verifyAll } from "../../support/verify-all.ts";
import { DelegationStage, FOREIGN } from "./delegation-stage.ts";
import type { Customer, Zone } from "./dns-stage.ts";

let stage: DelegationStage;
let customer: Customer;
beforeAll(async () => {
  stage = await DelegationStage.open();
  customer = await stage.dns.customer({ plan: "business", email: "owner@example.com" });
});
afterAll(() => stage?.close());
beforeEach(() => {
  stage.world.questions.length = 0;
});

const post = (zone: Zone) => zone.ask("POST", "/check-delegation");
/** How often the resolver was asked about a zone. */
const checks = (zone: Zone) => stage.world.questions.filter((each) => each === `127.0.0.1 NS ${zone.name}`).length;
const due = async (zone: Zone) => {
  const [row] = await stage.dns.rows<{ due: boolean; seconds: number }>(
    "select due_at <= clock_timestamp() as due, extract(epoch from due_at - clock_timestamp())::float8 as seconds from dns.zones where id = $1",
    [zone.body.id],
  );
  return row ?? { due: false, seconds: 0 };
};

describe("POST …/check-delegation", () => {
  test("several at once share one check", async () => {
    const zone = await customer.zone();
    stage.world.questions.length = 0;
    stage.world.delegate(zone.name, zone.body.nameservers);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(zone)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.status}`))).toEqual(new Set(["200 active"]));
    expect(checks(zone)).toBe(1);
    expect(await stage.told(zone)).toEqual({ audit: ["zone.activated"], events: ["zone.activated"], mails: [] });
  });

  test("one within two seconds asks nobody, one after them does", async () => {
    const zone = await customer.zone();
    stage.world.questions.length = 0;
    const first = await post(zone);
    stage.world.delegate(zone.name, zone.body.nameservers);
    const second = await post(zone);
    expect(second.body).toEqual(first.body);
    expect(checks(zone)).toBe(1);
    await stage.age(zone, "1.9 seconds");
    await stage.age(zone, "0.2 seconds");
    const third = await post(zone);
    expect(third.body.status).toBe("active");
    expect(third.body.checked_at > first.body.checked_at).toBe(true);
    expect(checks(zone)).toBe(2);
  });

  test("is repeated for the same Idempotency-Key, and done in GraphQL", async () => {
    const zone = await customer.zone();
    const headers = { "idempotency-key": `check-${zone.name}` };
    const first = await zone.ask("POST", "/check-delegation", undefined, { headers });
    stage.world.delegate(zone.name, zone.body.nameservers);
    await stage.age(zone, "1 minute");
    expect((await zone.ask("POST", "/check-delegation", undefined, { headers })).body).toEqual(first.body);
    const { data } = await customer.graphql(
      `mutation { checkDnsDelegation(input: {zoneId: "${zone.body.id}"}) { zone { name status checkedAt } } }`,
    );
    expect(data).toEqual({
      checkDnsDelegation: { zone: { name: zone.name, status: "ACTIVE", checkedAt: expect.any(String) } },
    });
  });

  test("needs the scope zone:write, and a zone of the organization", async () => {
    const zone = await customer.zone();
    const ask = async (scopes: string[]) =>
      zone.ask("POST", "/check-delegation", undefined, { token: await customer.key(scopes) });
    expect((await ask(["zone:write"])).status).toBe(200);
    expectError(await ask(["zone:read", "record:write"]), 403, "missing_scope");
    const other = await stage.dns.customer();
    expectError(await other.ask("POST", `/zones/${zone.body.id}/check-delegation`), 404, "not_found");
  });

  test("of a zone that is deleted meanwhile is 404, and moves nothing", async () => {
    const zone = await stage.active(await customer.zone());
    stage.world.delegate(zone.name, FOREIGN);
    await stage.age(zone, "1 minute");
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    stage.world.servers.set("127.0.0.1", async (question) => {
      asked.resolve();
      await held.promise;
      return stage.world.honest("127.0.0.1", question);
    });
    const checking = post(zone);
    await asked.promise;
    expect((await zone.ask("DELETE")).status).toBe(204);
    held.resolve();
    expectError(await checking, 404, "not_found");
    stage.world.servers.clear();
    expect(await stage.told(zone)).toEqual({
      audit: ["zone.activated", "zone.deleted"],
      events: ["zone.activated", "zone.deleted"],
      mails: [],
    });
  });
});

describe("two checks at once", () => {
  test("of a request, another gateway and the worker make one move and one mail", async () => {
    const other = await startGatewayBeside(stage.dns.selo, stage.world.environment);
    for (let round = 0; round < 5; round++) {
      const zone = await stage.active(await customer.zone());
      stage.world.delegate(zone.name, FOREIGN);
      await stage.age(zone, "10 minutes");
      const path = `/orgs/${customer.organization.number}/zones/${zone.body.id}/check-delegation`;
      const [one, two] = await Promise.all([
        post(zone),
        call({ ...stage.dns.selo, baseUrl: other.baseUrl }, "POST", path, { prefix: "/v1", token: customer.token }),
        stage.work(),
      ]);
      expect([one, two].map(({ status, body }) => `${status} ${body.status}`)).toEqual(["200 pending", "200 pending"]);
      expect(await stage.told(zone)).toEqual({
        audit: ["zone.activated", "zone.delegation_lost"],
        events: ["zone.activated", "zone.delegation_lost"],
        mails: ["zone_delegation_lost"],
      });
    }
    await other.stop();
  });

  test("the one that began before the other ended is dropped: it may have seen an older state", async () => {
    const zone = await stage.active(await customer.zone());
    await stage.age(zone, "10 minutes");
    // The worker has its answers, that the delegation is there, and is slow to record them.
    const [claimed] = await stage.dns.rows<{ began: string }>("select clock_timestamp()::text as began");
    const answers = { resolver_ns: zone.body.nameservers, parent_ns: zone.body.nameservers, is_changing: false };
    stage.world.delegate(zone.name, FOREIGN);
    expect((await post(zone)).body.status).toBe("pending");
    await stage.dns.rows("select jobs.call($1, 'live', 'record_delegation_check', $2)", [
      customer.organization.id,
      { id: zone.body.id, began: claimed?.began, answers },
    ]);
    expect((await zone.ask("GET")).body.status).toBe("pending");
    expect((await stage.told(zone)).mails).toEqual(["zone_delegation_lost"]);
  });

  test("a zone that becomes active and one that is made below it: either the service refuses, or it ends", async () => {
    const other = await stage.dns.customer({ plan: "business" });
    for (let round = 0; round < 5; round++) {
      const upper = await customer.zone();
      const name = `shop.${upper.name}`;
      const { body } = await other.ask("POST", "/zones", { name });
      stage.world.texts.set(`_selo-challenge.${name}`, [/"(selo-organization=\w+)"/.exec(body.detail)?.[1] ?? ""]);
      stage.world.delegate(upper.name, upper.body.nameservers);
      const [checked, made] = await Promise.all([post(upper), other.ask("POST", "/zones", { name })]);
      expect(checked.body.status).toBe("active");
      expect([201, 403]).toContain(made.status);
      expect(await stage.dns.rows("select from pdns.domains where name = $1", [name])).toEqual([]);
    }
    const { faults } = await verifyAll(stage.dns.selo.operator, { organizationId: other.organization.id });
    expect(faults).toEqual([]);
  });
});

describe("the worker's job", () => {
  test("checks what is due, once, and nothing else", async () => {
    const [now, later] = [await customer.zone(), await customer.zone()];
    await stage.work();
    stage.world.questions.length = 0;
    await stage.dns.rows("update dns.zones set due_at = clock_timestamp() - interval '1 second' where id = $1", [
      now.body.id,
    ]);
    await stage.work();
    expect([checks(now), checks(later)]).toEqual([1, 0]);
    await stage.work();
    expect(checks(now)).toBe(1);
  });

  test("comes again within five minutes, at its own turn for each zone", async () => {
    const zones = await Promise.all(Array.from({ length: 12 }, () => customer.zone()));
    await stage.work();
    const seconds = await Promise.all(zones.map(async (zone) => (await due(zone)).seconds));
    for (const each of seconds) {
      expect(each).toBeGreaterThan(-1);
      expect(each).toBeLessThanOrEqual(300);
    }
    // Spread: no minute has them all.
    expect(new Set(seconds.map((each) => Math.floor(each / 60))).size).toBeGreaterThan(2);
    const [turn] = await stage.dns.rows<{ turns: string }>(
      "select count(distinct floor(extract(epoch from dns.next_check(id, now())) / 10)) as turns from generate_series(1, 3000) as id",
    );
    expect(Number(turn?.turns)).toBeGreaterThanOrEqual(30);
  });

  test("leaves out a zone that another worker has claimed, and takes it over after a minute", async () => {
    const zone = await customer.zone();
    await stage.work();
    stage.world.questions.length = 0;
    const makeDue = () =>
      stage.dns.rows("update dns.zones set due_at = clock_timestamp() - interval '1 second' where id = $1", [
        zone.body.id,
      ]);
    await makeDue();
    // A worker that is killed after its claim.
    expect(await stage.dns.rows("select from jobs.claim_delegation_checks(50)")).toHaveLength(1);
    await stage.work();
    expect(checks(zone)).toBe(0);
    const { seconds } = await due(zone);
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThanOrEqual(60);
    await makeDue();
    await stage.work();
    expect(checks(zone)).toBe(1);
  });

  test("does not wait for a zone that is being changed", async () => {
    const zone = await customer.zone();
    await stage.work();
    await stage.dns.rows("update dns.zones set due_at = clock_timestamp() - interval '1 second' where id = $1", [
      zone.body.id,
    ]);
    stage.world.questions.length = 0;
    const client = await stage.dns.selo.database.admin.connect();
    await client.query("begin");
    await client.query("select from dns.zones where id = $1 for update", [zone.body.id]);
    await stage.work();
    expect(checks(zone)).toBe(0);
    await client.query("rollback");
    client.release();
    await stage.work();
    expect(checks(zone)).toBe(1);
  });

  test("with everybody dead for an hour moves no zone, tells nobody, and only the times of checks change; then checks go on in time", async () => {
    const [active, lost, expiring] = [
      await stage.active(await customer.zone()),
      await stage.active(await customer.zone()),
      await stage.active(await customer.zone()),
    ];
    const zones = [active, lost, expiring];
    for (const zone of [lost, expiring]) {
      stage.world.delegate(zone.name, FOREIGN);
      expect(await stage.status(zone)).toBe("pending");
    }
    // Its thirty days end within the hour.
    await stage.ageLoss(expiring, "29 days 23 hours 30 minutes");
    // Nobody would say the same if they were asked.
    stage.world.delegate(active.name, FOREIGN);
    stage.world.delegate(lost.name, lost.body.nameservers);
    const ids = zones.map(({ body }) => body.id);
    /** All of the zones but the times of checks, and everything that is told. */
    const state = async () => ({
      rows: await stage.dns.rows(
        "select to_jsonb(zone) - '{checked_at,due_at,lost_at}'::text[] as row from dns.zones as zone where id = any ($1) order by id",
        [ids],
      ),
      told: await Promise.all(zones.map((zone) => stage.told(zone))),
      counts: await stage.dns.rows(
        "select (select count(*) from platform.audit_events) as audit, (select count(*) from webhooks.events) as events, (select count(*) from platform.mails) as mails",
      ),
    });
    const checked = async () =>
      (
        await stage.dns.rows<{ at: Date }>("select checked_at as at from dns.zones where id = any ($1) order by id", [
          ids,
        ])
      ).map(({ at }) => at.getTime());
    const before = await state();
    stage.world.isDead = true;
    stage.world.questions.length = 0;
    for (let round = 0; round < 12; round++) {
      for (const zone of zones) await stage.age(zone, "5 minutes");
      await stage.ageLoss(lost, "5 minutes");
      await stage.ageLoss(expiring, "5 minutes");
      const earlier = await checked();
      await stage.work();
      const later = await checked();
      for (const [place, at] of later.entries()) expect(at).toBeGreaterThan(earlier[place] ?? at);
      for (const zone of zones) expect((await due(zone)).seconds).toBeLessThanOrEqual(300);
    }
    // Each check asked, and was not answered.
    for (const zone of zones) expect(checks(zone)).toBeGreaterThanOrEqual(12);
    expect(await state()).toEqual(before);

    stage.world.isDead = false;
    // Before its turn nothing is asked; a turn may be near.
    for (const zone of zones) await stage.age(zone, "-10 seconds");
    stage.world.questions.length = 0;
    await stage.work();
    expect(zones.map(checks)).toEqual([0, 0, 0]);
    for (const zone of zones) await stage.age(zone, "5 minutes 10 seconds");
    await stage.work();
    expect(await Promise.all(zones.map(async (zone) => (await zone.ask("GET")).body.status))).toEqual([
      "pending",
      "active",
      "moved",
    ]);
    expect(await stage.told(active)).toMatchObject({
      events: ["zone.activated", "zone.delegation_lost"],
      mails: ["zone_delegation_lost"],
    });
    expect((await stage.told(lost)).events).toEqual(["zone.activated", "zone.delegation_lost", "zone.activated"]);
    expect((await stage.told(expiring)).events).toEqual(["zone.activated", "zone.delegation_lost", "zone.moved"]);
  });
});
