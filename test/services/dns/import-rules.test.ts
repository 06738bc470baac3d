// Which records of a zone file are imported, and which are skipped: issue "DNS hosting I" §4.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { importFile, recordsIn, skippedIn } from "./import-stage.ts";

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());
beforeEach(async () => {
  zone = await customer.zone();
});

const A = "A 192.0.2.1";
const names = async () =>
  (await recordsIn(zone)).map((line) => line.replaceAll(`${zone.name} `, "@ ").replaceAll(`.@ `, " "));

test.each<[file: string, skipped: readonly string[], kept: readonly string[]]>([
  [`a CNAME x.y.\na ${A}\na TXT t`, ["2 validation", "3 validation"], ["a 3600 CNAME x.y"]],
  [`a ${A}\na CNAME x.y.\na TXT t`, ["2 validation"], [`a 3600 ${A}`, "a 3600 TXT t"]],
  ["a CNAME x.y.\na CNAME y.z.", ["2 validation"], ["a 3600 CNAME x.y"]],
  ["a CNAME x.y.\na CNAME x.y.", ["2 exists"], ["a 3600 CNAME x.y"]],
  [`a A x\na CNAME x.y.`, ["1 validation"], ["a 3600 CNAME x.y"]],
  [`;selo {"disabled":true}\na CNAME x.y.\na ${A}`, ["3 validation"], ["a 3600 CNAME x.y disabled"]],
  [`@ CNAME x.y.\n@ ${A}`, ["1 validation"], [`@ 3600 ${A}`]],
  [
    `a ALIAS x.y.\na ${A}\na AAAA ::1\na ALIAS y.z.\na TXT t`,
    ["2 validation", "3 validation", "4 validation"],
    ["a 3600 ALIAS x.y", "a 3600 TXT t"],
  ],
  [`a ${A}\na ALIAS x.y.`, ["2 validation"], [`a 3600 ${A}`]],
  ["@ ALIAS x.y.\n@ MX 1 x.y.", [], ["@ 3600 ALIAS x.y", "@ 3600 MX 1 x.y"]],
  ["a MX 0 .\na MX 1 x.y.\na MX 0 .", ["2 validation", "3 exists"], ["a 3600 MX 0 ."]],
  ["a MX 1 x.y.\na MX 0 .", ["2 validation"], ["a 3600 MX 1 x.y"]],
  ["a MX 1 .", ["1 validation"], []],
  ["a MX 1 x.y.\na MX 2 x.y.\na MX 1 X.Y.", ["3 exists"], ["a 3600 MX 1 x.y", "a 3600 MX 2 x.y"]],
  ['a TXT t\na TXT "\\116"\nA TXT "t"\na TXT "" t', ["2 exists", "3 exists"], ["a 3600 TXT t", 'a 3600 TXT "" "t"']],
  ["a AAAA 2001:db8::1\na AAAA 2001:DB8:0:0::1", ["2 exists"], ["a 3600 AAAA 2001:db8::1"]],
  [`a ${A}\na 60 ${A}`, ["2 exists"], [`a 60 ${A}`]],
  [`a 60 ${A}\na 90 A 192.0.2.2`, [], ["a 90 A 192.0.2.1", "a 90 A 192.0.2.2"]],
  [
    `@ SOA a b 1 2 3 4 3600\n@ NS x.y.\nsub NS x.y.\nsub SOA a b 1 2 3 4 5`,
    ["1 apex", "2 apex", "4 type_not_supported"],
    ["sub 3600 NS x.y"],
  ],
  ["* NS x.y.", ["1 validation"], []],
  [
    `a\\.b ${A}\na..b ${A}\na.*.b ${A}\n*.b ${A}\n${"a".repeat(64)} ${A}`,
    ["1 validation", "2 validation", "3 validation", "5 validation"],
    [`*.b 3600 ${A}`],
  ],
  [
    `a CAA 0 issue "ca.test"\na CAA 256 issue "ca.test"\na CAA 0 issue "\\000"\na CAA 0 issue c\\097\\.test\na CAA 0 issue "a\\;b"`,
    ["2 validation", "4 exists"],
    ['a 3600 CAA 0 issue "ca.test"', 'a 3600 CAA 0 issue "\\000"', 'a 3600 CAA 0 issue "a;b"'],
  ],
  [
    "a SRV 1 2 3 x.y.\na SRV 1 2 65536 x.y.\na SRV 65536 2 3 x.y.\na SRV 1 2 x.y.",
    ["2 validation", "3 validation", "4 validation"],
    ["a 3600 SRV 1 2 3 x.y"],
  ],
  [
    `a TXT "${"x".repeat(300)}"\na TXT "${"x".repeat(255)}" x`,
    [],
    [`a 3600 TXT ${"x".repeat(300)}`, `a 3600 TXT ${"x".repeat(256)}`],
  ],
  [
    `a TXT ${'"xxxxxxxxxxxxxxx" '.repeat(1092)}\nb TXT ${'"xxxxxxxxxxxxxxx" '.repeat(1093)}`,
    ["2 validation"],
    [`a 3600 TXT ${Array(1092).fill('"xxxxxxxxxxxxxxx"').join(" ")}`],
  ],
  [
    `;selo {"comment":"${"x".repeat(501)}"}\na ${A}\n;selo {"comment":"${"é".repeat(500)}"}\nb ${A}\n;selo {"comment":"a\\nb"}\nc ${A}\n;selo {"comment":""}\nd ${A}`,
    ["2 validation", "6 validation"],
    [`b 3600 ${A} ; ${"é".repeat(500)}`, `d 3600 ${A}`],
  ],
  [
    "other.test. A 192.0.2.1\n. A 192.0.2.1\n$ORIGIN test.\na A 192.0.2.1\n$ORIGIN .\na HINFO a b",
    ["1 out_of_zone", "2 out_of_zone", "4 out_of_zone", "6 out_of_zone"],
    [],
  ],
])("%j", async (file, skipped, kept) => {
  const body = await importFile(zone, file);
  expect(skippedIn(body)).toEqual(skipped);
  expect(body).toMatchObject({ imported: kept.length, skipped: skipped.length });
  expect(await names()).toEqual(kept);
});

/** What Z stands for in files of others, and the answer with Z for the name of the zone. */
async function importOf(file: string, options = {}) {
  const { warnings, ...body } = await importFile(zone, file.replaceAll("Z", zone.name), options);
  return {
    skipped: skippedIn(body),
    warnings: warnings.map(
      ({ code, message }: { code: string; message: string }) =>
        `${code} ${message.split(":")[0]?.replaceAll(zone.name, "Z")}`,
    ),
  };
}

describe("files of public reports", () => {
  test("Route 53 writes * as \\052, in octal digits; other digits are decimal", async () => {
    expect(
      await importOf(`\\052.Z. 300 IN ${A}\n\\137dmarc.Z. 300 IN TXT "v=DMARC1"\n_a\\137b 300 CNAME a.example.net.`),
    ).toEqual({
      skipped: ["2 validation", "3 validation"],
      warnings: [],
    });
    expect(await importOf(`\\095dmarc.Z. 300 IN TXT "v=DMARC1"\n\\042.a 300 ${A}\na\\052 300 ${A}`)).toEqual({
      skipped: [],
      warnings: [],
    });
    expect(await names()).toEqual([`*.a 300 ${A}`, `* 300 ${A}`, "_dmarc 300 TXT v=DMARC1", `a4 300 ${A}`]);
  });

  test("Cloudflare: proxied records with TTL 1 and comments, a CNAME beside MX", async () => {
    const file = `;;\n;; Domain: Z.\n$ORIGIN .\nZ 3600 IN SOA Z. root.Z. ( 2027625208 ; serial\n 7200 3600 ; refresh\n 86400 3600)\nwww.Z. 1 IN ${A} ; web server cf_tags=cf-proxied:true\ne.Z. 300 IN CNAME Z.\ne.Z. 300 IN MX 10 mx.example.net.\n`;
    expect(await importOf(file, { clamp_ttl: true })).toEqual({
      skipped: ["4 apex", "9 validation"],
      warnings: ["ttl_clamped 1 record got the nearest TTL of 60 to 86400 seconds.", "cname_not_alone e.Z"],
    });
    expect(await names()).toEqual([`e 300 CNAME ${zone.name}`, `www 60 ${A} ; web server cf_tags=cf-proxied:true`]);
  });

  test("a DKIM key in one string, SPF twice, parentheses, missing dots, an MX that leads to a CNAME", async () => {
    const key = `v=DKIM1; k=rsa; p=${"A".repeat(392)}`;
    const file = `@ TXT "v=spf1 a -all"\n@ TXT ( "V=SPF1 "\n"mx -all" )\ndk._domainkey TXT "${key}"\n@ MX 10 mail\nmail CNAME mail.example.com\n`;
    const answer = {
      skipped: [] as string[],
      warnings: [
        "text_in_parentheses line 2",
        "text_split line 4",
        "final_dot_missing line 6",
        "two_spf Z",
        "target_is_cname mail.Z",
      ],
    };
    expect(await importOf(file, { dry_run: true })).toEqual(answer);
    expect(await names()).toEqual([]);
    expect(await importOf(file)).toEqual(answer);
    expect(await names()).toContain(`dk._domainkey 3600 TXT ${key}`);
    // The zone has them already, and they are as odd as before.
    expect((await importOf(file)).warnings).toEqual(answer.warnings);
  });

  test("Windows and Office 365: [AGE:n], owners that end in .@, RFC 3597", async () => {
    const file = `@ [AGE:3640123] 600 ${A}\nhost [AGE:3640124] 1200 A 192.0.2.10\n_sip._tls.@ 3600 IN SRV 100 1 443 sipdir.online.lync.com.\nu3 TYPE1 \\# 4 c0000202\nu4 TYPE16 \\# 2 0161\n`;
    expect(await importOf(file)).toEqual({ skipped: [], warnings: [] });
    expect((await names()).toSorted()).toEqual(
      [
        `@ 600 ${A}`,
        "_sip._tls 3600 SRV 100 1 443 sipdir.online.lync.com",
        "host 1200 A 192.0.2.10",
        "u3 3600 A 192.0.2.2",
        "u4 3600 TXT a",
      ].toSorted(),
    );
  });
});

test.each<[file: string, warnings: readonly string[]]>([
  ['a TXT "v=spf1 -all"\n;selo {"disabled":true}\na TXT "v=spf1 a -all"', []],
  ['a TXT "v=spf10"\na TXT "v=spf1"\nb TXT "v=spf1 -all"', []],
  ['a TXT "v=spf1"\na TXT "v=sp" "f1 -all"', []],
  ["@ MX 10 a\na A 192.0.2.1\nsub NS b\nb CNAME a", ["target_is_cname b.Z"]],
  ["sub NS b.example.net.\nsub CNAME a", ["cname_not_alone sub.Z"]],
  ["@ MX 10 a\n@ CNAME a", []],
  ["a MX 10 x!\na TXT t", []],
  ["a CNAME b\na A 192.0.2.1", []],
  [
    [..."mbkdjaclehifg"].map((name) => `${name} TXT "v=spf1"\n${name} TXT "v=spf1 -all"`).join("\n"),
    [`two_spf ${[..."abcdefghijklm"].map((name) => `${name}.Z`).join(", ")}`],
  ],
])("warnings about records together: %j", async (file, warnings) => {
  expect((await importOf(file)).warnings).toEqual(warnings);
});

test("an MX or SRV without a priority is skipped, because it is required", async () => {
  const body = await importFile(zone, "a MX x.y.\nb SRV 5 443 x.y.\nc MX 65536 x.y.\nd MX 0010 x.y.");
  expect(body.skipped_records.map(({ detail }: { detail: string }) => detail)).toEqual([
    "priority is required for MX.",
    "priority is required for SRV.",
    "priority must be 0 to 65535.",
  ]);
});

test("a name that only ends like the zone is no name of the zone", async () => {
  const body = await importFile(zone, `x${zone.name}. ${A}\nx.${zone.name}. ${A}\n${zone.name.toUpperCase()}. ${A}`);
  expect(skippedIn(body)).toEqual(["1 out_of_zone"]);
});

test("records of the zone stand before those of the file", async () => {
  await zone.add({ name: "a", type: "CNAME", content: "x.y" });
  await zone.add({ name: "b", type: "A", content: "192.0.2.1", disabled: true });
  await zone.add({ name: "c", type: "ALIAS", content: "x.y" });
  await zone.add({ name: "d", type: "MX", content: ".", priority: 0 });
  await zone.add({ name: "e", type: "TXT", content: '"t"', ttl: 60 });
  const before = await names();
  const body = await importFile(
    zone,
    `a ${A}\na CNAME y.z.\na CNAME x.y.\nb CNAME x.y.\nb ${A}\nc ${A}\nd MX 1 x.y.\ne 90 TXT t\n`,
  );
  expect(skippedIn(body)).toEqual([
    "1 validation",
    "2 validation",
    "3 exists",
    "4 validation",
    "5 exists",
    "6 validation",
    "7 validation",
    "8 exists",
  ]);
  expect(await names()).toEqual(before);
});

test("a set takes 64,000 bytes, and none after the first that does not fit", async () => {
  const text = (place: number, length: number) =>
    `a TXT ${Array.from({ length: length / 250 }, () => `"${String(place).padEnd(249, "x")}"`).join(" ")}`;
  const file = [
    ...Array.from({ length: 3 }, (_, place) => text(place, 16_000)),
    text(3, 15_000),
    text(4, 2_000),
    text(5, 750),
  ].join("\n");
  const body = await importFile(zone, file);
  expect(skippedIn(body)).toEqual(["5 validation", "6 validation"]);
  expect(body.skipped_records[0].detail).toBe("The records of the name and type have more than 64,000 bytes together.");
  expect(skippedIn(await importFile(zone, text(6, 1_000)))).toEqual(["1 validation"]);
  expect(skippedIn(await importFile(zone, text(6, 16_000), { replace: true }))).toEqual([]);
});

describe("a TTL out of range", () => {
  const file = `a 59 ${A}\nb 60 ${A}\nc 86400 ${A}\nd 86401 ${A}\ne 0 ${A}\nf 4294967295 ${A}\n`;
  test("is skipped, and a warning names the option", async () => {
    const body = await importFile(zone, file);
    expect(skippedIn(body)).toEqual(["1 validation", "4 validation", "5 validation", "6 validation"]);
    expect(body.skipped_records[0].detail).toBe("ttl must be 60 to 86400 seconds.");
    expect(body.warnings).toEqual([
      { code: "ttl_out_of_range", message: expect.stringMatching(/^4 records .*clamp_ttl.*\.$/) },
    ]);
    expect(await names()).toEqual([`b 60 ${A}`, `c 86400 ${A}`]);
  });
  test("of one record is said of one", async () => {
    const said = async (options: object) =>
      (await importFile(zone, `a 59 ${A}\n`, { dry_run: true, ...options })).warnings[0].message;
    expect(await said({})).toMatch(/^1 record skipped: .* clamp_ttl /);
    expect(await said({ clamp_ttl: true })).toMatch(/^1 record got /);
  });
  test("becomes the nearest with clamp_ttl, and a warning says so", async () => {
    const body = await importFile(zone, `${file}g 1 A x\n`, { clamp_ttl: true });
    expect(skippedIn(body)).toEqual(["7 validation"]);
    expect(body.warnings).toContainEqual({ code: "ttl_clamped", message: expect.stringMatching(/^4 records .*\.$/) });
    expect(await names()).toEqual([
      `a 60 ${A}`,
      `b 60 ${A}`,
      `c 86400 ${A}`,
      `d 86400 ${A}`,
      `e 60 ${A}`,
      `f 86400 ${A}`,
    ]);
  });
});

describe("replace", () => {
  test("deletes what the file lacks, and keeps the ids of what stays", async () => {
    const [same, ttl, comment, state] = [
      await zone.add({ name: "same", type: "A", content: "192.0.2.1" }),
      await zone.add({ name: "ttl", type: "TXT", content: "t" }),
      await zone.add({ name: "comment", type: "A", content: "192.0.2.1", comment: "old" }),
      await zone.add({ name: "state", type: "A", content: "192.0.2.1", disabled: true }),
    ];
    await zone.add({ name: "gone", type: "CNAME", content: "x.y" });
    const serial = await zone.serial();
    const file = `$TTL 3600\nsame ${A}\nttl 60 TXT t\n;selo {"comment":"new"}\ncomment ${A}\nstate ${A}\ngone ${A}\n`;
    expect(await importFile(zone, file, { replace: true })).toEqual({
      imported: 4,
      deleted: 1,
      skipped: 1,
      skipped_records: [{ line: 2, name: same.name, type: "A", reason: "exists", detail: "The zone has the record." }],
      warnings: [],
      serial: serial + 1,
      dry_run: false,
    });
    const records = await zone.records();
    expect(records.filter(({ name }) => !name.startsWith("gone"))).toEqual([
      { ...comment, comment: "new" },
      same,
      { ...state, disabled: false },
      { ...ttl, ttl: 60 },
    ]);
    expect(await zone.records("?name=gone")).toMatchObject([{ type: "A" }]);
    const again = await importFile(zone, file, { replace: true });
    expect(again).toMatchObject({ imported: 0, deleted: 0, skipped: 5, serial: serial + 1 });
  });

  test("with an empty file empties the zone", async () => {
    await importFile(zone, `a ${A}\nb ${A}`);
    expect(await importFile(zone, "", { replace: true })).toMatchObject({ imported: 0, deleted: 2 });
    expect(await zone.records()).toEqual([]);
  });

  test("counts what stays in a set once", async () => {
    const texts = (ttl: number, from: number, to: number) =>
      Array.from(
        { length: to - from },
        (_, place) => `a ${ttl} TXT ${`"${String(from + place).padEnd(199, "x")}" `.repeat(50)}`,
      ).join("\n");
    expect(await importFile(zone, texts(60, 0, 6))).toMatchObject({ imported: 6, skipped: 0 });
    expect(await importFile(zone, texts(90, 0, 6), { replace: true })).toMatchObject({
      imported: 6,
      skipped: 0,
      deleted: 0,
    });
    // Five stay, one goes and one comes; then two more are too many.
    expect(await importFile(zone, texts(90, 1, 7), { replace: true })).toMatchObject({
      imported: 1,
      skipped: 5,
      deleted: 1,
    });
    const body = await importFile(zone, `b ${A}\n${texts(90, 2, 9)}`, { replace: true });
    expect(body).toMatchObject({ imported: 2, skipped: 6, deleted: 1 });
    expect(body.skipped_records.at(-1)).toMatchObject({ line: 8, reason: "validation" });
  });

  test("may turn CNAME into A and back, and move a set to another TTL", async () => {
    await importFile(zone, `a CNAME x.y.\nb ${A}\nb A 192.0.2.2`);
    expect(skippedIn(await importFile(zone, `a ${A}\nb CNAME x.y.`, { replace: true }))).toEqual([]);
    expect(await names()).toEqual([`a 3600 ${A}`, "b 3600 CNAME x.y"]);
    expect(skippedIn(await importFile(zone, `a 60 ${A}\na 60 A 192.0.2.2`, { replace: true }))).toEqual([]);
    expect(await names()).toEqual([`a 60 ${A}`, `a 60 A 192.0.2.2`]);
  });

  test("takes the last TTL of a set, so that the same file again changes nothing", async () => {
    const file = `mixed 300 ${A}\nmixed 600 A 192.0.2.2`;
    await importFile(zone, file, { replace: true });
    const again = await importFile(zone, file, { replace: true });
    expect(again).toMatchObject({ imported: 0, deleted: 0, skipped: 2 });
    expect(await names()).toEqual([`mixed 600 ${A}`, "mixed 600 A 192.0.2.2"]);
  });
});

describe("the plan's limit", () => {
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, place) => `${prefix}${place} ${A}`);

  test("is filled up in the order of the file", async () => {
    const free = await stage.customer({ plan: "free" });
    const [other, own] = [await free.zone(), await free.zone()];
    expect(await importFile(other, many("a", 100).join("\n"))).toMatchObject({ imported: 100 });
    const body = await importFile(
      own,
      [...many("b", 399), "x A x", "last A 192.0.2.1", "over A 192.0.2.1", "b0 A 192.0.2.1"].join("\n"),
    );
    expect(body).toMatchObject({ imported: 400, skipped: 3 });
    expect(skippedIn(body)).toEqual(["400 validation", "402 limit", "403 exists"]);
    expect(body.skipped_records[1].detail).toBe(
      "The plan of your organization allows 500 records in all zones together.",
    );
    expect(await free.usage()).toEqual({ counted: [2, 500], real: [2, 500] });
    // With replace, the records that go make room.
    expect(await importFile(own, many("c", 401).join("\n"), { replace: true })).toMatchObject({
      imported: 400,
      deleted: 400,
      skipped: 1,
    });
    expect(await importFile(own, many("d", 500).join("\n"), { replace: true, dry_run: true })).toMatchObject({
      imported: 400,
      skipped: 100,
    });
    expect(await free.usage()).toEqual({ counted: [2, 500], real: [2, 500] });
  });
});
