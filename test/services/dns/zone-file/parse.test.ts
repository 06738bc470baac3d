// The reader of zone files: RFC 1035 §5.1, RFC 2308 §4, and what BIND adds.
import { describe, expect, test } from "vitest";
import { FileWarnings } from "../../../../src/services/dns/zone-file/file-warnings.ts";
import { parseZoneFile } from "../../../../src/services/dns/zone-file/parse-zone-file.ts";
import type { ParsedRecord } from "../../../../src/services/dns/zone-file/zone-record.ts";

const ZONE = "example.test";

/** Records as `name ttl type [priority] content`, without the zone in names below it. */
const read = (file: string, zone = ZONE) =>
  [...parseZoneFile(file, zone)].map(({ name, ttl, type, priority, content }) =>
    [
      name === zone ? "@" : name.endsWith(`.${zone}`) ? `${name.slice(0, -zone.length - 1)}+` : name,
      ttl,
      type,
      ...(priority === null ? [] : [priority]),
      content,
    ].join(" "),
  );

const A = "A 192.0.2.1";

test.each<[what: string, file: string, records: readonly string[]]>([
  ["an empty file", "", []],
  ["blank lines and comments", "\n  \n; nothing\n\t; nothing\n()\n( ; nothing\n)\n", []],
  ["a byte order mark", `\ufeffwww ${A}\n`, [`www+ 3600 ${A}`]],
  ["a last line without an end", `www ${A}`, [`www+ 3600 ${A}`]],
  ["line ends of Windows", `$TTL 60\r\nwww ${A}\r\n\r\n; x\r\n  TXT "a" ; y\r\n`, [`www+ 60 ${A}`, "www+ 60 TXT a"]],
  ["line ends of old computers", `www ${A}\r  TXT a\r`, [`www+ 3600 ${A}`, "www+ 3600 TXT a"]],
  ["tabs", `www\t\tA\t \t192.0.2.1\t\n`, [`www+ 3600 ${A}`]],
  ["upper case", `WWW in a 192.0.2.1\nx Cname WWW.Example.NET.`, [`www+ 3600 ${A}`, "x+ 3600 CNAME www.example.net"]],
  ["a comment right behind a word", `www ${A};x\n`, [`www+ 3600 ${A}`]],
  [
    "whole and relative owners",
    `a ${A}\na.b ${A}\na.${ZONE}. ${A}\na.${ZONE} ${A}`,
    [`a+ 3600 ${A}`, `a.b+ 3600 ${A}`, `a+ 3600 ${A}`, `a.${ZONE}+ 3600 ${A}`],
  ],
  ["owners elsewhere, and the root", `www.example.net. ${A}\n. ${A}`, [`www.example.net 3600 ${A}`, ` 3600 ${A}`]],
  ["the apex", `@ ${A}\n${ZONE}. ${A}`, [`@ 3600 ${A}`, `@ 3600 ${A}`]],
  [
    "an owner that is left out",
    `www ${A}\n  AAAA ::1\n\t; x\n\n 60 TXT a\n`,
    [`www+ 3600 ${A}`, "www+ 3600 AAAA ::1", "www+ 60 TXT a"],
  ],
  [
    "owners that look like other words",
    `in ${A}\n300 ${A}\na ${A}\nmx MX 1 a`,
    [`in+ 3600 ${A}`, `300+ 3600 ${A}`, `a+ 3600 ${A}`, "mx+ 3600 MX 1 a.example.test"],
  ],
  [
    "wildcards, underscores, slashes",
    `* ${A}\n_a._b ${A}\n0/25 ${A}`,
    [`*+ 3600 ${A}`, `_a._b+ 3600 ${A}`, `0/25+ 3600 ${A}`],
  ],
  [
    "internationalized names",
    `größe ${A}\nx CNAME größe`,
    [`xn--gre-6ka8i+ 3600 ${A}`, "x+ 3600 CNAME xn--gre-6ka8i.example.test"],
  ],
  [
    "$ORIGIN",
    `$ORIGIN sub\na ${A}\n$origin net.\na ${A}\n@ ${A}\n$ORIGIN .\na ${A}`,
    [`a.sub+ 3600 ${A}`, `a.net 3600 ${A}`, `net 3600 ${A}`, `a 3600 ${A}`],
  ],
  ["an owner that stays with another origin", `a ${A}\n$ORIGIN sub\n ${A}`, [`a+ 3600 ${A}`, `a+ 3600 ${A}`]],
  [
    "$TTL",
    `$TTL 60\na ${A}\n$ttl 1h\na ${A}\na 5 ${A}\na ${A}`,
    [`a+ 60 ${A}`, `a+ 3600 ${A}`, `a+ 5 ${A}`, `a+ 3600 ${A}`],
  ],
  [
    "units",
    ["1", "1s", "2m", "3h", "4D", "5w", "1h30m", "1w2d3h4m5s", "0"].map((ttl) => `a ${ttl} ${A}`).join("\n"),
    [1, 1, 120, 10_800, 345_600, 3_024_000, 5_400, 788_645, 0].map((ttl) => `a+ ${ttl} ${A}`),
  ],
  [
    "TTL and class in either order, or absent",
    `a 60 IN ${A}\na IN 60 ${A}\na 60 ${A}\na IN ${A}`,
    Array(4).fill(`a+ 60 ${A}`),
  ],
  ["class 1", `a CLASS1 ${A}\na 60 class1 ${A}`, [`a+ 3600 ${A}`, `a+ 60 ${A}`]],
  ["the TTL of the record before", `a ${A}\na 60 ${A}\na ${A}`, [`a+ 3600 ${A}`, `a+ 60 ${A}`, `a+ 60 ${A}`]],
  [
    "the minimum of the SOA record",
    `@ SOA ns host 1 2 3 4 1h\na ${A}\n`,
    ["@ 3600 SOA ns host 1 2 3 4 1h", `a+ 3600 ${A}`],
  ],
  ["the TTL of the SOA record", `@ 77 SOA ns host 1 2 3 4 5\na ${A}\n`, ["@ 77 SOA ns host 1 2 3 4 5", `a+ 77 ${A}`]],
  [
    "parentheses over lines",
    `@ SOA ns host ( 1 ; serial\n 2\n3 4\n5 )\na TXT ( "a"\n(b) "c;" ) d\na (\n ${A} )`,
    ["@ 5 SOA ns host 1 2 3 4 5", 'a+ 5 TXT "a" "b" "c;" "d"', `a+ 5 ${A}`],
  ],
  ["parentheses inside words' neighbourhood", `a (${A})\nb(A)192.0.2.1`, [`a+ 3600 ${A}`, `b+ 3600 ${A}`]],
  ["a parenthesis before the owner", `( a ${A}\n)\nb ${A}`, [`a+ 3600 ${A}`, `b+ 3600 ${A}`]],
  ["a record with more behind the parenthesis", `a ( TXT\nx ) y\nb ${A}`, ['a+ 3600 TXT "x" "y"', `b+ 3600 ${A}`]],
  [
    "relative names in data",
    "a NS ns\na CNAME @\na PTR x.y\na MX 5 mail\na SRV 1 2 3 t\na ALIAS x\n$ORIGIN net.\na NS ns",
    [
      "a+ 3600 NS ns.example.test",
      "a+ 3600 CNAME example.test",
      "a+ 3600 PTR x.y.example.test",
      "a+ 3600 MX 5 mail.example.test",
      "a+ 3600 SRV 1 2 3 t.example.test",
      "a+ 3600 ALIAS x.example.test",
      "a.net 3600 NS ns.net",
    ],
  ],
  [
    "the root in data",
    "a MX 0 .\na SRV 1 2 3 .\na CNAME .",
    ["a+ 3600 MX 0 .", "a+ 3600 SRV 1 2 3 .", "a+ 3600 CNAME ."],
  ],
  [
    "CAA",
    'a CAA 0 issue "a\\"b\\;c"\na CAA 0 issue ca.test\na CAA 0 issue \\;\na CAA 0 issue "a\\000"\na CAA 0 issue \\195\\163\na CAA 0 issue ã',
    [
      'a+ 3600 CAA 0 issue "a\\"b;c"',
      'a+ 3600 CAA 0 issue "ca.test"',
      'a+ 3600 CAA 0 issue ";"',
      'a+ 3600 CAA 0 issue "a\\000"',
      'a+ 3600 CAA 0 issue "\\195\\163"',
      'a+ 3600 CAA 0 issue "\\195\\163"',
    ],
  ],
  [
    "types that are not served",
    'a TYPE65280 \\# 3 abcdef\na HINFO "x y" z\na DNSKEY 256 3 8 (AAAA\n BBBB)',
    ["a+ 3600 TYPE65280 \\# 3 abcdef", 'a+ 3600 HINFO "x y" z', "a+ 3600 DNSKEY 256 3 8 AAAA BBBB"],
  ],
  [
    "data of another form, as they stand",
    'a MX mail\na MX x mail\na SRV 1 2 3\na CNAME a b\na A 1 2\na A "192.0.2.1"\na CAA 0 issue\na MX 1 "m"',
    [
      "a+ 3600 MX mail",
      "a+ 3600 MX x mail",
      "a+ 3600 SRV 1 2 3",
      "a+ 3600 CNAME a b",
      "a+ 3600 A 1 2",
      'a+ 3600 A "192.0.2.1"',
      "a+ 3600 CAA 0 issue",
      'a+ 3600 MX 1 "m"',
    ],
  ],
  [
    "escapes in owners, as they stand",
    `a\\.b ${A}\na\\;b ${A}\n\\@ ${A}\na\\032b ${A}\nx\\. ${A}\nx\\\\. ${A}`,
    [
      `a\\.b+ 3600 ${A}`,
      `a\\;b+ 3600 ${A}`,
      `\\@+ 3600 ${A}`,
      `a\\032b+ 3600 ${A}`,
      `x\\.+ 3600 ${A}`,
      `x\\\\ 3600 ${A}`,
    ],
  ],
  [
    "escapes of what names have, in owners, targets and $ORIGIN",
    `\\052 ${A}\n\\095a\\._b ${A}\n\\065\\b ${A}\nx CNAME \\052.\\097\nx SRV 1 2 3 \\_a.net.\n\\042.0\\04725 ${A}\n$ORIGIN \\115ub\na ${A}\na\\256 ${A}`,
    [
      `*+ 3600 ${A}`,
      `_a\\._b+ 3600 ${A}`,
      `ab+ 3600 ${A}`,
      "x+ 3600 CNAME *.a.example.test",
      "x+ 3600 SRV 1 2 3 _a.net",
      `*.0/25+ 3600 ${A}`,
      `a.sub+ 3600 ${A}`,
      `a\\256.sub+ 3600 ${A}`,
    ],
  ],
  [
    "an origin at the end of an owner, as Office 365 writes it",
    `_sip._tls.@ 60 IN SRV 1 2 3 t.net.\n$ORIGIN net.\nx.@ CNAME y.@\na.\\@ ${A}\n$ORIGIN .\nx.@ ${A}`,
    ["_sip._tls+ 60 SRV 1 2 3 t.net", "x.net 60 CNAME y.net", `a.\\@.net 60 ${A}`, `x 60 ${A}`],
  ],
  [
    "[AGE:n] of Windows",
    `a [AGE:3640123] 600 ${A}\n [AGE:3640124]\t${A}\na IN [Aging:1] 60 ${A}`,
    [`a+ 600 ${A}`, `a+ 600 ${A}`, `a+ 60 ${A}`],
  ],
  [
    "RFC 3597: types by their numbers, and data in bytes",
    [
      "a TYPE1 192.0.2.1",
      "a A \\# 4 c0000201",
      "a type1 \\# ( 4 C000\n0201 )",
      "a TYPE28 \\# 16 20010db8000000000000000000000001",
      "a TYPE2 \\# 5 0161016200",
      "a CNAME \\# 7 016101420163 00",
      "a TYPE12 \\# 7 055f782e2079 00",
      "a TYPE15 \\# 3 000000",
      "a MX \\# 7 000a0161016200",
      "a TYPE00033 \\# 9 0001000200030161 00",
      "a TYPE16 \\# 2 0161",
      "a TXT \\# 6 016102 5cff00",
      "a TYPE257 \\# 9 0005697373756541 3b",
      "a TYPE65280 \\# 0",
      "a TYPE6 a b 1 2 3 4 5",
    ].join("\n"),
    [
      ...Array(3).fill(`a+ 3600 ${A}`),
      "a+ 3600 AAAA 2001:0db8:0000:0000:0000:0000:0000:0001",
      "a+ 3600 NS a.b",
      "a+ 3600 CNAME a.b.c",
      "a+ 3600 PTR _x\\046\\032y",
      "a+ 3600 MX 0 .",
      "a+ 3600 MX 10 a.b",
      "a+ 3600 SRV 1 2 3 a",
      "a+ 3600 TXT a",
      'a+ 3600 TXT "a" "\\\\\\255" ""',
      'a+ 3600 CAA 0 issue "A;"',
      "a+ 3600 TYPE65280 \\# 0",
      "a+ 5 SOA a b 1 2 3 4 5",
    ],
  ],
  ["the no-break spaces of a page", `a\u00a0${A}\n\u00a0${A}`, [`a+ 3600 ${A}`, `a+ 3600 ${A}`]],
  ["a quoted \\#, which is text", 'a TXT "\\#" 2 0161', ['a+ 3600 TXT "#" "2" "0161"']],
  ["other spaces beyond ASCII, which are letters", "a TXT x\u3000y\u2028z", ["a+ 3600 TXT x\u3000y\u2028z"]],
])("%s", (_, file, records) => {
  expect(read(file)).toEqual(records);
});

test("the zone may be a reverse zone", () => {
  expect(read("1 PTR host.example.net.", "2.0.192.in-addr.arpa")).toEqual(["1+ 3600 PTR host.example.net"]);
});

describe("a text", () => {
  const long = (length: number) => "x".repeat(length);
  test.each<[data: string, content: string]>([
    ["plain", "plain"],
    ['"with spaces; ( and )"', "with spaces; ( and )"],
    ['""', '""'],
    ['"a" "b"', '"a" "b"'],
    ["a b", '"a" "b"'],
    ['"a""b"c', '"a" "b" "c"'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    ['"\\"a"', '"\\"a"'],
    ["a\\;b\\(c\\ d", "a;b(c d"],
    ['"\\195\\163o"', "ão"],
    ['"ão 🎈"', "ão 🎈"],
    ["\\🎈", "🎈"],
    ['"\\255a"', '"\\255a"'],
    ['"\\000"', '"\\000"'],
    ['"a\tb"', '"a\\009b"'],
    ['"\\194\\133"', '"\\194\\133"'],
    ['"ã\\001"', '"\\195\\163\\001"'],
    ['" a "', " a "],
    [`"${long(255)}"`, long(255)],
    [`"${long(255)}" "${long(45)}"`, long(300)],
    [`"${long(254)}" "${long(46)}"`, `"${long(254)}" "${long(46)}"`],
    [`"${long(255)}" ""`, `"${long(255)}" ""`],
    [`"${long(300)}"`, long(300)],
    [`"${long(300)}" "a"`, `"${long(255)}" "${long(45)}" "a"`],
    [`"${"\\195\\163".repeat(200)}"`, "ã".repeat(200)],
    [`"${long(254)}\\195" "\\163"`, `${long(254)}ã`],
  ])("%s is %s", (data, content) => {
    expect([...parseZoneFile(`a TXT ${data}`, ZONE)]).toEqual([
      { line: 1, name: `a.${ZONE}`, type: "TXT", ttl: 3600, content, priority: null, disabled: false, comment: null },
    ]);
  });
});

test.each<[file: string, comments: readonly (string | null)[]]>([
  [`a ${A} ; web server cf_tags=cf-proxied:true`, ["web server cf_tags=cf-proxied:true"]],
  [`a ${A};x\n; of nobody\n  ; of nobody\nb ${A}`, ["x", null]],
  [`a ${A} ;\nb ${A} ;;; \t\nc ${A} ;; two  words\t\r\n`, [null, null, "two words"]],
  [`a TXT ( "x" ; one\n"y" ) ; two\nb ${A}`, ["one; two", null]],
  [`( ; of nobody\na ${A} )`, [null]],
  [`a TXT "a;b" \\; ; c "d`, ['c "d']],
  [`;selo {"comment":"ours"}\na ${A} ; theirs\n;selo record b ${A} ; shown`, ["ours", "shown"]],
  [`a ${A} ; é\u0085\u001b[31m`, ["é [31m"]],
  [`a ${A} ; ${"😀".repeat(500)}`, ["😀".repeat(500)]],
  [`a ${A} ; ${"😀".repeat(501)}`, ["😀".repeat(500)]],
  [`a ${A} ; ${"x".repeat(70_000)}`, ["x".repeat(500)]],
])("a comment behind ; becomes the comment of its record: %j", (file, comments) => {
  expect([...parseZoneFile(file, ZONE)].map(({ comment }) => comment)).toEqual(comments);
});

test.each<[file: string, warnings: readonly string[]]>([
  [
    `www CNAME host.example.com\na MX 10 Mail.Example.Com\na MX 10 mail\na MX 1 x.y\na SRV 1 2 3 a.${ZONE}\na CNAME x.com.`,
    ["final_dot_missing line 1, line 2, line 5"],
  ],
  [
    `www.${ZONE} ${A}\n${ZONE} ${A}\nx.com ${A}\n$ORIGIN .\n${ZONE} ${A}\na CNAME ${ZONE}`,
    ["final_dot_missing line 1, line 2"],
  ],
  [
    `$ORIGIN sub\n$ORIGIN @\n$ORIGIN sub.@\n$ORIGIN ${ZONE}.\n$ORIGIN ${ZONE}`,
    ["origin_without_dot line 1, line 5", "final_dot_missing line 5"],
  ],
  [
    `a TXT ( "v=DKIM1; "\n"p=x" )\nb (${A})\n(c TXT x)\nc TXT "(x)" \\(\nd ( TXT x )`,
    ["text_in_parentheses line 1, line 6"],
  ],
  [
    `a TXT "${"x".repeat(255)}"\nb TXT ${"x".repeat(256)}\nc TXT "x" "${"é".repeat(128)}"`,
    ["text_split line 2, line 3"],
  ],
  [`a ${A} ; ${"x".repeat(501)}`, ["comment_cut line 1"]],
  // ns1.page is a name of the file, though .page is a public suffix.
  ["a NS ns1.page\nb NS ns2.page\nNS1.page A 192.0.2.1", ["final_dot_missing line 2"]],
  [
    "a CNAME x.com\n".repeat(25),
    [`final_dot_missing ${Array.from({ length: 20 }, (_, place) => `line ${place + 1}`).join(", ")}, 5 more`],
  ],
])("warns of %j", (file, expected) => {
  const warnings = new FileWarnings();
  for (const _ of parseZoneFile(file, ZONE, warnings));
  expect(warnings.all().map(({ code, message }) => `${code} ${message.split(": ")[0]}`)).toEqual(expected);
});

describe("lines of Selo", () => {
  const plain = {
    line: 1,
    name: `a.${ZONE}`,
    type: "A",
    ttl: 60,
    content: "192.0.2.1",
    priority: null,
    disabled: false,
    comment: null,
  };
  const record = `a 60 ${A}`;
  test.each<[file: string, records: readonly Partial<ParsedRecord>[]]>([
    [`;selo {"comment":"é \\"x\\"\\n"}\n${record}\n${record}`, [{ line: 2, comment: 'é "x"\n' }, { line: 3 }]],
    [`;selo {"disabled":true}\n;selo record ${record}`, [{ line: 2, disabled: true }]],
    [`;selo {"disabled":false}\r\n\r\n; x\r\n${record}`, [{ line: 4 }]],
    [`;selo {"content":"x"}\n${record}`, [{ line: 2, content: "x" }]],
    [`;selo {}\n${record}`, [{ line: 2 }]],
    [`;selo record ${record}`, [{}]],
    [`;selo record a 60 ( A\n 192.0.2.1 )`, [{}]],
    [`${record}\n 60 TXT x\n;selo record ${record}`, [{}, { line: 2, type: "TXT", content: "x" }, { line: 3 }]],
    [`${record}\n;selo record  60 TXT x`, [{}, { line: 2, type: "TXT", content: "x" }]],
    [`;selo\n;selofan {\n ;selo {\n; selo {\n;Selo {\n(\n;selo {\n)${record}`, [{ line: 8 }]],
  ])("%j", (file, records) => {
    expect([...parseZoneFile(file, ZONE)]).toEqual(records.map((each) => ({ ...plain, ...each })));
  });
});
