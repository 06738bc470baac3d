/** The zones and the questions of benchmarks that ask nameservers. */
import fs from "node:fs";
import path from "node:path";
import type { DnsBench } from "./dns-bench.ts";
import { largeZone, largeZoneSets } from "./large-zone.ts";
import type { ZoneFile } from "./nameserver-processes.ts";

const RECORDS = 50_000;
export const ZONE = "large.test";
export const SMALL_ZONE = "small.test";
const HOT_NAMES = 10;

/** What is asked. */
export interface Questions {
  readonly figure: string;
  /** As dnsperf reads it: `www.example.com A`, each question on a line. */
  readonly file: string;
  /** Asked once each, after caches were emptied; otherwise over and over. */
  readonly isCold: boolean;
  /** Whether the names exist. */
  readonly exist: boolean;
}

/** A zone of ours, and the file that our export wrote of it. */
export interface BenchZone extends ZoneFile {
  readonly id: number;
}

/** Makes the zones, and writes the files that others serve. */
export async function exportedZones(bench: DnsBench, folder: string): Promise<BenchZone[]> {
  const texts = { [SMALL_ZONE]: largeZone(HOT_NAMES), [ZONE]: largeZone(RECORDS) };
  const zones: BenchZone[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const id = await bench.importZone(name, text);
    const file = path.join(folder, `${name}.zone`);
    fs.writeFileSync(file, (await bench.ask("GET", `/zones/${id}/export`)).text);
    zones.push({ id, name, file });
  }
  return zones;
}

export function writeQuestions(folder: string): Questions[] {
  const write = (name: string, lines: readonly string[]) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
  };
  const missing = (count: number, zone: string) =>
    Array.from({ length: count }, (_, place) => `missing-${place}.${zone} A`);
  const sets = shuffled(largeZoneSets(ZONE, RECORDS));
  const hot = largeZoneSets(SMALL_ZONE, HOT_NAMES);
  return [
    {
      figure: `hot: ${hot.length} sets over and over`,
      file: write("hot", hot),
      isCold: false,
      exist: true,
    },
    {
      figure: `hot: ${HOT_NAMES} names that do not exist, over and over`,
      file: write("hot-missing", missing(HOT_NAMES, ZONE)),
      isCold: false,
      exist: false,
    },
    {
      figure: `cold: each of ${sets.length.toLocaleString("en")} sets once, caches empty`,
      file: write("cold", sets),
      isCold: true,
      exist: true,
    },
    {
      figure: `cold: each of ${sets.length.toLocaleString("en")} names that do not exist once, caches empty`,
      file: write("cold-missing", missing(sets.length, ZONE)),
      isCold: true,
      exist: false,
    },
  ];
}

/** The same order in each run: places of a multiplicative hash. */
function shuffled(lines: readonly string[]): string[] {
  const placed = lines.map((line, place) => [Math.imul(place, 2_654_435_761) >>> 0, line] as const);
  return placed.sort(([one], [other]) => one - other).map(([, line]) => line);
}
