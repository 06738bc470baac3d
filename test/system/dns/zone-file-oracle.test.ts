// Zone files judged by BIND: issue "DNS hosting I" §4 and §7.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseZoneFile } from "../../../src/services/dns/zone-file/parse-zone-file.ts";
import { writeZoneFile, type ZoneToWrite } from "../../../src/services/dns/zone-file/write-zone-file.ts";
import { ZoneFileError } from "../../../src/services/dns/zone-file/zone-file-error.ts";
import type { ZoneRecord } from "../../../src/services/dns/zone-file/zone-record.ts";
import { randomZones } from "../../services/dns/zone-file/random-zone.ts";
import { HEAD, randomFiles, ZONE } from "./random-zone-files.ts";

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-zone-files-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What BIND reads in a file, as a zone file in its own form; null for a file that it cannot read, with what it says. */
function bind(file: string, zone: string): { readonly dump: string | null; readonly said: string } {
  const place = path.join(folder, "zone");
  fs.writeFileSync(place, file);
  // Names and addresses of other hosts are no matter of the file.
  const { status, stdout, stderr } = spawnSync(
    "/usr/bin/named-compilezone",
    ["-k", "ignore", "-i", "none", "-m", "ignore", "-n", "ignore", "-f", "text", "-s", "full", "-o", "-", zone, place],
    { encoding: "utf8", maxBuffer: 1 << 28, cwd: folder },
  );
  return { dump: status === 0 ? stdout : null, said: stderr };
}

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

test("BIND reads the exports of 200 random zones, and the same records in them", () => {
  for (const zone of randomZones(7, 200).map(sound)) {
    const file = [...writeZoneFile(zone)].join("");
    const { dump, said } = bind(file, zone.name);
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
}, 120_000);

test("1,000 random files can be read by BIND exactly if we can read them, and have the same records", () => {
  const counts = { read: 0, unreadable: 0, records: 0 };
  for (const file of randomFiles(11, 1_000)) {
    const { dump, said } = bind(file, ZONE);
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
  expect(counts.read).toBeGreaterThan(500);
  expect(counts.unreadable).toBeGreaterThan(150);
  expect(counts.records).toBeGreaterThan(3_000);
}, 240_000);

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
