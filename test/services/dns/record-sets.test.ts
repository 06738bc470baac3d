// Whole sets in one request: issue "DNS hosting I" §3, PUT …/records.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, expectUnfitRecord, expectWrongRecord, type Zone } from "./dns-stage.ts";

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
  zone = await customer.zone();
});
afterAll(() => stage?.close());

let count = 0;
const newName = () => `name-${++count}`;
const set = (name: string, type: string, ...contents: readonly string[]) => ({
  name,
  type,
  records: contents.map((content) => ({ content })),
});
const contentsOf = async (name: string) => (await zone.records(`?name=${name}`)).map(({ content }) => content);

describe("PUT …/records", () => {
  test("makes sets what they shall be, with one serial", async () => {
    const name = newName();
    const kept = await zone.add({ name, type: "A", content: "192.0.2.1", ttl: 300 });
    await zone.add({ name, type: "A", content: "192.0.2.2" });
    const beside = await zone.add({ name, type: "TXT", content: "beside" });
    const serial = await zone.serial();
    const { status, body } = await zone.put([
      {
        name,
        type: "a",
        ttl: 600,
        records: [{ content: "192.0.2.3", disabled: true, comment: "new" }, kept].map(given),
      },
      { name: `mail-${name}`, type: "MX", records: [{ content: "Mail.example.com.", priority: 5 }] },
    ]);
    expect({ status, body }).toEqual({
      status: 200,
      body: { serial: serial + 1, created: 2, updated: 1, deleted: 1, dry_run: false },
    });
    expect(await zone.serial()).toBe(serial + 1);
    const records = await zone.records(`?name=${name}`);
    expect(records).toEqual([
      { ...kept, ttl: 600 },
      {
        ...kept,
        id: expect.any(Number),
        created_at: expect.any(String),
        ttl: 600,
        content: "192.0.2.3",
        disabled: true,
        comment: "new",
      },
      beside,
    ]);
    expect(await zone.records(`?name=mail-${name}`)).toMatchObject([
      { type: "MX", content: "mail.example.com", priority: 5, ttl: 3600 },
    ]);
  });

  test("turns CNAME into A and back in one request", async () => {
    const name = newName();
    await zone.add({ name, type: "CNAME", content: "www.example.com" });
    expect((await zone.put([set(name, "A", "192.0.2.1"), set(name, "CNAME")])).status).toBe(200);
    expect(await contentsOf(name)).toEqual(["192.0.2.1"]);
    expect((await zone.put([set(name, "CNAME", "www.example.com"), set(name, "A")])).status).toBe(200);
    expect(await contentsOf(name)).toEqual(["www.example.com"]);
    expectUnfitRecord(await zone.put([set(name, "A", "192.0.2.1")]), "record_conflict");
    expectUnfitRecord(await zone.put([set("@", "CNAME", "www.example.com")]), "record_conflict");
    expect(await contentsOf(name)).toEqual(["www.example.com"]);
  });

  test("deletes the set that is given as empty, and changes nothing if the zone lacks the set", async () => {
    const name = newName();
    await zone.add({ name, type: "A", content: "192.0.2.1" });
    expect((await zone.put([set(name, "A")])).body).toMatchObject({ created: 0, updated: 0, deleted: 1 });
    const serial = await zone.serial();
    const { status, body } = await zone.put([set(name, "A"), set(newName(), "TXT")]);
    expect({ status, body }).toEqual({
      status: 200,
      body: { serial, created: 0, updated: 0, deleted: 0, dry_run: false },
    });
    expect(await zone.serial()).toBe(serial);
  });

  test("keeps the ids of records that stay, also in another order and form; the same again changes nothing", async () => {
    const name = newName();
    const sets = [set(name, "AAAA", "2001:db8::1", "2001:db8::2"), set(name, "TXT", "a", "b")];
    await zone.put(sets);
    const before = await zone.records(`?name=${name}`);
    const changes = await zone.changes("?limit=200");
    const again = [
      set(name, "TXT", "b", "a"),
      set(`${name}.${zone.name}.`, "aaaa", "2001:DB8:0::2", "2001:db8:0:0::1"),
    ];
    expect((await zone.put(again)).body).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    expect(await zone.records(`?name=${name}`)).toEqual(before);
    expect(await zone.changes("?limit=200")).toEqual(changes);
  });

  test("with dry_run says what would change, and writes nothing", async () => {
    const name = newName();
    const record = await zone.add({ name, type: "A", content: "192.0.2.1" });
    const left = () =>
      stage.rows(
        `select (select count(*) from webhooks.events) as events, (select count(*) from platform.audit_events) as audit,
           (select count(*) from dns.changes) as changes, (select max(created_at) from graphile_worker.jobs) as job, (select count(*) from graphile_worker.jobs) as jobs`,
      );
    const [before, serial] = [await left(), await zone.serial()];
    const sets = [set(name, "A", "192.0.2.2", "192.0.2.3"), set(newName(), "TXT", "text")];
    const { status, body } = await zone.put(sets, { dry_run: true });
    expect({ status, body }).toEqual({
      status: 200,
      body: { serial: serial + 1, created: 3, updated: 0, deleted: 1, dry_run: true },
    });
    expect([await left(), await zone.serial(), await zone.records(`?name=${name}`)]).toEqual([
      before,
      serial,
      [record],
    ]);
    expect((await customer.usage()).counted).toEqual((await customer.usage()).real);
    expectWrongRecord(await zone.put([set(name, "A", "x")], { dry_run: true }), "sets.0.records.0.content");
    expectUnfitRecord(await zone.put([set(name, "CNAME", "a.b")], { dry_run: true }), "record_conflict");
    expect((await zone.put(sets, { dry_run: false })).body).toEqual({ ...body, dry_run: false });
  });

  test("takes 5,000 records in one request, and no more", async () => {
    const many = (length: number) =>
      Array.from({ length: length / 5 }, (_, place) =>
        set(`m${place}`, "A", ...Array.from({ length: 5 }, (_, last) => `10.${place >> 8}.${place & 255}.${last}`)),
      );
    const large = await customer.zone();
    const { status, body } = await large.put(many(5000));
    expect({ status, body }).toMatchObject({ status: 200, body: { created: 5000 } });
    expect(await large.records()).toHaveLength(5000);
    expect((await large.put(many(5000))).body).toMatchObject({ created: 0, updated: 0, deleted: 0 });
    const over = await large.put([...many(5000), set("one-more", "A", "192.0.2.1")]);
    expectError(over, 422, "invalid_request", ["sets"]);
    expectError(await large.put([]), 422, "invalid_request", ["sets"]);
    expect(await large.records("?name=one-more")).toEqual([]);
  });

  test.each([
    [[set("x", "A", "192.0.2.1"), set("x", "A", "192.0.2.2")], "sets.1.name"],
    [[set("x", "A", "192.0.2.1"), set("y", "A"), set(" X", "a")], "sets.2.name"],
    [[set("x", "A"), set("X", "a")], "sets.1.name"],
    [[set("a b", "A")], "sets.0.name"],
    [[set("x", "SOA")], "sets.0.type"],
    [[set("@", "NS", "ns.example.com")], "sets.0.type"],
    [[{ ...set("x", "A"), ttl: 59 }], "sets.0.ttl"],
    [[{ ...set("x", "A", "192.0.2.1"), ttl: 86_401 }], "sets.0.ttl"],
    [[set("x", "A", "192.0.2.1"), set("y", "A", "192.0.2.1", "::1")], "sets.1.records.1.content"],
    [[set("x", "A", "")], "sets.0.records.0.content"],
    [[set("x", "MX", "mail.example.com")], "sets.0.records.0.priority"],
    [[{ name: "x", type: "TXT", records: [{ content: "a", comment: "a\tb" }] }], "sets.0.records.0.comment"],
  ])("%j is refused, and names %s", async (sets, field) => {
    const serial = await zone.serial();
    expectWrongRecord(await zone.put(sets), field);
    expect(await zone.serial()).toBe(serial);
  });

  test.each([
    [{}, "sets"],
    [{ sets: null }, "sets"],
    [{ sets: [{ type: "A", records: [] }] }, "sets.0.name"],
    [{ sets: [{ name: "x", records: [] }] }, "sets.0.type"],
    [{ sets: [{ name: "x", type: "A" }] }, "sets.0.records"],
    [{ sets: [{ name: "x", type: "A", records: [{}] }] }, "sets.0.records.0.content"],
    [{ sets: [{ name: "x", type: "A", records: [], x: 1 }] }, "sets.0.x"],
    [{ sets: [{ name: "x", type: "A", records: [{ content: "192.0.2.1", ttl: 60 }] }] }, "sets.0.records.0.ttl"],
    [{ sets: [set("x", "A")], dry_run: "yes" }, "dry_run"],
    [{ sets: [set("x", "A")], dry_run: null }, "dry_run"],
  ])("%j has a wrong shape: 422", async (body, field) => {
    expectError(await zone.ask("PUT", "/records", body), 422, "invalid_request", [field]);
  });

  test("refuses the same content twice in a set, and a set that is too large", async () => {
    expectUnfitRecord(await zone.put([set("x", "A", "192.0.2.1", "192.0.2.1")]), "record_exists");
    expectUnfitRecord(await zone.put([set("x", "TXT", "a", '"a"')]), "record_exists");
    const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(16_384));
    expectUnfitRecord(await zone.put([set("x", "TXT", ...texts)]), "record_invalid");
    expect(await zone.records("?name=x")).toEqual([]);
  });

  test("repeats its answer for the same Idempotency-Key, and is done in GraphQL", async () => {
    const name = newName();
    const ask = () => zone.ask("PUT", "/records", { sets: [set(name, "A", "192.0.2.1")] }, { key: "sets-1" });
    const first = await ask();
    expect((await ask()).body).toEqual(first.body);
    const { data } = await customer.graphql(
      `mutation { replaceDnsRecords(input: {zoneId: "${zone.body.id}", sets: [{name: "${name}", type: "A", records: []}]}) { serial created updated deleted dryRun } }`,
    );
    // Numbers that may exceed 32 bits are texts in GraphQL.
    const serial = String(first.body.serial + 1);
    expect(data).toEqual({ replaceDnsRecords: { serial, created: 0, updated: 0, deleted: 1, dryRun: false } });
  });
});

/** What a set takes of a record. */
function given({ content, disabled, comment }: { content: string; disabled: boolean; comment: string | null }) {
  return { content, disabled, comment };
}
