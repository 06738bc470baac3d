// Contents are judged by us, by BIND and by dnspython: issue "DNS hosting I" §7.
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { byLane } from "../../support/lane.ts";
import { type Generated, generatedAddresses, generatedContents, generatedHosts } from "./generated-contents.ts";
import { askNamed, lineOf } from "./named-checkzone.ts";

const SEED = 18;
/** So many contents are judged. */
const CONTENTS = byLane({ lane: 2_000, full: 10_000 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

interface Judged {
  readonly content: string | null;
  readonly field: string | null;
  readonly fault: string | null;
}

/** What `dns.judge_record` says to each, in one statement. */
async function judge(records: readonly Generated[]): Promise<readonly Judged[]> {
  const { rows } = await database.admin.query<Judged>(
    `select case when judged.fault is null then (judged.draft).content end as content, judged.field, judged.fault
     from jsonb_array_elements($1::jsonb) with ordinality as given (value, place)
     cross join lateral dns.judge_record('example.test', row(null, 'r' || given.place, given.value ->> 'type', given.value ->> 'content',
       3600, (given.value ->> 'priority')::integer, false, null)::dns.record_draft) as judged
     order by given.place`,
    [JSON.stringify(records)],
  );
  return rows;
}

/** What Debian's dnspython says to each: its canonical form, or null where it refuses it. */
function askPython(expression: string, texts: readonly string[]): readonly (string | null)[] {
  const program = `
import json, sys, dns.ipv4, dns.ipv6, dns.name
def form(text):
    try:
        return ${expression}
    except Exception:
        return None
json.dump([form(text) for text in json.load(sys.stdin)], sys.stdout)`;
  return JSON.parse(
    execFileSync("/usr/bin/python3", ["-c", program], {
      input: JSON.stringify(texts),
      encoding: "utf8",
      maxBuffer: 1 << 27,
    }),
  );
}

describe("dnspython has the same canonical form", () => {
  test("of IPv4 addresses", async () => {
    const texts = generatedAddresses("A", SEED, CONTENTS / 10);
    const ours = await judge(texts.map((content) => ({ type: "A", content, priority: null })));
    expect(ours.map(({ content }) => content)).toEqual(
      askPython("dns.ipv4.inet_ntoa(dns.ipv4.inet_aton(text))", texts),
    );
  });

  test("of IPv6 addresses, but for dotted digits", async () => {
    const texts = [
      ...generatedAddresses("AAAA", SEED, (CONTENTS * 3) / 10),
      "::192.0.2.1",
      "::ffff:192.0.2.1",
      "::1:0",
      "::1",
    ];
    const ours = await judge(texts.map((content) => ({ type: "AAAA", content, priority: null })));
    const theirs = askPython("dns.ipv6.inet_ntoa(dns.ipv6.inet_aton(text))", texts);
    // ::/96 is deprecated (RFC 4291 §2.5.5.1). The API of deSEC writes ::ffff:0:0/96 in groups, too.
    const undotted = theirs.map((form) => {
      const [, mapped = "", ...digits] = /^::(ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(form ?? "") ?? [];
      if (digits.length === 0) return form;
      const [a = 0, b = 0, c = 0, d = 0] = digits.map(Number);
      const [high, low] = [a * 256 + b, c * 256 + d];
      return `::${mapped}${high === 0 && mapped === "" ? "" : `${high.toString(16)}:`}${low.toString(16)}`;
    });
    expect(ours.map(({ content }) => content)).toEqual(undotted);
    expect(theirs).not.toContain(null);
  });

  test("of hosts, but for the final dot", async () => {
    const texts = generatedHosts(SEED, CONTENTS / 5);
    const ours = await judge(texts.map((content) => ({ type: "NS", content, priority: null })));
    const theirs = askPython("dns.name.from_text(text).canonicalize().to_text(omit_final_dot=True)", texts);
    expect(ours.map(({ content }) => content)).toEqual(theirs);
    expect(theirs).not.toContain(null);
  });

  test("and refuses the same broken addresses", async () => {
    for (const [type, module] of [
      ["A", "ipv4"],
      ["AAAA", "ipv6"],
    ] as const) {
      const broken = generatedContents(SEED + 1, 2 * CONTENTS).filter(
        (each, place) => each.type === type && place % 2 === 1,
      );
      const ours = (await judge(broken)).map(({ fault }) => fault === null);
      const theirs = askPython(
        `dns.${module}.inet_aton(text) and "right"`,
        broken.map(({ content }) => content),
      );
      const differing = broken.filter((_, place) => ours[place] !== (theirs[place] !== null));
      // dnspython takes leading zeros in dotted digits, which some programs read as octal.
      expect(differing.filter(({ content }) => !/(^|[.:])0\d+/.test(content))).toEqual([]);
      expect(ours).toContain(true);
      expect(ours).toContain(false);
    }
  });
});

const isOfHost = ({ type }: Generated) => ["CNAME", "MX", "NS", "PTR", "SRV"].includes(type);

/** What named takes and we refuse, each with its reason. */
const DIFFERENCES: readonly (readonly [reason: string, is: (record: Generated, host: string) => boolean])[] = [
  ["a semicolon begins a comment", ({ type, content }) => type !== "TXT" && content.includes(";")],
  ["a backslash takes the meaning from a character", ({ type, content }) => type !== "TXT" && content.includes("\\")],
  ["a value of CAA has other characters than ASCII", ({ type, content }) => type === "CAA" && /[^ -~]/.test(content)],
  [
    "strings of TXT stand without quotation marks, or without a space between",
    ({ type, content }) => type === "TXT" && /^"/.test(content) && !/^"[^"\\]*"$/.test(content),
  ],
  [
    "names of CNAME, PTR and SRV have any characters, and hyphens at the ends of labels",
    ({ type }, host) => ["CNAME", "PTR", "SRV"].includes(type) && /[^A-Za-z0-9.-]|-\.|\.-|^-|-$/.test(host),
  ],
  ["the last label of a host is a number", (record, host) => isOfHost(record) && /(^|\.)[0-9]+\.?$/.test(host)],
  ["spaces stand before the content", ({ content }) => content.startsWith(" ")],
  ["a host is one label", (record, host) => isOfHost(record) && /^[^.]*\.?$/.test(host)],
];

/** One for each of these reasons, in their order: few random contents may lack one. */
const OF_EACH_REASON: readonly Generated[] = (
  [
    ["A", "192.0.2.1 ; a comment"],
    ["CNAME", "a\\.b.example.com"],
    ["CAA", '0 issue "é.example.com"'],
    ["TXT", '"one" two'],
    ["CNAME", "a+b.example.com"],
    ["NS", "host.example.123"],
    ["A", " 192.0.2.1"],
    ["NS", "host"],
  ] as const
).map(([type, content]) => ({ type, content, priority: null }));

/** In a zone file, a semicolon would begin a comment. In the API it belongs to the value, which is quoted when it is kept. */
const isUnquoted = ({ type, content }: Generated) => type === "CAA" && content.includes(";") && !content.includes('"');

describe("named-checkzone", () => {
  const records = [...generatedContents(SEED, CONTENTS), ...OF_EACH_REASON];
  let ours: readonly Judged[];
  let named: readonly (string | null)[];
  beforeAll(async () => {
    ours = await judge(records);
    named = askNamed(records.map(lineOf)).faults;
  });

  test(`is asked ${CONTENTS} contents: half of them right, of all types that it knows`, () => {
    expect(new Set(records.map(({ type }) => type)).size).toBe(9);
    expect(ours.filter(({ fault }, place) => place < CONTENTS && place % 2 === 0 && fault !== null)).toEqual([]);
    expect(ours.filter(({ fault }) => fault !== null).length).toBeGreaterThan(CONTENTS / 8);
  });

  test("takes everything that we take, but underscores in targets of SRV, and semicolons without quotation marks", () => {
    const differing = records.flatMap((record, place) => {
      const fault = named[place];
      return ours[place]?.fault === null && typeof fault === "string" ? [{ ...record, fault }] : [];
    });
    // check-names is for hosts. Services of some vendors point there at names with underscores.
    const isUnderscore = ({ type, content, fault }: (typeof differing)[number]) =>
      type === "SRV" && content.includes("_") && fault.includes("bad name (check-names)");
    expect(differing.filter((each) => !isUnderscore(each) && !isUnquoted(each))).toEqual([]);
    expect(differing.some(isUnderscore)).toBe(true);
  });

  test("refuses what we refuse, but for what we refuse for a reason", () => {
    const differing = records.filter((_, place) => ours[place]?.fault !== null && named[place] === null);
    const hostOf = ({ content }: Generated) => content.split(" ").at(-1) ?? "";
    const reasonOf = (record: Generated) => DIFFERENCES.find(([, is]) => is(record, hostOf(record)))?.[0] ?? null;
    expect(differing.filter((record) => reasonOf(record) === null)).toEqual([]);
    // Each reason is needed.
    expect(
      DIFFERENCES.map(([reason]) => reason).filter((reason) => !differing.some((each) => reasonOf(each) === reason)),
    ).toEqual([]);
  });

  test("loads the same records from our canonical forms as from what was sent", () => {
    const right = records.flatMap((record, place) => {
      const content = ours[place]?.content;
      return typeof content === "string" && named[place] === null && !isUnquoted(record)
        ? [{ record, canonical: { ...record, content } }]
        : [];
    });
    const sent = askNamed(right.map(({ record }) => lineOf(record)));
    const kept = askNamed(right.map(({ canonical }) => lineOf(canonical)));
    expect([sent.loaded.size, kept.loaded.size]).toEqual([right.length, right.length]);
    const differing = right.filter(({ record }, place) => {
      const [one = "", other = ""] = [sent.loaded.get(place), kept.loaded.get(place)];
      return record.type === "TXT" ? one !== other : one.toLowerCase() !== other.toLowerCase();
    });
    expect(differing).toEqual([]);
  });
});
