// What the nameservers serve follows from zones and records: issue "DNS hosting I" §5. After every change of single names it is what a rebuild makes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { change, randomSteps } from "./random-records.ts";
import { type Draft, publish, ServedStage } from "./served-stage.ts";

const STEPS = byLane({ lane: 200, full: 2_000 });

let stage: ServedStage;
beforeAll(async () => {
  stage = await ServedStage.open();
});
afterAll(() => stage?.close());

const a = (name: string, content = "192.0.2.1"): Draft => ({ name, type: "A", content });
const ns = (name: string, content = "ns.elsewhere.test"): Draft => ({ name, type: "NS", content });
const txt = (name: string, content = "x"): Draft => ({ name, type: "TXT", content });

describe("a name", () => {
  const cases: readonly (readonly [string, readonly Draft[], readonly string[]])[] = [
    [
      "with records is served with them",
      [a("www"), a("www", "192.0.2.2")],
      ["www A 192.0.2.1 300 auth", "www A 192.0.2.2 300 auth"],
    ],
    ["that is the apex is served beside SOA and NS", [a("")], ["@ A 192.0.2.1 300 auth"]],
    [
      "with a priority has it in prio",
      [{ ...a("", "mx.example.net"), type: "MX", priority: 10 }],
      ["@ MX 10 mx.example.net 300 auth"],
    ],
    ["that takes no mail keeps the dot", [{ ...a("", "."), type: "MX", priority: 0 }], ["@ MX 0 . 300 auth"]],
    ["with a disabled record is not served", [{ ...a("www"), disabled: true }], []],
    ["with an ALIAS alone is not served", [{ ...a("www", "a.example.net"), type: "ALIAS" }], []],
    [
      "deep below leaves names without records between",
      [a("a.b.c")],
      ["a.b.c A 192.0.2.1 300 auth", "b.c ENT auth", "c ENT auth"],
    ],
    ["deep below and disabled leaves none", [{ ...a("a.b.c"), disabled: true }], []],
    ["deep below with an ALIAS alone leaves none", [{ ...a("a.b.c", "a.example.net"), type: "ALIAS" }], []],
    ["that is a wildcard has a name above", [a("*.w")], ["*.w A 192.0.2.1 300 auth", "w ENT auth"]],
    [
      "that ends like another is not below it",
      [a("ab.c"), a("b.c")],
      ["ab.c A 192.0.2.1 300 auth", "b.c A 192.0.2.1 300 auth", "c ENT auth"],
    ],
    ["with a delegation is not the zone's", [ns("sub")], ["sub NS ns.elsewhere.test 300 not auth"]],
    [
      "below a delegation is served if it is an address",
      [ns("sub", "ns.sub.example"), a("ns.sub"), txt("t.sub")],
      ["ns.sub A 192.0.2.1 300 not auth", "sub NS ns.sub.example 300 not auth"],
    ],
    [
      "at a delegation is served if it is an address",
      [ns("sub"), a("sub"), txt("sub")],
      ["sub A 192.0.2.1 300 not auth", "sub NS ns.elsewhere.test 300 not auth"],
    ],
    [
      "that only leads to a delegation is not the zone's",
      [ns("sub.b")],
      ["b ENT not auth", "sub.b NS ns.elsewhere.test 300 not auth"],
    ],
    [
      "that leads to a delegation and elsewhere is the zone's",
      [ns("sub.b"), a("www.b")],
      ["b ENT auth", "sub.b NS ns.elsewhere.test 300 not auth", "www.b A 192.0.2.1 300 auth"],
    ],
    [
      "between a delegation and an address is empty",
      [ns("sub"), a("a.b.sub")],
      ["a.b.sub A 192.0.2.1 300 not auth", "b.sub ENT not auth", "sub NS ns.elsewhere.test 300 not auth"],
    ],
    [
      "with a delegation below a delegation is not served",
      [ns("sub"), ns("x.sub"), a("a.x.sub")],
      ["a.x.sub A 192.0.2.1 300 not auth", "sub NS ns.elsewhere.test 300 not auth", "x.sub ENT not auth"],
    ],
    [
      "with a disabled delegation is the zone's",
      [{ ...ns("sub"), disabled: true }, txt("t.sub")],
      ["sub ENT auth", 't.sub TXT "x" 300 auth'],
    ],
  ];

  test.each(cases)("%s", async (_, drafts, expected) => {
    const zone = await stage.newZone();
    const before = await stage.served(zone);
    await stage.add(zone, drafts);
    expect(await stage.short(zone)).toEqual([...expected].sort());
    expect(await stage.served(zone)).toEqual(await stage.rebuilt(zone));
    // One by one, in both directions, and back to the empty zone.
    const other = await stage.newZone();
    for (const draft of drafts) await stage.add(other, [draft]);
    expect(await stage.short(other)).toEqual([...expected].sort());
    for (const { name, type } of drafts) {
      await stage.remove(other, name, type);
      expect(await stage.served(other)).toEqual(await stage.rebuilt(other));
    }
    expect((await stage.served(other)).length).toBe(before.length);
  });
});

describe("a zone", () => {
  const apex = async (zone: { readonly id: number; readonly name: string }) =>
    (
      await stage.database.admin.query<{ row: string }>(
        "select concat_ws(' ', type, content, ttl) as row from pdns.records where domain_id = $1 and name = $2 and auth order by type desc, content",
        [zone.id, zone.name],
      )
    ).rows.map(({ row }) => row);

  test("has SOA and NS records from its nameservers, and its serial after each change", async () => {
    const zone = await stage.newZone();
    const others = ["NS ns1.selo.test 3600", "NS ns2.selo.test 3600"];
    expect(await apex(zone)).toEqual([
      "SOA ns1.selo.test hostmaster.selo.test 1 10800 3600 604800 3600 3600",
      ...others,
    ]);
    await stage.add(zone, [a("www")]);
    expect(await apex(zone)).toEqual([
      "SOA ns1.selo.test hostmaster.selo.test 2 10800 3600 604800 3600 3600",
      ...others,
    ]);
  });

  test("without assigned nameservers names itself, and has no NS record", async () => {
    const zone = await stage.newZone("alone.example", null);
    const soa = "SOA alone.example hostmaster.alone.example 1 10800 3600 604800 3600 3600";
    expect(await apex(zone)).toEqual([soa]);
  });

  test("is a domain of PowerDNS, until it is withdrawn", async () => {
    const zone = await stage.newZone();
    await stage.add(zone, [a("www"), a("a.b")]);
    const there = (table: string, id: string) =>
      stage.database.admin.query(`select * from pdns.${table} where ${id} = $1`, [zone.id]);
    const { id, name } = zone;
    const unused = {
      master: null,
      last_check: null,
      notified_serial: null,
      account: null,
      options: null,
      catalog: null,
    };
    expect((await there("domains", "id")).rows).toEqual([{ id, name, type: "NATIVE", ...unused }]);
    await stage.inTenant((client) => client.query("select dns.withdraw_zone($1)", [zone.id]));
    expect((await there("domains", "id")).rows).toEqual([]);
    expect((await there("records", "domain_id")).rows).toEqual([]);
  });

  test("of another organization is not published", async () => {
    const zone = await stage.newZone();
    const other = await stage.operator.createOrganization({ name: "Other" });
    for (const statement of ["select dns.publish_zone($1)", "select dns.publish_names($1, '{}')"])
      await expect(
        stage.inTenant((client) => client.query(statement, [zone.id]), other.id),
        statement,
      ).rejects.toMatchObject({ code: "PT404" });
  });

  test("with many delegations in one change, there and gone again, is as a rebuild makes it", async () => {
    const zone = await stage.newZone();
    const cuts = Array.from({ length: 25 }, (_, place) => `cut${place}`);
    await stage.add(
      zone,
      cuts.flatMap((name) => [a(`ns.${name}`), txt(`t.${name}`), a(`a.b.${name}`)]),
    );
    const without = await stage.short(zone);
    await stage.add(
      zone,
      cuts.map((name) => ns(name)),
    );
    expect(await stage.short(zone)).toContain("ns.cut7 A 192.0.2.1 300 not auth");
    expect(await stage.short(zone)).not.toContain('t.cut7 TXT "x" 300 auth');
    expect(await stage.served(zone)).toEqual(await stage.rebuilt(zone));
    await stage.inTenant(async (client) => {
      await client.query("delete from dns.records where zone_id = $1 and type = 'NS'", [zone.id]);
      await client.query("select dns.publish_names($1, $2)", [zone.id, cuts.map((name) => `${name}.${zone.name}`)]);
    });
    expect(await stage.short(zone)).toEqual(without);
  });
});

test("a change of one name reads a few rows of a large zone", async () => {
  const zone = await stage.newZone();
  const many = Array.from({ length: 3_000 }, (_, place) => a(place % 2 === 0 ? `host${place}` : `host${place}.deep`));
  await stage.add(zone, many);
  const read = await stage.inTenant(async (client) => {
    const rowsRead = async () => {
      const { rows } = await client.query<{ read: string }>(
        "select sum(seq_tup_read + idx_tup_fetch) as read from pg_stat_xact_user_tables where relid in ('dns.records'::regclass, 'pdns.records'::regclass)",
      );
      return Number(rows[0]?.read);
    };
    await stage.insert(client, zone, [a("new.below.deep")]);
    const before = await rowsRead();
    await publish(client, zone, ["new.below.deep"]);
    return (await rowsRead()) - before;
  });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(50);
});

test(`${STEPS} random steps leave what a rebuild makes`, async () => {
  const zone = await stage.newZone();
  const steps = randomSteps(18, STEPS);
  const seen = new Set<string>();
  for (let place = 0; place < steps.length; ) {
    // One to four records change together.
    const count = steps[place]?.value ?? 1;
    const together = steps.slice(place, place + count);
    await stage.inTenant((client) => change(client, stage.tenantId, zone, together));
    const served = await stage.served(zone);
    expect(served, JSON.stringify(together)).toEqual(await stage.rebuilt(zone));
    seen.add(served.filter((row) => !row.includes(",SOA,")).join());
    place += count;
  }
  expect(seen.size).toBeGreaterThan(STEPS / 5);
}, 120_000);

describe("the content of a TXT record is served in quoted strings", () => {
  const served = async (content: string) =>
    (await stage.owner.query<{ served: string }>("select dns.served_content('TXT', $1) as served", [content])).rows[0]
      ?.served;

  test.each([
    ["v=spf1 -all", '"v=spf1 -all"'],
    ['say "yes" \\ no', '"say \\"yes\\" \\\\ no"'],
    ["é €", '"\\195\\169 \\226\\130\\172"'],
    ["x".repeat(256), `"${"x".repeat(255)}" "x"`],
    // Cut at bytes, also within a character.
    [`${"x".repeat(254)}é`, `"${"x".repeat(254)}\\195" "\\169"`],
    ['"one" "two"', '"one" "two"'],
    ['"a\\"b\\\\c\\100\\200"', '"a\\"b\\\\cd\\200"'],
    ['""', '""'],
    ['"\\009\\127"', '"\\009\\127"'],
  ])("%j", async (content, expected) => {
    expect(await served(content)).toBe(expected);
  });
});
