// Zone files judged by BIND: issue "DNS hosting I" §4 and §7.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { parseZoneFile } from "../../../src/services/dns/zone-file/parse-zone-file.ts";
import { writeZoneFile, type ZoneToWrite } from "../../../src/services/dns/zone-file/write-zone-file.ts";
import { ZoneFileError } from "../../../src/services/dns/zone-file/zone-file-error.ts";
import type { ZoneRecord } from "../../../src/services/dns/zone-file/zone-record.ts";
import { randomZones } from "../../services/dns/zone-file/random-zone.ts";
import { byLane } from "../../support/lane.ts";
import { HEAD, randomFiles, ZONE } from "./random-zone-files.ts";

/** So many random zones are exported, and so many random files are read. */
const ZONES = byLane({ lane: 40, full: 200 });
const FILES = byLane({ lane: 100, full: 1_000 });

interface Said {
  /** A zone file in BIND's own form; null for a file that it cannot read. */
  readonly dump: string | null;
  readonly said: string;
}

/** In one shell: to start a program from a test costs more than what BIND does with a file. */
const READ_ALL = [
  "for n in $(seq 0 $1); do",
  'named-compilezone -k ignore -i none -m ignore -n ignore -f text -s full -o $n.dump "$(cat $n.name)" $n.zone 2> $n.said || rm -f $n.dump',
  "done",
].join("\n");

/** What BIND reads in files of zones. Names and addresses of other hosts are no matter of a file. */
function bindAll(files: readonly { readonly file: string; readonly zone: string }[]): readonly Said[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-zone-files-"));
  try {
    const place = (n: number, kind: string) => path.join(folder, `${n}.${kind}`);
    for (const [n, { file, zone }] of files.entries()) {
      fs.writeFileSync(place(n, "zone"), file);
      fs.writeFileSync(place(n, "name"), zone);
    }
    const options = { cwd: folder, env: { PATH: "/usr/bin:/usr/sbin:/bin" }, stdio: "ignore" } as const;
    execFileSync("/bin/sh", ["-c", READ_ALL, "sh", String(files.length - 1)], options);
    return files.map((_, n) => ({
      dump: fs.existsSync(place(n, "dump")) ? fs.readFileSync(place(n, "dump"), "utf8") : null,
      said: fs.readFileSync(place(n, "said"), "utf8"),
    }));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const bind = (file: string, zone: string): Said => bindAll([{ file, zone }])[0] as Said;

function ours(file: string, zone: string): readonly ZoneRecord[] | null {
  try {
    return [...parseZoneFile(file, zone)];
  } catch (error) {
    if (error instanceof ZoneFileError) return null;
    throw error;
  }
}

/** Sets with several TTLs. BIND gives a set one of them, by where its records stand; the service gives it the last one. */
function mixedSets(records: readonly ZoneRecord[]): ReadonlySet<string> {
  const ttls = new Map<string, number>();
  return new Set(
    records
      .filter(({ name, type, ttl }) => {
        const known = ttls.get(`${name} ${type}`);
        ttls.set(`${name} ${type}`, known ?? ttl);
        return known !== undefined && known !== ttl;
      })
      .map(({ name, type }) => `${name} ${type}`),
  );
}

/**
 * The records of the zone, each once, without SOA, and without TTLs that BIND finds in another way: those of mixed sets, and in files that
 * do not begin with $TTL also those that follow from them.
 */
function comparable(
  records: readonly ZoneRecord[],
  zone: string,
  mixed = mixedSets(records),
  hasPreset = true,
): readonly string[] {
  const isOpen = (set: string) => mixed.has(set) || (mixed.size > 0 && !hasPreset);
  const lines = records
    .filter(({ name, type }) => type !== "SOA" && (name === zone || name.endsWith(`.${zone}`)))
    .map(({ name, type, ttl, priority, content }) =>
      [name, isOpen(`${name} ${type}`) ? "any" : ttl, type, priority, content].join(" "),
    );
  return [...new Set(lines)].toSorted();
}

/** Of random records those that go together, as SQL keeps them: one TTL for a set, and a CNAME alone. */
function sound(zone: ZoneToWrite): ZoneToWrite {
  const kept: ZoneRecord[] = [];
  for (const record of zone.records) {
    const beside = kept.filter(({ name }) => name === record.name);
    const isLone = record.type === "CNAME" && (record.name === zone.name || beside.length > 0);
    const isWild = record.type === "NS" && (record.name.startsWith("*.") || record.name === zone.name);
    if (isLone || isWild || beside.some(({ type }) => type === "CNAME")) continue;
    kept.push({ ...record, ttl: beside.find(({ type }) => type === record.type)?.ttl ?? record.ttl });
  }
  return { ...zone, records: kept };
}

test(`BIND reads the exports of ${ZONES} random zones, and the same records in them`, () => {
  const zones = randomZones(7, ZONES).map(sound);
  const files = zones.map((zone) => ({ file: [...writeZoneFile(zone)].join(""), zone: zone.name }));
  for (const [place, { dump, said }] of bindAll(files).entries()) {
    const [zone, file] = [zones[place] as ZoneToWrite, files[place]?.file ?? ""];
    expect(dump, `${said}\n${file}`).not.toBeNull();
    expect(said).not.toMatch(/error|fail|bad|ignor/i);
    const served = zone.records.filter(({ type, disabled }) => type !== "ALIAS" && !disabled);
    const again = comparable(ours(dump ?? "", zone.name) ?? [], zone.name);
    const withoutApex = again.filter((line) => !line.startsWith(`${zone.name} 3600 NS  ns`));
    // Without our lines, contents are what a reader makes of them.
    const bare = file.split("\n").filter((line) => !line.startsWith(";selo"));
    const asWritten = [...parseZoneFile(bare.join("\n"), zone.name)].slice(zone.apex.length);
    expect(asWritten).toHaveLength(served.length);
    expect(withoutApex).toEqual(comparable(asWritten, zone.name));
  }
}, 400_000);

test(`${FILES} random files can be read by BIND exactly if we can read them, and have the same records`, () => {
  const counts = { read: 0, unreadable: 0, records: 0 };
  const files = randomFiles(11, FILES);
  for (const [place, { dump, said }] of bindAll(files.map((file) => ({ file, zone: ZONE }))).entries()) {
    const file = files[place] ?? "";
    const records = ours(file, ZONE);
    expect(records === null, `${said}\n${file}`).toBe(dump === null);
    if (dump === null || records === null) counts.unreadable++;
    else {
      const by = [ZONE, mixedSets(records), file.startsWith("$TTL")] as const;
      const mine = comparable(records, ...by);
      expect(mine, file).toEqual(comparable(ours(dump, ZONE) ?? [], ...by));
      counts.read++;
      counts.records += mine.length;
    }
  }
  expect(counts.read).toBeGreaterThan(FILES / 2);
  expect(counts.unreadable).toBeGreaterThan(FILES / 8);
  expect(counts.records).toBeGreaterThan(3 * FILES);
}, 400_000);

test("BIND reads the same names and contents in escapes, and in types and data of RFC 3597", () => {
  const file = `${HEAD}${[
    "\\042 A 192.0.2.1",
    "\\095a.\\b\\045c A 192.0.2.1",
    "x CNAME \\104ost.\\101xample.net.",
    "$ORIGIN \\115ub",
    "a TYPE1 \\# 4 c0000201",
    "a AAAA \\# ( 16 20010db8 0000\n0000 0000000000000001 )",
    "b NS \\# 5 0161016200",
    "b TYPE12 \\# 6 025f78017900",
    "b TYPE15 \\# 7 000a0161016200",
    "b SRV \\# 9 000100020003016100",
    "b TXT \\# 6 0161025cff00",
    "b TYPE257 \\# 9 00056973737565413b",
    'b CAA 0 issue "ca.test\\; a=\\"b\\\\"',
    'b CAA 0 issue "\\000\\195\\163"',
    "b TXT a\\;b ; a comment",
  ].join("\n")}\n`;
  const { dump, said } = bind(file, ZONE);
  expect(dump, said).not.toBeNull();
  const mine = comparable(ours(file, ZONE)?.map((each) => ({ ...each, content: short(each) })) ?? [], ZONE);
  expect(mine).toHaveLength(15);
  expect(mine).toEqual(
    comparable(ours(dump ?? "", ZONE)?.map((each) => ({ ...each, content: short(each) })) ?? [], ZONE),
  );
});

/** An IPv6 address in its short form, which SQL gives it. */
const short = ({ type, content }: ZoneRecord) =>
  type === "AAAA" ? (URL.parse(`http://[${content}]/`)?.hostname ?? content) : content;

test("BIND alone takes the wildcard of Route 53 for the digit 4", () => {
  const file = `${HEAD}\\052 A 192.0.2.1\n`;
  expect(bind(file, ZONE).dump).toContain("4.example.test.");
  expect(ours(file, ZONE)?.at(-1)?.name).toBe("*.example.test");
});

test.each(["A \\# 3 c00002", "TXT \\# 2 0261", "MX \\# 2 0001", "CNAME \\# 2 c00c", "CAA \\# 2 0005"])(
  "nobody reads bytes that are not data of their type: %s",
  (data) => {
    expect(bind(`${HEAD}a ${data}\n`, ZONE).dump).toBeNull();
    expect(ours(`${HEAD}a ${data}\n`, ZONE)).toBeNull();
  },
);

// One wrong record makes BIND refuse the file; the import skips the record and says why.
test.each([
  ["an invalid address", "a A 192.0.2.256"],
  ["an unknown type", "a ALIAS b"],
  ["a string of 256 bytes", `a TXT "${"x".repeat(256)}"`],
  ["a label of 64 characters", `${"a".repeat(64)} A 192.0.2.1`],
  ["an empty label", "a..b A 192.0.2.1"],
  ["a word too many", "a CNAME b c"],
  ["a priority that is missing", "a MX b"],
  ["a CNAME beside other records", "a CNAME b\na A 192.0.2.1"],
])("BIND alone refuses the whole file for %s", (_, record) => {
  expect(bind(`${HEAD}${record}\n`, ZONE).dump).toBeNull();
  expect(ours(`${HEAD}${record}\n`, ZONE)?.length).toBeGreaterThan(2);
});

test("BIND alone refuses a directive at the end that has no line end", () => {
  expect(bind(`${HEAD}$TTL 60`, ZONE).dump).toBeNull();
  expect(bind(`${HEAD}$TTL 60\n`, ZONE).dump).not.toBeNull();
  expect(ours(`${HEAD}$TTL 60`, ZONE)).toHaveLength(2);
});

test.each([
  ["a directive that makes records", "$GENERATE 1-2 a$ A 192.0.2.$"],
  ["a directive that reads another file", `$INCLUDE ${os.devNull}`],
  ["a line end in a quoted string", 'a TXT "a\\\nb"'],
  ["a line for Selo", ";selo x"],
])("we alone refuse %s", (_, lines) => {
  expect(bind(`${HEAD}${lines}\n`, ZONE).dump).not.toBeNull();
  expect(ours(`${HEAD}${lines}\n`, ZONE)).toBeNull();
});
