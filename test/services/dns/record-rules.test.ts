// Rules 3 to 6 of dns-hosting §4: priority, ttl, records that go together, the plan's limit; issue "DNS hosting I" §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

const A = { type: "A", content: "192.0.2.1" };
const AAAA = { type: "AAAA", content: "2001:db8::1" };
const CNAME = { type: "CNAME", content: "www.example.com" };
const ALIAS = { type: "ALIAS", content: "www.example.com" };
const MX = { type: "MX", content: "mail.example.com", priority: 10 };
const TXT = { type: "TXT", content: "text" };

let count = 0;
const newName = () => `name-${++count}`;

describe("ttl", () => {
  test.each([60, 61, 3600, 86_400])("%i is taken", async (ttl) => {
    expect((await zone.add({ name: newName(), ...A, ttl })).ttl).toBe(ttl);
  });

  test("is 3600 by default", async () => {
    expect((await zone.add({ name: newName(), ...A })).ttl).toBe(3600);
  });

  test.each([59, 86_401, 0, -1, 2_147_483_647])("%i is refused: 422", async (ttl) => {
    expectWrongRecord(await zone.post({ name: newName(), ...A, ttl }), "ttl");
  });

  test.each([null, "3600", 60.5, true, 2 ** 31])("%j is no ttl: 422", async (ttl) => {
    const { status, body } = await zone.post({ name: newName(), ...A, ttl });
    expect({ status, fields: body.fields }).toMatchObject({ status: 422, fields: [{ field: "ttl" }] });
  });

  test("is one for a set: a record with another moves the set, and the change shows it", async () => {
    const name = newName();
    const first = await zone.add({ name, ...A, ttl: 300 });
    const beside = await zone.add({ name, ...AAAA, ttl: 500 });
    const second = await zone.add({ name, ...A, content: "192.0.2.2", ttl: 600 });
    const moved = { ...first, ttl: 600 };
    expect(await zone.records(`?name=${name}`)).toEqual([moved, second, beside]);
    const [change] = await zone.changes("?limit=1");
    expect(change).toMatchObject({ removed: [first], added: [moved, second] });
    await zone.ask("PUT", `/records/${first.id}`, { ttl: 900 });
    expect((await zone.records(`?name=${name}&type=A`)).map(({ ttl }) => ttl)).toEqual([900, 900]);
    expect((await zone.records(`?name=${name}&type=AAAA`)).map(({ ttl }) => ttl)).toEqual([500]);
  });
});

describe("priority", () => {
  test.each(["MX", "SRV"])("of %s is required, 0 to 65535", async (type) => {
    const content = type === "MX" ? "mail.example.com" : "5 443 www.example.com";
    for (const priority of [0, 1, 65_535])
      expect((await zone.add({ name: newName(), type, content, priority })).priority).toBe(priority);
    for (const priority of [undefined, null, -1, 65_536, 2_147_483_647])
      expectWrongRecord(await zone.post({ name: newName(), type, content, priority }), "priority");
    for (const priority of ["10", 1.5, true]) {
      const { status, body } = await zone.post({ name: newName(), type, content, priority });
      expect({ status, fields: body.fields }).toMatchObject({ status: 422, fields: [{ field: "priority" }] });
    }
  });

  test.each([A, AAAA, CNAME, ALIAS, TXT, { type: "NS", content: "ns.example.com" }, { type: "PTR", content: "a.b" }])(
    "of $type is ignored, and null",
    async (record) => {
      for (const priority of [10, 65_536, -1, null])
        expect((await zone.add({ name: newName(), ...record, priority })).priority).toBeNull();
    },
  );

  test("of MX with the content . is 0, and the record stands alone", async () => {
    const name = newName();
    expectWrongRecord(await zone.post({ name, type: "MX", content: ".", priority: 1 }), "content");
    const { id } = await zone.add({ name, type: "MX", content: ".", priority: 0 });
    expectWrongRecord(await zone.ask("PUT", `/records/${id}`, { priority: 5 }), "content");
    expectUnfitRecord(await zone.post({ name, ...MX }), "record_conflict");
  });

  test("makes two records of one host", async () => {
    const name = newName();
    await zone.add({ name, ...MX });
    await zone.add({ name, ...MX, priority: 20 });
    expect((await zone.records(`?name=${name}`)).map(({ priority }) => priority)).toEqual([10, 20]);
  });
});

describe("a host that is something else is refused in words that say what it is", () => {
  const whole = "must be a whole hostname, such as www.example.com, and not the root";
  const alone = "must be a hostname alone, such as www.example.com: no URL and no port";
  const address = "must be a hostname and no IP address";
  test.each([
    [".", whole],
    ["https://www.example.com/", alone],
    ["HTTPS://Example.com:8443", alone],
    ["www.example.com:443", alone],
    ["2001:db8::1", address],
    ["192.0.2.1", address],
  ])("%s", async (content, message) => {
    for (const type of ["CNAME", "ALIAS", "NS", "PTR"]) {
      const answer = await zone.post({ name: "host", type, content });
      expectWrongRecord(answer, "content");
      expect({ type, said: answer.body.fields[0].message }).toEqual({ type, said: message });
    }
  });
});

describe("422 record_conflict", () => {
  const others = [A, AAAA, ALIAS, MX, TXT, { type: "NS", content: "ns.example.com" }, { type: "PTR", content: "a.b" }];
  const more = [
    { type: "SRV", content: "5 443 www.example.com", priority: 1 },
    { type: "CAA", content: '0 issue "ca.example.net"' },
  ];
  test.each([...others, ...more, { ...CNAME, content: "other.example.com" }])(
    "CNAME and $type $content at a name, in either order, disabled ones too",
    async (record) => {
      for (const [first, second] of [
        [CNAME, record],
        [record, CNAME],
        [{ ...CNAME, disabled: true }, record],
        [record, { ...CNAME, disabled: true }],
      ] as const) {
        const name = newName();
        const kept = await zone.add({ name, ...first });
        expectUnfitRecord(await zone.post({ name, ...second }), "record_conflict");
        expect(await zone.records(`?name=${name}`)).toEqual([kept]);
      }
    },
  );

  test("CNAME at the apex, also disabled", async () => {
    for (const name of ["@", "", zone.name])
      for (const disabled of [true, false])
        expectUnfitRecord(await zone.post({ name, ...CNAME, disabled }), "record_conflict");
    expect((await zone.post({ name: "@", ...CNAME })).body.detail).toContain("ALIAS");
  });

  test("ALIAS and A, AAAA, CNAME or another ALIAS, in either order", async () => {
    for (const record of [A, AAAA, CNAME, { ...ALIAS, content: "other.example.com" }])
      for (const [first, second] of [
        [ALIAS, record],
        [record, ALIAS],
      ] as const) {
        const name = newName();
        await zone.add({ name, ...first });
        expectUnfitRecord(await zone.post({ name, ...second }), "record_conflict");
      }
  });

  test("not for ALIAS at the apex, beside MX and TXT", async () => {
    for (const record of [ALIAS, MX, TXT]) expect((await zone.post({ name: "@", ...record })).status).toBe(201);
  });
});

describe("422 record_exists", () => {
  test.each([
    [A, A],
    [A, { ...A, ttl: 60, comment: "again", disabled: true }],
    [AAAA, { ...AAAA, content: "2001:DB8:0::1" }],
    [CNAME, { ...CNAME, content: "WWW.example.com." }],
    [ALIAS, ALIAS],
    [MX, { ...MX, content: "Mail.example.com." }],
    [TXT, { ...TXT, content: '"text"' }],
    [
      { ...TXT, content: '"te" "xt"' },
      { ...TXT, content: '"te"  "\\120t"' },
    ],
    [
      { ...TXT, content: "é".repeat(200) },
      { ...TXT, content: `"${"é".repeat(127)}\\195" "\\169${"é".repeat(72)}"` },
    ],
    [{ ...A, disabled: true }, A],
  ])("%j and %j", async (first, second) => {
    const name = newName();
    const kept = await zone.add({ name, ...first });
    expectUnfitRecord(await zone.post({ name, ...second }), "record_exists");
    expect(await zone.records(`?name=${name}`)).toEqual([kept]);
  });

  test("says of which name and type the record is", async () => {
    const name = newName();
    await zone.add({ name, ...A });
    const { body } = await zone.post({ name, ...A });
    expect(body.detail).toBe(`${name}.${zone.name}: has this A record already.`);
  });

  test("also when a record is changed to the content of another", async () => {
    const name = newName();
    await zone.add({ name, ...A });
    const { id } = await zone.add({ name, ...A, content: "192.0.2.2" });
    expectUnfitRecord(await zone.ask("PUT", `/records/${id}`, { content: A.content }), "record_exists");
  });

  test("not for texts that are cut elsewhere or differ in case", async () => {
    const name = newName();
    for (const content of ['"te" "xt"', '"t" "ext"', "Text", "text"]) await zone.add({ name, type: "TXT", content });
    expect(await zone.records(`?name=${name}`)).toHaveLength(4);
  });
});

test("a set has at most 64,000 bytes on the wire", async () => {
  const name = newName();
  const text = (letter: string, length: number) => ({ name, type: "TXT", content: letter.repeat(length) });
  // Each has 12 bytes before its content, and a byte for each 255 of the text.
  for (const letter of ["a", "b", "c"]) await zone.add(text(letter, 16_384));
  expectUnfitRecord(await zone.post(text("d", 14_548)), "record_invalid");
  await zone.add(text("d", 14_547));
  expectUnfitRecord(await zone.post(text("e", 1)), "record_invalid");
  expect((await zone.post({ name, ...A })).status).toBe(201);
});
