// The lines of an exported zone file.
import { expect, test } from "vitest";
import { writeZoneFile } from "../../../../src/services/dns/zone-file/write-zone-file.ts";
import type { ZoneRecord } from "../../../../src/services/dns/zone-file/zone-record.ts";

const NAME = "example.test";
const plain = { name: NAME, type: "A", ttl: 60, content: "192.0.2.1", priority: null, disabled: false, comment: null };

const linesOf = (record: Partial<ZoneRecord>) =>
  [...writeZoneFile({ name: NAME, serial: 1, apex: [], records: [{ ...plain, ...record }] })]
    .join("")
    .split("\n")
    .slice(2, -1);

test("the head, and what is served at the apex", () => {
  const file = writeZoneFile({
    name: NAME,
    serial: 7,
    apex: [
      { type: "SOA", content: "ns1.selo.test hostmaster.selo.test 7 10800 3600 604800 300", ttl: 3_600 },
      { type: "NS", content: "ns1.selo.test.", ttl: 300 },
    ],
    records: [],
  });
  expect([...file].join("")).toBe(
    `; Zone example.test, serial 7. Lines that begin with ";selo" are for Selo.
$ORIGIN example.test.
@ 3600 IN SOA ns1.selo.test. hostmaster.selo.test. 7 10800 3600 604800 300
@ 300 IN NS ns1.selo.test.
`,
  );
});

test.each<[record: Partial<ZoneRecord>, lines: readonly string[]]>([
  [{}, ["@ 60 IN A 192.0.2.1"]],
  [{ name: `www.${NAME}` }, ["www 60 IN A 192.0.2.1"]],
  [{ name: `*.a.${NAME}`, ttl: 86_400 }, ["*.a 86400 IN A 192.0.2.1"]],
  [{ name: `${NAME}.${NAME}` }, ["example.test 60 IN A 192.0.2.1"]],
  [{ type: "AAAA", content: "2001:db8::1" }, ["@ 60 IN AAAA 2001:db8::1"]],
  [{ type: "CNAME", content: "a.b" }, ["@ 60 IN CNAME a.b."]],
  [{ type: "NS", content: `ns.${NAME}` }, ["@ 60 IN NS ns.example.test."]],
  [{ type: "PTR", content: "a.b" }, ["@ 60 IN PTR a.b."]],
  [{ type: "MX", content: "a.b", priority: 0 }, ["@ 60 IN MX 0 a.b."]],
  [{ type: "MX", content: ".", priority: 0 }, ["@ 60 IN MX 0 ."]],
  [{ type: "SRV", content: "1 2 a.b", priority: 3 }, ["@ 60 IN SRV 3 1 2 a.b."]],
  [{ type: "SRV", content: "1 2 .", priority: 3 }, ["@ 60 IN SRV 3 1 2 ."]],
  [{ type: "CAA", content: '0 issue "a;\\"b"' }, ['@ 60 IN CAA 0 issue "a;\\"b"']],
  [{ type: "TXT", content: 'a "b" \\ ; ã' }, ['@ 60 IN TXT "a \\"b\\" \\\\ ; \\195\\163"']],
  [{ type: "TXT", content: '"a" ""' }, ['@ 60 IN TXT "a" ""']],
  [{ type: "TXT", content: "x".repeat(256) }, [`@ 60 IN TXT "${"x".repeat(255)}" "x"`]],
  [{ type: "TXT", content: '"a"' }, [';selo {"content":"\\"a\\""}', '@ 60 IN TXT "a"']],
  [{ type: "TXT", content: '"a"  "b"' }, [';selo {"content":"\\"a\\"  \\"b\\""}', '@ 60 IN TXT "a" "b"']],
  [{ comment: 'a "b"' }, [';selo {"comment":"a \\"b\\""}', "@ 60 IN A 192.0.2.1"]],
  [{ disabled: true }, [';selo {"disabled":true}', ";selo record @ 60 IN A 192.0.2.1"]],
  [{ type: "ALIAS", content: "a.b" }, [";selo record @ 60 IN ALIAS a.b."]],
  [
    { type: "ALIAS", content: "a.b", disabled: true, comment: "c" },
    [';selo {"disabled":true,"comment":"c"}', ";selo record @ 60 IN ALIAS a.b."],
  ],
])("%j", (record, lines) => {
  expect(linesOf(record)).toEqual(lines);
});
