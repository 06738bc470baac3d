// The paths of records: dns-hosting §2, §3, §4; issue "DNS hosting I" §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, expectUnfitRecord, expectWrongRecord, type Zone } from "./dns-stage.ts";

const A = { type: "A", content: "192.0.2.1" };
const MX = { type: "MX", content: "mail.example.com", priority: 10 };

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "growth" });
  zone = await customer.zone();
});
afterAll(() => stage?.close());

let count = 0;
const newName = () => `name-${++count}`;

describe("POST …/records", () => {
  test("answers 201 with the record", async () => {
    const { status, body } = await zone.post({ name: "Bodies", ...MX, comment: "ours" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      zone_id: zone.body.id,
      name: `bodies.${zone.name}`,
      type: "MX",
      content: "mail.example.com",
      ttl: 3600,
      priority: 10,
      disabled: false,
      comment: "ours",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
  });

  test.each([["name"], ["type"], ["content"]])("needs %s", async (member) => {
    const { [member]: _, ...others } = { name: newName(), ...A } as Record<string, string>;
    expectError(await zone.post(others), 422, "invalid_request", [member]);
  });

  test("knows no other members", async () => {
    expectError(await zone.post({ name: newName(), ...A, x: 1, id: 1 }), 422, "invalid_request", ["x", "id"]);
  });

  test("takes comments of up to 500 characters; an empty one is none", async () => {
    expect((await zone.add({ name: newName(), ...A, comment: "" })).comment).toBeNull();
    expect((await zone.add({ name: newName(), ...A, comment: null })).comment).toBeNull();
    expect((await zone.add({ name: newName(), ...A, comment: "😀".repeat(500) })).comment).toHaveLength(1000);
    expectError(await zone.post({ name: newName(), ...A, comment: "😀".repeat(501) }), 422, "invalid_request", [
      "comment",
    ]);
    for (const comment of ["a\nb", "\u007f", "a\u0085b"])
      expectWrongRecord(await zone.post({ name: newName(), ...A, comment }), "comment");
  });

  test("repeats its answer for the same Idempotency-Key", async () => {
    const body = { name: newName(), ...A };
    const ask = () => zone.ask("POST", "/records", body, { key: "record-1" });
    const first = await ask();
    expect((await ask()).body).toEqual(first.body);
    expect(await zone.records(`?name=${body.name}`)).toEqual([first.body]);
  });
});

describe("PUT …/records/{record_id}", () => {
  test.each([
    [{ content: "192.0.2.9" }, { content: "192.0.2.9" }],
    [{ ttl: 60 }, { ttl: 60 }],
    [{ disabled: true }, { disabled: true }],
    [{ comment: "words" }, { comment: "words" }],
    [{ priority: 9 }, {}],
    [{ priority: null }, {}],
    [
      { ttl: 60, disabled: true, content: "192.0.2.8" },
      { ttl: 60, disabled: true, content: "192.0.2.8" },
    ],
  ])("%j changes the given members alone, and the serial once", async (given, changed) => {
    const record = await zone.add({ name: newName(), ...A });
    const serial = await zone.serial();
    const { status, body } = await zone.ask("PUT", `/records/${record.id}`, given);
    expect({ status, body }).toEqual({ status: 200, body: { ...record, ...changed } });
    expect(await zone.records(`?name=${record.name}`)).toEqual([body]);
    expect(await zone.serial()).toBe(serial + (Object.keys(changed).length > 0 ? 1 : 0));
  });

  test("disabled false has it served again", async () => {
    const record = await zone.add({ name: newName(), ...A, disabled: true });
    expect(record.disabled).toBe(true);
    expect((await zone.ask("PUT", `/records/${record.id}`, { disabled: false })).body.disabled).toBe(false);
  });

  test("{} and what is so already change nothing: no serial, no change, no event", async () => {
    const record = await zone.add({ name: newName(), ...MX, comment: "ours" });
    const [serial, changes] = [await zone.serial(), await zone.changes("?limit=200")];
    const { content, ttl, priority, disabled, comment, name, type } = record;
    for (const body of [
      {},
      { content: "MAIL.example.com." },
      { content, ttl, priority, disabled, comment, name, type },
    ]) {
      const answer = await zone.ask("PUT", `/records/${record.id}`, body);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: record });
    }
    expect(await zone.serial()).toBe(serial);
    expect(await zone.changes("?limit=200")).toEqual(changes);
  });

  test("takes name and type unchanged, in any form, and refuses others", async () => {
    const record = await zone.add({ name: newName(), ...A });
    const relative = record.name.replace(`.${zone.name}`, "");
    for (const body of [{ name: relative }, { name: `${record.name}.` }, { name: relative.toUpperCase(), type: "a" }])
      expect((await zone.ask("PUT", `/records/${record.id}`, body)).body).toEqual(record);
    for (const name of ["other", "@", "", "a b", "other.example."])
      expectWrongRecord(await zone.ask("PUT", `/records/${record.id}`, { name, ttl: 60 }), "name");
    for (const type of ["AAAA", "SOA", ""])
      expectWrongRecord(await zone.ask("PUT", `/records/${record.id}`, { type, ttl: 60 }), "type");
    expect(await zone.records(`?name=${relative}`)).toEqual([record]);
  });

  test("judges new content by the type", async () => {
    const { id } = await zone.add({ name: newName(), ...A });
    expectWrongRecord(await zone.ask("PUT", `/records/${id}`, { content: "2001:db8::1" }), "content");
    expectWrongRecord(await zone.ask("PUT", `/records/${id}`, { content: "www.example.com" }), "content");
  });

  test("of MX without a priority is refused; another priority is taken", async () => {
    const { id } = await zone.add({ name: newName(), ...MX });
    expectWrongRecord(await zone.ask("PUT", `/records/${id}`, { priority: null }), "priority");
    expectWrongRecord(await zone.ask("PUT", `/records/${id}`, { priority: 65_536 }), "priority");
    expect((await zone.ask("PUT", `/records/${id}`, { priority: 20 })).body.priority).toBe(20);
    expect((await zone.ask("PUT", `/records/${id}`, { ttl: 60 })).body.priority).toBe(20);
  });

  test.each([null, ""])("the comment %j removes the comment", async (comment) => {
    const { id } = await zone.add({ name: newName(), ...A, comment: "words" });
    expect((await zone.ask("PUT", `/records/${id}`, { ttl: 60 })).body.comment).toBe("words");
    expect((await zone.ask("PUT", `/records/${id}`, { comment })).body.comment).toBeNull();
  });

  test.each([
    [{ content: null }, "content"],
    [{ ttl: null }, "ttl"],
    [{ disabled: null }, "disabled"],
    [{ name: null }, "name"],
    [{ type: null }, "type"],
    [{ disabled: "true" }, "disabled"],
    [{ x: 1 }, "x"],
  ])("%j is refused: 422", async (body, field) => {
    const { id } = await zone.add({ name: newName(), ...A });
    expectError(await zone.ask("PUT", `/records/${id}`, body), 422, "invalid_request", [field]);
  });
});

test.each(["0", "-1", "01", "abc", "1.0", "9".repeat(18), "9".repeat(30), "x%00"])(
  "the record id %s is 404, as is a record of another zone",
  async (id) => {
    const elsewhere = await (await customer.zone()).add({ name: "a", ...A });
    for (const each of [id, `${elsewhere.id}`]) {
      expectError(await zone.ask("PUT", `/records/${each}`, { ttl: 60 }), 404, "not_found");
      expectError(await zone.ask("DELETE", `/records/${each}`), 404, "not_found");
    }
  },
);

describe("DELETE …/records/{record_id}", () => {
  test("answers 204, and 404 from then on; the record is gone", async () => {
    const { id, name } = await zone.add({ name: newName(), ...A });
    const serial = await zone.serial();
    const { status, text } = await zone.ask("DELETE", `/records/${id}`);
    expect([status, text]).toEqual([204, ""]);
    expect(await zone.records(`?name=${name}`)).toEqual([]);
    expectError(await zone.ask("DELETE", `/records/${id}`), 404, "not_found");
    expectError(await zone.ask("PUT", `/records/${id}`, { ttl: 60 }), 404, "not_found");
    expect(await zone.serial()).toBe(serial + 1);
  });
});

describe("422 record_limit_reached", () => {
  test("at the plan's number of records in all zones, disabled ones too", async () => {
    await stage.rows("update platform.plan_limits set most = 3 where plan = 'free' and name = 'dns_records'");
    const free = await stage.customer({ plan: "free" });
    const [first, second] = [await free.zone(), await free.zone()];
    await first.add({ name: "a", ...A });
    const { id } = await second.add({ name: "a", ...A, disabled: true });
    await second.add({ name: "b", ...A });
    for (const each of [first, second]) {
      expectUnfitRecord(await each.post({ name: "c", ...A }), "record_limit_reached");
      expectUnfitRecord(await each.post({ name: "c", ...A, disabled: true }), "record_limit_reached");
      expectUnfitRecord(await each.put([{ ...A, name: "c", records: [A] }].map(setOf)), "record_limit_reached");
    }
    expect(await free.usage()).toEqual({ counted: [2, 3], real: [2, 3] });
    expect((await second.ask("PUT", `/records/${id}`, { disabled: false })).status).toBe(200);
    await second.ask("DELETE", `/records/${id}`);
    await first.add({ name: "c", ...A });
    expectUnfitRecord(await first.post({ name: "d", ...A }), "record_limit_reached");
    // A record takes the place of another in one request.
    expect((await first.put([{ name: "c", type: "A", records: [] }, setOf({ name: "d" })])).status).toBe(200);
    await second.ask("DELETE");
    await first.add({ name: "e", ...A });
  });
});

const setOf = ({ name }: { readonly name: string }) => ({ name, type: "A", records: [{ content: A.content }] });
