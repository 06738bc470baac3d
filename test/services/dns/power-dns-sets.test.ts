// PATCH of the API of PowerDNS: changes of sets, and contents in its form: issue "DNS hosting II" §5.
import { beforeEach, describe, expect, test } from "vitest";
import { countRows } from "../../support/rest-client.ts";
import { CONTENTS_ELSEWHERE } from "./contents-elsewhere.ts";
import type { Zone } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";
import { client, one, setUpPowerDns, stage } from "./power-dns-stage.ts";

let zone: Zone;
setUpPowerDns("business");
beforeEach(async () => {
  zone = await one.zone();
});

/** A change of a set; the name is relative. */
const change = (
  changetype: string,
  name: string,
  type: string,
  contents: readonly string[] | null,
  more: object = {},
) => ({
  name: `${name}.${zone.name}.`,
  type,
  changetype,
  ttl: 300,
  ...(contents === null ? {} : { records: contents.map((content) => ({ content, disabled: false })) }),
  ...more,
});
const replace = (name: string, type: string, contents: readonly string[] | null, more: object = {}) =>
  change("REPLACE", name, type, contents, more);
const changed = async (...sets: readonly object[]) => {
  const answer = await client.patch(zone.name, sets);
  expect([answer.status, answer.text]).toEqual([204, ""]);
};
/** A refusal that writes nothing. */
async function refused(words: RegExp, ...sets: readonly object[]): Promise<void> {
  const rows = await countRows(stage.selo);
  const { status, body } = await client.patch(zone.name, sets);
  expect({ status, body }).toEqual({ status: 422, body: { error: expect.stringMatching(words) } });
  expect(await countRows(stage.selo)).toEqual(rows);
}
/** The sets below the apex, as they are answered. */
const sets = async () =>
  (await client.zone(zone.name)).body.rrsets.filter(({ name }: { name: string }) => name !== `${zone.name}.`);
const contents = async () =>
  (await sets()).flatMap(({ records }: { records: readonly { content: string }[] }) =>
    records.map(({ content }) => content),
  );
const apex = async (type: string) =>
  (await client.zone(zone.name, `?rrset_name=${zone.name}.&rrset_type=${type}`)).body.rrsets[0];

test("names and targets are read with their escapes: \\052 is *", async () => {
  await changed(
    replace("\\052", "A", ["192.0.2.1"]),
    replace("\\095a", "CNAME", ["\\104ost.\\101xample.net."]),
    replace("mx", "MX", ["10 m\\120.example.net."]),
    replace("txt", "TXT", ['"\\052"']),
  );
  expect((await sets()).map(({ name }: { name: string }) => name)).toEqual(
    ["*", "_a", "mx", "txt"].map((name) => `${name}.${zone.name}.`),
  );
  expect(await contents()).toEqual(["192.0.2.1", "host.example.net.", "10 mx.example.net.", '"4"']);
  const { body } = await client.zone(zone.name, `?rrset_name=${encodeURIComponent(`\\052.${zone.name}.`)}`);
  expect(body.rrsets).toHaveLength(1);
  // The same set, by its other name.
  await changed(change("DELETE", "*", "A", null), change("DELETE", "\\095\\a", "CNAME", null));
  expect((await sets()).map(({ type }: { type: string }) => type)).toEqual(["MX", "TXT"]);
  await refused(/name must have labels/, replace("a\\046b", "A", ["192.0.2.1"]));
  await refused(/name must have labels/, replace("a\\256", "A", ["192.0.2.1"]));
});

describe("a content in the form of PowerDNS", () => {
  test.each([
    ["A", "192.0.2.1", "192.0.2.1", null],
    ["AAAA", "2001:db8::1", "2001:db8::1", null],
    ["CNAME", "host.example.net.", "host.example.net", null],
    ["ALIAS", "host.example.net.", "host.example.net", null],
    ["NS", "ns.example.net.", "ns.example.net", null],
    ["PTR", "host.example.net.", "host.example.net", null],
    ["MX", "10 mail.example.net.", "mail.example.net", 10],
    ["MX", "0 .", ".", 0],
    ["SRV", "10 5 443 host.example.net.", "5 443 host.example.net", 10],
    ["SRV", "0 0 0 .", "0 0 .", 0],
    ["CAA", '0 issue "ca.example.net"', '0 issue "ca.example.net"', null],
    ["TXT", '"some text"', '"some text"', null],
    ["TXT", '"a \\"quoted\\" one" "and \\\\ more"', '"a \\"quoted\\" one" "and \\\\ more"', null],
  ])("%s %s is kept as %s, and read as it was sent", async (type, sent, kept, priority) => {
    await changed(replace("a", type, [sent]));
    expect(await zone.records()).toMatchObject([{ type, content: kept, priority, ttl: 300 }]);
    expect(await contents()).toEqual([sent]);
  });

  test.each([
    ["CNAME", "host.example.net", "host.example.net."],
    ["MX", "10 mail.example.net", "10 mail.example.net."],
    ["TXT", "v=spf1 -all", '"v=spf1 -all"'],
    ["TXT", '"v=DMARC1\\; p=none"', '"v=DMARC1; p=none"'],
  ])("%s %s is taken, too, and read as %s", async (type, sent, read) => {
    await changed(replace("a", type, [sent]));
    expect(await contents()).toEqual([read]);
  });

  // Such strings PowerDNS takes, and serves in pieces of 255 bytes.
  test.each([
    ["256 bytes", `"${"k".repeat(256)}"`, `"${"k".repeat(255)}" "k"`],
    ["255 bytes", `"${"k".repeat(255)}"`, `"${"k".repeat(255)}"`],
    ["510 bytes between others", `"a" "${"k".repeat(510)}"   "b"`, `"a" "${"k".repeat(255)}" "${"k".repeat(255)}" "b"`],
    ["256 bytes of 128 letters", `"${"é".repeat(128)}"`, `"${"\\195\\169".repeat(127)}\\195" "\\169"`],
    ["256 quotation marks", `"${'\\"'.repeat(256)}"`, `"${'\\"'.repeat(255)}" "\\""`],
    ["256 bytes as digits", `"${"\\049".repeat(256)}"`, `"${"1".repeat(255)}" "1"`],
  ])("a quoted string of %s is cut at 255 bytes", async (_, sent, read) => {
    await changed(replace("a", "TXT", [sent]));
    expect(await contents()).toEqual([read]);
    // Sent again, it changes nothing.
    const before = await zone.records();
    await changed(replace("a", "TXT", [sent]));
    expect(await zone.records()).toEqual(before);
  });

  test("is made into what another service makes of it, but where a reason says why not", async () => {
    const taken = CONTENTS_ELSEWHERE.filter(({ here }) => here !== null);
    await changed(...taken.map(({ type, sent }, at) => replace(`name-${at}`, type, [sent])));
    const read = new Map((await sets()).map((each: { name: string; records: unknown }) => [each.name, each.records]));
    expect(taken.map(({ type, sent }, at) => [type, sent, read.get(`name-${at}.${zone.name}.`)])).toEqual(
      taken.map(({ type, sent, here }) => [type, sent, [{ content: here, disabled: false }]]),
    );
    const serial = await zone.serial();
    for (const { type, sent } of CONTENTS_ELSEWHERE.filter(({ here }) => here === null)) {
      const { status, body } = await client.patch(zone.name, [replace("none", type, [sent])]);
      expect({ type, sent, status, body }).toMatchObject({ status: 422, body: { error: expect.any(String) } });
    }
    expect(await zone.serial()).toBe(serial);
    for (const { type, sent, here, there } of CONTENTS_ELSEWHERE)
      expect({ type, sent, made: there?.made }).not.toEqual({ type, sent, made: here });
  });

  test("is found again where a version before wrote an address with dotted digits", async () => {
    const { id } = await zone.add({ name: "mapped", type: "AAAA", content: "::ffff:127.0.0.1" });
    const old = () =>
      stage.rows("update dns.records set content = '::ffff:127.0.0.1' where id = $1 returning content", [id]);
    expect(await old()).toHaveLength(1);
    const bind_file = "mapped 3600 AAAA ::ffff:7f00:1\n";
    expect((await zone.ask("POST", "/import", { bind_file })).body.skipped_records).toMatchObject([
      { reason: "exists" },
    ]);
    expect((await zone.post({ name: "mapped", type: "AAAA", content: "::ffff:127.0.0.1" })).body.code).toBe(
      "record_exists",
    );
    await changed(replace("mapped", "AAAA", ["::ffff:127.0.0.1"]));
    expect(await contents()).toEqual(["::ffff:7f00:1"]);
  });

  test.each([
    ["with more behind it", `"${"k".repeat(256)}" open`, /content must be text, or quoted strings/],
    ["with a byte above 255", `"${"k".repeat(256)}\\300"`, /content must be text, or quoted strings/],
    ["of more than 16,384 bytes", `"${"k".repeat(16_385)}"`, /content must have at most 16,384 bytes/],
  ])("a long quoted string %s is refused", async (_, content, words) => {
    await refused(words, replace("a", "TXT", [content]));
  });

  test.each([
    ["A", "2001:db8::1", /RRset a\..* IN A: content must be an IPv4 address/],
    ["MX", "mail.example.net.", /priority is required for MX: .* such as "10 mail\.example\.com\."\.$/],
    ["MX", "65536 mail.example.net.", /priority must be 0 to 65535/],
    ["SRV", "5 443 host.example.net.", /content must be weight, port and target/],
    ["CNAME", "192.0.2.1", /content must be a hostname/],
    ["TXT", '"open', /content must be text, or quoted strings/],
    ["LUA", 'A "x"', /type must be one of A, AAAA/],
    ["A", "", /content must not be empty/],
  ])("%s %s is refused, in words that name the set", async (type, content, words) => {
    await refused(words, replace("a", type, [content]));
  });
});

describe("REPLACE", () => {
  test("makes a set what it shall be: records that stay keep their ids, and how they were written", async () => {
    const kept = await zone.add({ name: "a", type: "TXT", content: "one text", ttl: 60 });
    const gone = await zone.add({ name: "a", type: "TXT", content: "other text", ttl: 60 });
    await changed(replace("a", "TXT", ['"one text"', '"third"']));
    const records = await zone.records();
    expect(records.map(({ id }) => id)).toContain(kept.id);
    expect(records.map(({ id }) => id)).not.toContain(gone.id);
    expect(records.map(({ content, ttl }) => [content, ttl])).toEqual([
      ["one text", 300],
      ['"third"', 300],
    ]);
    expect(await zone.changes("?limit=1")).toMatchObject([{ added: [{}, {}], removed: [{}, {}] }]);
  });

  test("deletes the set where it has no records", async () => {
    await zone.add({ name: "a", type: "A", content: "192.0.2.1" });
    await changed(replace("a", "A", []));
    expect(await zone.records()).toEqual([]);
  });

  test("of many sets is one change, judged by its end", async () => {
    await zone.add({ name: "a", type: "A", content: "192.0.2.1" });
    const serial = await zone.serial();
    await changed(
      change("DELETE", "a", "A", null),
      replace("a", "CNAME", ["host.example.net."]),
      replace("b", "A", ["192.0.2.2"]),
    );
    expect(await zone.serial()).toBe(serial + 1);
    await refused(/CNAME/, replace("a", "A", ["192.0.2.1"]));
  });

  test("knows disabled records", async () => {
    await changed(
      replace("a", "A", null, { records: [{ content: "192.0.2.1", disabled: true }, { content: "192.0.2.2" }] }),
    );
    expect((await zone.records()).map(({ disabled }) => disabled)).toEqual([true, false]);
  });

  test.each([
    ["no ttl", { ttl: undefined }, /ttl is required/],
    ["a ttl of 59", { ttl: 59 }, /ttl must be 60 to 86400/],
    ["a ttl of 86401", { ttl: 86_401 }, /ttl must be 60 to 86400/],
    ["no records", { records: undefined }, /has no records/],
    ["no changetype", { changetype: undefined }, /changetype must be/],
    ["another changetype", { changetype: "CREATE" }, /changetype must be/],
    ["a name elsewhere", { name: "a.example.com." }, /must lie in the zone/],
    ["a name without its dot", { name: "a" }, /dot at its end/],
    ["a name of wrong letters", { name: "a b" }, /dot at its end/],
  ])("with %s is refused", async (_, more, words) => {
    await refused(words, replace("a", "A", ["192.0.2.1"], more));
  });

  test("takes a ttl of 60 and of 86400", async () => {
    for (const ttl of [60, 86_400]) {
      await changed(replace("a", "A", ["192.0.2.1"], { ttl }));
      expect(await sets()).toMatchObject([{ ttl }]);
    }
  });

  test("of one set twice is refused; DELETE before it is not", async () => {
    await refused(/twice/, replace("a", "A", ["192.0.2.1"]), replace("a", "a", ["192.0.2.2"]));
    await changed(replace("a", "A", ["192.0.2.1"]));
    await changed(change("DELETE", "A", "A", null), replace("a", "A", ["192.0.2.2"]));
    expect(await contents()).toEqual(["192.0.2.2"]);
  });
});

describe("DELETE", () => {
  test("DELETE ignores the records that it names, and accepts a set that the zone lacks", async () => {
    await zone.add({ name: "a", type: "A", content: "192.0.2.1" });
    await zone.add({ name: "a", type: "TXT", content: "stays" });
    await changed({ name: `a.${zone.name}.`, type: "A", changetype: "DELETE" });
    expect((await zone.records()).map(({ type }) => type)).toEqual(["TXT"]);
    await changed(change("delete", "a", "TXT", ["another"]), change("DELETE", "nothing", "A", null));
    expect(await zone.records()).toEqual([]);
  });
});

describe("EXTEND and PRUNE, which later versions have", () => {
  test("add a record to a set, and take one away", async () => {
    await zone.add({ name: "a", type: "MX", content: "one.example.net", priority: 10, ttl: 60, comment: "ours" });
    await changed(
      change("EXTEND", "a", "MX", ["20 two.example.net."], { ttl: undefined }),
      replace("b", "A", ["192.0.2.1"]),
    );
    expect(await contents()).toEqual(["10 one.example.net.", "20 two.example.net.", "192.0.2.1"]);
    expect((await sets())[0].ttl).toBe(60);
    await changed(change("EXTEND", "a", "MX", ["20 two.example.net."]));
    await changed(change("PRUNE", "a", "MX", ["10 one.example.net.", "99 one.example.net."], { ttl: undefined }));
    expect(await contents()).toEqual(["20 two.example.net.", "192.0.2.1"]);
    await refused(/ttl is required/, change("EXTEND", "c", "A", ["192.0.2.1"], { ttl: undefined }));
  });
});

describe("comments", () => {
  const comments = async () => (await zone.records()).map(({ comment }) => comment);
  const said = (...all: readonly string[]) => ({
    comments: all.map((content) => ({ content, account: "me", modified_at: 1 })),
  });

  test("one is for every record of the set, stays unless others are given, and goes with an empty list", async () => {
    await changed(replace("a", "A", ["192.0.2.1", "192.0.2.2"], said("ours")));
    expect(await comments()).toEqual(["ours", "ours"]);
    expect(await sets()).toMatchObject([{ comments: [{ content: "ours", account: "" }] }]);
    await changed(replace("a", "A", ["192.0.2.3"]));
    expect(await comments()).toEqual(["ours"]);
    await changed(replace("a", "A", ["192.0.2.3"], said()));
    expect(await comments()).toEqual([null]);
  });

  test("alone they change the comments of a set", async () => {
    await zone.add({ name: "a", type: "A", content: "192.0.2.1", ttl: 60 });
    await changed(replace("a", "A", null, { ...said("new"), ttl: undefined }));
    expect(await zone.records()).toMatchObject([{ comment: "new", content: "192.0.2.1", ttl: 60 }]);
  });

  test("those of several records are read as several, and may be sent back; other ones may not be several", async () => {
    await zone.add({ name: "a", type: "A", content: "192.0.2.1", comment: "first" });
    await zone.add({ name: "a", type: "A", content: "192.0.2.2", comment: "second" });
    const [read] = await sets();
    await changed({ ...read, changetype: "REPLACE" });
    expect(await comments()).toEqual(["first", "second"]);
    await refused(/several comments/, replace("a", "A", ["192.0.2.1"], said("first", "third")));
  });

  test("one of 500 characters fits, one of 501 does not", async () => {
    await changed(replace("a", "A", ["192.0.2.1"], said("x".repeat(500))));
    expect((await client.patch(zone.name, [replace("a", "A", ["192.0.2.1"], said("x".repeat(501)))])).status).toBe(422);
  });
});

describe("SOA and NS at the apex", () => {
  test("are read-only: equal ones are taken, with whatever serial, and change nothing", async () => {
    const [soa, ns] = [await apex("SOA"), await apex("NS")];
    await changed(replace("a", "A", ["192.0.2.1"]));
    const serial = await zone.serial();
    const reversed = { ...ns, records: ns.records.toReversed() };
    await changed({ ...soa, changetype: "REPLACE" }, { ...reversed, changetype: "REPLACE" });
    expect(await zone.serial()).toBe(serial);
  });

  test("NS of equal hosts is taken with any TTL, and left as it is", async () => {
    const ns = await apex("NS");
    const serial = await zone.serial();
    for (const ttl of [0, 1, 60, 300, 172_800]) await changed({ ...ns, changetype: "REPLACE", ttl });
    const upper = ns.records.map(({ content }: { content: string }) => ({ content: content.toUpperCase() }));
    await changed({ ...ns, changetype: "REPLACE", ttl: 300, records: upper });
    expect(await apex("NS")).toEqual(ns);
    expect(await zone.serial()).toBe(serial);
  });

  test("others are refused", async () => {
    const [soa, ns] = [await apex("SOA"), await apex("NS")];
    await refused(/read-only/, { ...ns, changetype: "REPLACE", records: ns.records.slice(1) });
    await refused(/read-only/, { ...ns, changetype: "REPLACE", ttl: 60, records: ns.records.slice(1) });
    await refused(/read-only/, { ...soa, changetype: "REPLACE", ttl: 60 });
    await refused(/read-only/, { ...ns, changetype: "DELETE" });
    await refused(/read-only/, { ...ns, changetype: "EXTEND" });
    await refused(/read-only/, {
      ...soa,
      changetype: "REPLACE",
      records: [{ content: soa.records[0].content.replace(" 3600 ", " 3601 ") }],
    });
    await refused(/read-only/, { ...soa, changetype: "DELETE", records: undefined });
    await refused(/type must be one of/, replace("a", "SOA", [soa.records[0].content]));
  });
});

describe("limits", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, place) => replace(`n${place}`, "A", ["192.0.2.1"], { ttl: 60 }));

  const BOTH = "at most 20,000 sets with 50,000 records together, in 8 MiB";

  test("a request may have 20,000 sets, and no more", async () => {
    const { status, body } = await client.patch(zone.name, many(20_001));
    expect([status, body.error]).toEqual([422, `rrsets must have ${BOTH}.`]);
    await changed(
      ...many(5_000),
      ...many(20_000)
        .slice(5_000)
        .map((each) => ({ ...each, changetype: "DELETE" })),
    );
    expect(await zone.records()).toHaveLength(5_000);
  });

  test("a request may have 50,000 records together, and no more", async () => {
    const records = Array.from({ length: 25_001 }, () => ({ content: "192.0.2.1" }));
    const { status, body } = await client.patch(
      zone.name,
      many(2).map((each) => ({ ...each, records })),
    );
    expect([status, body.error]).toEqual([422, `rrsets must have ${BOTH}.`]);
    // Those of a deletion say nothing more.
    await changed(...many(2).map((each) => ({ ...each, changetype: "DELETE", records: records.slice(1) })));
  });

  test("a body of 8 MiB is read, and no larger one", async () => {
    const body = JSON.stringify({ rrsets: [] });
    const path = `/api/v1/servers/localhost/zones/${zone.name}.`;
    const most = 8 * 1024 * 1024;
    expect((await client.ask("PATCH", path, body.padEnd(most))).status).toBe(204);
    const answer = await client.ask("PATCH", path, body.padEnd(most + 1));
    expect([answer.status, answer.body]).toEqual([
      413,
      { error: `The body is too large: a request may have ${BOTH}, and without sets 1 MiB.` },
    ]);
  });

  test("what the plan allows is 422", async () => {
    const small = await stage.customer();
    const own = await small.zone();
    const sent = Array.from({ length: 501 }, (_, place) => ({
      name: `n${place}.${own.name}.`,
      type: "A",
      ttl: 60,
      changetype: "REPLACE",
      records: [{ content: "192.0.2.1" }],
    }));
    const { status, body } = await new PowerDnsClient(stage.selo, small.token).patch(own.name, sent);
    expect([status, body.error]).toEqual([422, expect.stringContaining("500")]);
  });
});

test("members that nothing reads are ignored, and any media type is read as JSON", async () => {
  const rrset = {
    ...replace("a", "A", null),
    kind: "Master",
    records: [{ name: "x", type: "A", ttl: 1, content: "192.0.2.1", "set-ptr": false }],
  };
  const path = `/api/v1/servers/localhost/zones/${zone.name}.?unknown=1`;
  for (const type of [
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
  ]) {
    const body = JSON.stringify({ rrsets: [rrset], kind: "Native", unknown: {} });
    expect((await client.ask("PATCH", path, body, { headers: { "content-type": type } })).status, type).toBe(204);
  }
  expect(await contents()).toEqual(["192.0.2.1"]);
});

test("internationalized names become their A-labels", async () => {
  await changed(replace("bücher", "A", ["192.0.2.1"]));
  expect((await zone.records())[0]?.name).toBe(`xn--bcher-kva.${zone.name}`);
});

test("two clients that change one set at once follow each other", async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, place) =>
      client.patch(zone.name, [change("EXTEND", "a", "A", [`192.0.2.${place}`])]),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(204));
  expect(await zone.records()).toHaveLength(8);
});
