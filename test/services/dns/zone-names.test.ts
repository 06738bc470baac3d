// Which names a zone may have: dns-hosting §4, issue "DNS hosting I" §2.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage } from "./dns-stage.ts";

const label = (length: number) => "a".repeat(length);
/** A name of this length. */
const nameOf = (length: number) => `${"ab.".repeat(85).slice(0, length - 6)}c.test`;

let stage: DnsStage;
let one: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  one = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());

const make = (name: unknown, customer = one) => customer.ask("POST", "/zones", { name });

describe("a name", () => {
  test.each([
    ["a domain", "example.com", "example.com"],
    ["a final dot is removed", "final.test.", "final.test"],
    ["upper case is lowered", "UPPER.Test", "upper.test"],
    ["IDN becomes A-labels", "Bücher.test", "xn--bcher-kva.test"],
    ["IDN with a final dot", "müller.test.", "xn--mller-kva.test"],
    ["IDN with an ideographic dot", "例え。test", "xn--r8jz45g.test"],
    ["A-labels stay", "xn--mnchen-3ya.test", "xn--mnchen-3ya.test"],
    ["A-labels of emoji stay", "xn--ls8h.test", "xn--ls8h.test"],
    ["hyphens in third and fourth place stay", "r3---sn-abc.test", "r3---sn-abc.test"],
    ["a label of digits", "123.test", "123.test"],
    ["three characters", "a.b", "a.b"],
    ["253 characters", nameOf(253), nameOf(253)],
    ["253 characters and a final dot", `x${nameOf(252)}.`, `x${nameOf(252)}`],
    ["a label of 63 characters", `${label(63)}.test`, `${label(63)}.test`],
    ["a hyphen within a label", "a--b.test", "a--b.test"],
    ["below a name that is no suffix of ICANN's", "me.github.io", "me.github.io"],
    ["a private suffix", "blogspot.com", "blogspot.com"],
    ["*.test", "a.test", "a.test"],
    ["a reverse zone of IPv4", "2.0.192.in-addr.arpa", "2.0.192.in-addr.arpa"],
    ["an underscore, which the document does not exclude", "_msdcs.example.test", "_msdcs.example.test"],
    ["underscores anywhere but in the last label", "_a_.exa_mple.test", "_a_.exa_mple.test"],
    ["the slash of RFC 2317", "0/25.3.0.192.in-addr.arpa", "0/25.3.0.192.in-addr.arpa"],
    ["the hyphen of RFC 2317", "0-127.4.0.192.in-addr.arpa.", "0-127.4.0.192.in-addr.arpa"],
    ["a slash below ip6.arpa", "0/4.8.b.d.0.1.0.0.3.ip6.arpa", "0/4.8.b.d.0.1.0.0.3.ip6.arpa"],
    ["a reverse zone of IPv6", "8.b.d.0.1.0.0.2.ip6.arpa", "8.b.d.0.1.0.0.2.ip6.arpa"],
  ])("%s: %s", async (_, given, kept) => {
    const { status, body } = await make(given);
    expect({ status, name: body.name }).toEqual({ status: 201, name: kept });
  });

  test.each([
    ["", "empty"],
    [".", "a dot"],
    ["..", "two dots"],
    ["a.", "two characters"],
    ["ab", "two characters"],
    ["localhost.", "no dot but the final one"],
    ["example", "no dot"],
    ["com", "no dot"],
    [".example.com", "an empty label"],
    ["a..example", "an empty label"],
    ["example.com..", "two final dots"],
    ["exam ple.com", "a space"],
    [" example.com", "a leading space"],
    ["example.com ", "a final space"],
    ["example.com\n", "a line end"],
    ["example.c_m", "an underscore in the last label"],
    ["0/25.in-addr.arpa.example", "a slash, and is not a reverse zone"],
    ["*.example.com", "a wildcard"],
    ["exam/ple.com", "a slash"],
    ["@.example.com", "an at sign"],
    ["-a.test", "a hyphen at the beginning"],
    ["a-.test", "a hyphen at the end"],
    ["a.test-", "a hyphen at the end of the last label"],
    ["192.0.2.1", "an IPv4 address"],
    ["2001:db8::1", "an IPv6 address"],
    ["example.123", "a last label of digits"],
    [`${label(64)}.test`, "a label of 64 characters"],
    [nameOf(254), "254 characters"],
    ["exa\u0000mple.com", "a zero"],
    ["a\u202e.test", "what IDN does not take"],
    ["http://example.com", "an address of the web"],
    ["xn--a.test", "an A-label that cannot be decoded"],
    ["XN--A.test", "an A-label that cannot be decoded, in capitals"],
    ["shop.xn--9.test", "a second label that cannot be decoded"],
    ["xn--.test", "an A-label of nothing"],
    ["xn--caf-.test", "an A-label of ASCII"],
  ])("%j has %s: 422", async (name) => {
    expectError(await make(name), 422, "invalid_request", ["name"]);
  });

  test.each([null, 1, true, ["example.com"], {}, undefined])("%j is no text: 422", async (name) => {
    expectError(await make(name), 422, "invalid_request", ["name"]);
  });

  test("is told in a sentence that names the member", async () => {
    const { body } = await make("example");
    expect(body).toMatchObject({
      detail: "name must contain a dot.",
      fields: [{ field: "name", message: "must contain a dot" }],
    });
  });

  test("stands alone: 422 for a member that nobody knows", async () => {
    expectError(await one.ask("POST", "/zones", { name: "b.test", x: 1 }), 422, "invalid_request", ["x"]);
    expectError(
      await one.ask("POST", "/zones", { name: "b.test", nameservers: ["a.b", "c.d"], is_reserved: false }),
      422,
      "invalid_request",
      ["nameservers", "is_reserved"],
    );
  });
});

test("a zone with a slash is exported under a name without one", async () => {
  const { body } = await make("0/25.5.0.192.in-addr.arpa");
  await one.ask("POST", `/zones/${body.id}/records`, { name: "1", type: "PTR", content: "host.example.net" });
  const { headers, text } = await one.ask("GET", `/zones/${body.id}/export`);
  expect(headers.get("content-disposition")).toContain("0_25.5.0.192.in-addr.arpa.zone");
  expect(text).toContain("$ORIGIN 0/25.5.0.192.in-addr.arpa.\n");
  const { status, body: answer } = await one.ask("POST", `/zones/${body.id}/import`, {
    bind_file: text,
    replace: true,
  });
  expect({ status, answer }).toMatchObject({ status: 200, answer: { imported: 0, deleted: 0 } });
});

describe("403 zone_not_allowed", () => {
  test.each([
    "com.br",
    "COM.BR.",
    "co.uk",
    "gov.br",
    "xn--55qx5d.cn", // 公司.cn
    "公司.cn",
    "a.localhost",
    "printer.local",
    "a.b.local",
    "db.internal",
    "x.onion",
    "x.invalid",
    "in-addr.arpa",
    "ip6.arpa",
    "IP6.arpa.",
    "selo.test",
    "www.selo.test",
    "ns1.selo.test",
    "a.ns1.selo.test",
  ])("for %s", async (name) => {
    expectError(await make(name), 403, "zone_not_allowed");
  });

  test("comes after 422", async () => {
    for (const name of ["-a.localhost", "a b.local", "localhost", "com"])
      expectError(await make(name), 422, "invalid_request", ["name"]);
  });

  test("comes before 409", async () => {
    await stage.rows("insert into platform.zone_names values ('com.br', $1, 1)", [one.organization.id]);
    expectError(await make("com.br"), 403, "zone_not_allowed");
  });

  test.each(["selo-test.test", "xselo.test", "local.test", "mylocal.test", "a.internal.test"])(
    "not for %s",
    async (name) => {
      expect((await make(name)).status).toBe(201);
    },
  );
});
