// Requests at the same moment: issue "DNS hosting I" §7.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { type Customer, DnsStage } from "./dns-stage.ts";

const A = { type: "A", content: "192.0.2.1" };
const CNAME = { type: "CNAME", content: "www.example.com" };

let stage: DnsStage;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  [one, other] = [await stage.customer({ plan: "business" }), await stage.customer({ plan: "business" })];
});
afterAll(() => stage?.close());

/** The statuses and codes of answers, sorted. */
const outcomes = (answers: readonly { status: number; body: { code?: string } | undefined }[]) =>
  answers.map(({ status, body }) => `${status} ${body?.code ?? ""}`.trim()).toSorted();

const TWENTY = Array.from({ length: 20 }, (_, place) => place);
/** Requests at the same moment meet in another order each time. */
const TRIES = TWENTY.slice(0, byLane({ lane: 4, full: 20 }));

describe("two organizations at once", () => {
  test.each(TRIES)("of the same name, one gets it: %i", async () => {
    const name = stage.newName();
    const asked = [one, other].map((customer) => customer.ask("POST", "/zones", { name }));
    expect(outcomes(await Promise.all(asked))).toEqual(["201", "409 zone_exists"]);
    const rows = await stage.rows("select tenant_id from platform.zone_names where name = $1", [name]);
    expect(rows).toEqual(await stage.rows("select tenant_id from dns.zones where name = $1", [name]));
    expect(rows).toHaveLength(1);
  });

  test.each(TRIES)("of a name and one below it, one gets its name: %i", async (turn) => {
    const name = stage.newName();
    const names = [name, `b.a.${name}`];
    if (turn % 2 === 1) names.reverse();
    const asked = names.map((each, place) => [one, other][place]?.ask("POST", "/zones", { name: each }));
    const answers = (await Promise.all(asked)).filter((answer) => answer !== undefined);
    expect(outcomes(answers)).toEqual(["201", "403 zone_not_allowed"]);
  });
});

test.each([
  ["three labels and four", "b", "b.a"],
  ["three labels and five", "b", "d.c.b"],
  ["four labels and five", "b.a", "c.b.a"],
])("of a name and one below it, one waits for the other: %s", async (_, upper, lower) => {
  const root = stage.newName();
  for (const [first, second] of [
    [`${upper}.${root}`, `${lower}.${upper}.${root}`],
    [`${lower}.x${upper}.${root}`, `x${upper}.${root}`],
  ] as const) {
    const asked = [first, second].map((name, place) => [one, other][place]?.ask("POST", "/zones", { name }));
    const answers = (await Promise.all(asked)).filter((answer) => answer !== undefined);
    expect(outcomes(answers)).toEqual(["201", "403 zone_not_allowed"]);
  }
});

test("names below a suffix do not wait for each other, whatever holds up one of them", async () => {
  const suffix = stage.newName();
  const slow = await one.zone(`slow.${suffix}`);
  const client = new pg.Client({ connectionString: stage.selo.database.adminUrl });
  await client.connect();
  try {
    // As a large import does.
    await client.query("begin");
    await client.query("select from dns.zones where id = $1 for update", [slow.body.id]);
    const held = other.ask("POST", "/zones", { name: `below.${slow.name}` });
    await expect.poll(() => waiting()).toBe(1);
    await other.zone(`quick.${suffix}`);
    expect(await waiting()).toBe(1);
    await client.query("rollback");
    expect(outcomes([await held])).toEqual(["403 zone_not_allowed"]);
  } finally {
    await client.end();
  }
});

/** How many statements wait for a lock. */
const waiting = async () =>
  (
    await stage.rows(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'",
    )
  ).length;

test.each(TRIES)("of CNAME and A at a name at once, one is kept: %i", async () => {
  const zone = await one.zone();
  const answers = await Promise.all([CNAME, A].map((record) => zone.post({ name: "www", ...record })));
  expect(outcomes(answers)).toEqual(["201", "422 record_conflict"]);
  expect(await zone.records()).toHaveLength(1);
});

test("of 40 writers at 495 of 500 records, in two zones, five succeed", async () => {
  const customer = await stage.customer({ plan: "free" });
  const zones = [await customer.zone(), await customer.zone()];
  const [first] = zones;
  const records = Array.from({ length: 495 }, (_, place) => ({ content: `10.0.${place >> 8}.${place & 255}` }));
  expect((await first?.put([{ name: "many", type: "A", records }]))?.status).toBe(200);
  const serials = await Promise.all(zones.map((zone) => zone.serial()));
  const writers = Array.from({ length: 40 }, (_, place) => zones[place % 2]?.post({ name: `w${place}`, ...A }));
  const answers = (await Promise.all(writers)).filter((answer) => answer !== undefined);
  expect(outcomes(answers)).toEqual([...Array(5).fill("201"), ...Array(35).fill("422 record_limit_reached")]);
  expect(await customer.usage()).toEqual({ counted: [2, 500], real: [2, 500] });
  const after = await Promise.all(zones.map((zone) => zone.serial()));
  expect(after.reduce((sum, serial) => sum + serial, 0)).toBe(serials.reduce((sum, serial) => sum + serial, 0) + 5);
});

test("of 20 zones at once at 49 of 50, one succeeds", async () => {
  const customer = await stage.customer({ plan: "free" });
  for (let count = 0; count < 49; count++) await customer.zone();
  const asked = Array.from({ length: 20 }, () => customer.ask("POST", "/zones", { name: stage.newName() }));
  expect(outcomes(await Promise.all(asked))).toEqual(["201", ...Array(19).fill("403 zone_limit_reached")]);
  expect(await customer.usage()).toEqual({ counted: [50, 0], real: [50, 0] });
});

test.each(TRIES.slice(0, 5))(
  "a zone is deleted while records are added: nothing is left, counts are right: %i",
  async () => {
    const customer = await stage.customer();
    const [zone, stays] = [await customer.zone(), await customer.zone()];
    const adding = Array.from({ length: 12 }, (_, place) =>
      (place % 3 === 0 ? stays : zone).post({ name: `w${place}`, ...A }),
    );
    const [deleted, ...added] = await Promise.all([zone.ask("DELETE"), ...adding]);
    expect(deleted?.status).toBe(204);
    for (const { status } of added) expect([201, 404]).toContain(status);
    expect(await customer.usage()).toEqual({ counted: [1, 4], real: [1, 4] });
    expect(await stays.records()).toHaveLength(4);
    const left = await stage.rows(
      "select 1 from dns.records where zone_id = $1 union all select 1 from dns.changes where zone_id = $1",
      [zone.body.id],
    );
    expect(left).toEqual([]);
  },
);

test("20 changes at once each get their own serial", async () => {
  const zone = await one.zone();
  const serial = await zone.serial();
  const answers = await Promise.all(TWENTY.map((place) => zone.post({ name: `w${place}`, ...A })));
  expect(outcomes(answers)).toEqual(Array(20).fill("201"));
  const serials = (await zone.changes()).map((change) => change.serial);
  expect(serials).toEqual(TWENTY.map((place) => serial + 20 - place));
});

test("records are added while the set is replaced: the set has one TTL in the end", async () => {
  for (let turn = 0; turn < byLane({ lane: 3, full: 10 }); turn++) {
    const zone = await one.zone();
    await Promise.all([
      zone.put([{ name: "www", type: "A", ttl: 300, records: [{ content: "192.0.2.1" }] }]),
      zone.post({ name: "www", type: "A", content: "192.0.2.2", ttl: 600 }),
      zone.post({ name: "www", type: "A", content: "192.0.2.3", ttl: 900 }),
    ]);
    expect(new Set((await zone.records()).map(({ ttl }) => ttl)).size).toBe(1);
  }
});
