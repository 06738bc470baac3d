// Names and types of records: dns-hosting §2, §4; issue "DNS hosting I" §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, expectWrongRecord, type Zone } from "./dns-stage.ts";

const label = (length: number) => "l".repeat(length);
/** Relative to example.org, a name of this length with the zone. */
const relativeOf = (length: number) => `${"ab.".repeat(85).slice(0, length - 13)}c`;

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
let reverse: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
  zone = await customer.zone("example.org");
  reverse = await customer.zone("2.0.192.in-addr.arpa");
});
afterAll(() => stage?.close());

let count = 0;
/** A text that no other record has. */
const draft = (name: unknown) => ({ name, type: "TXT", content: `text ${++count}` });

test.each([
  ["www", "www.example.org"],
  ["WWW", "www.example.org"],
  ["a.b.c", "a.b.c.example.org"],
  ["@", "example.org"],
  ["", "example.org"],
  ["example.org", "example.org"],
  ["example.org.", "example.org"],
  ["EXAMPLE.org.", "example.org"],
  ["www.example.org", "www.example.org"],
  ["www.example.org.", "www.example.org"],
  ["www.example.com", "www.example.com.example.org"],
  ["notexample.org", "notexample.org.example.org"],
  ["*", "*.example.org"],
  ["*.sub", "*.sub.example.org"],
  ["*.sub.example.org.", "*.sub.example.org"],
  ["_dmarc", "_dmarc.example.org"],
  ["_sip._tcp", "_sip._tcp.example.org"],
  ["a_b", "a_b.example.org"],
  ["-a-", "-a-.example.org"],
  ["1", "1.example.org"],
  ["bücher", "xn--bcher-kva.example.org"],
  ["*.bücher", "*.xn--bcher-kva.example.org"],
  ["xn--bcher-kva", "xn--bcher-kva.example.org"],
  // Not the address 0.0.0.12, which a parser of addresses makes of these digits.
  ["①②", "12.example.org"],
  ["１.２", "1.2.example.org"],
  [label(63), `${label(63)}.example.org`],
  [relativeOf(253), `${relativeOf(253)}.example.org`],
  [`${relativeOf(252)}.example.org.`, `${relativeOf(252)}.example.org`],
])("the name %j is %s", async (name, whole) => {
  const record = await zone.add(draft(name));
  expect(record.name).toBe(whole);
  for (const given of [name, whole, `${whole}.`, whole.toUpperCase()])
    expect(await zone.records(`?${new URLSearchParams({ name: given })}`)).toContainEqual(record);
});

test.each([
  "www.example.com.",
  "www.",
  "notexample.org.",
  "org.",
  ".",
  ".www",
  "www..a",
  "www..example.org",
  ".example.org",
  "*a",
  "a.*",
  "a.*.b",
  "**",
  "*.*",
  "a b",
  " www",
  "www ",
  "a/b",
  "0/25",
  "@.example.org",
  "a@b",
  "www\n",
  "a\\046b",
  "a\\.b",
  '"www"',
  "a;b",
  "(a)",
  "a$b",
  "a\u202eb",
  label(64),
  relativeOf(254),
  "a".repeat(254),
])("the name %j is refused: 422", async (name) => {
  expectWrongRecord(await zone.post(draft(name)), "name");
  expect(await zone.records(`?${new URLSearchParams({ name })}`)).toEqual([]);
});

test.each([null, 1, {}, ["www"], undefined, "a\u0000", "a".repeat(1001)])(
  "the name %j is no name: 422",
  async (name) => {
    expectError(await zone.post(draft(name)), 422, "invalid_request", ["name"]);
  },
);

test("a slash is allowed in reverse zones", async () => {
  const { name } = await reverse.add({ name: "0/25", type: "NS", content: "ns.example.net" });
  expect(name).toBe("0/25.2.0.192.in-addr.arpa");
  const record = await reverse.add({ name: "1", type: "CNAME", content: "1.0/25.2.0.192.in-addr.arpa" });
  expect(record.content).toBe("1.0/25.2.0.192.in-addr.arpa");
  expect((await reverse.add({ name: "2", type: "PTR", content: "host.example.org" })).name).toBe(
    "2.2.0.192.in-addr.arpa",
  );
  const ipv6 = await customer.zone("8.b.d.0.1.0.0.2.ip6.arpa");
  expect((await ipv6.add({ name: "0/4", type: "NS", content: "ns.example.net" })).name).toMatch(/^0\/4\./);
});

test("a name that lies in another zone of the organization stays in its own", async () => {
  const lower = await customer.zone("lower.example.org");
  expect((await lower.add(draft("www"))).zone_id).toBe(lower.body.id);
  expectWrongRecord(await lower.post(draft("example.org.")), "name");
  expect((await lower.add(draft("example.org"))).name).toBe("example.org.lower.example.org");
});

describe("the type", () => {
  test.each([
    ["a", "192.0.2.1"],
    ["aAaA", "2001:db8::1"],
    ["cname", "www.example.org"],
    ["Txt", "text"],
    ["caa", '0 issue "ca.example.net"'],
    ["ns", "ns.example.net"],
    ["ptr", "www.example.org"],
    ["alias", "www.example.org"],
    ["mx", "mail.example.org"],
    ["srv", "5 443 www.example.org"],
  ])("%s becomes upper case", async (type, content) => {
    const record = await zone.add({ name: `type-${type}`, type, content, priority: 1 });
    expect(record.type).toBe(type.toUpperCase());
    expect(await zone.records(`?name=type-${type}&type=${type}`)).toEqual([record]);
  });

  test.each([
    "SOA",
    "DNSKEY",
    "DS",
    "HINFO",
    "HTTPS",
    "TLSA",
    "SPF",
    "ANY",
    "TYPE1",
    "",
    " A",
    "A ",
    "LUA",
    "\u017frv",
  ])("%j is refused: 422", async (type) => {
    expectWrongRecord(await zone.post({ name: "type", type, content: "192.0.2.1" }), "type");
  });

  test("NS and SOA cannot be written at the apex", async () => {
    for (const name of ["@", "", "example.org", "example.org."])
      for (const type of ["NS", "ns", "SOA"])
        expectWrongRecord(await zone.post({ name, type, content: "ns.example.net" }), "type");
    expectWrongRecord(await zone.post({ name: "*", type: "NS", content: "ns.example.net" }), "type");
    expect((await zone.records("?name=@")).filter(({ type }) => type !== "TXT")).toEqual([]);
  });
});
