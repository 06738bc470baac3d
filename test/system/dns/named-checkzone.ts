// What BIND says to contents of records.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Generated } from "./generated-contents.ts";

/** Lines before the first record. */
const HEAD = ["$TTL 3600", "@ SOA ns.example.net. host.example.net. 1 3600 600 86400 3600", "@ NS ns.example.net."];
/** Whether records go together, and what the targets are, is not asked. */
const OPTIONS = ["-i", "none", "-k", "fail", ...[..."mMnSrW"].flatMap((option) => [`-${option}`, "ignore"])];

/** A content as a zone file has it: names are absolute, and a text is quoted and cut. */
export function lineOf({ type, content, priority }: Generated): string {
  const isOfHost = ["CNAME", "NS", "PTR", "MX", "SRV"].includes(type);
  // Without the dot, it would be relative to the zone.
  const whole = isOfHost && !content.endsWith(".") ? `${content}.` : content;
  const served = type === "TXT" && !content.startsWith('"') ? quotedText(content) : whole;
  return `${type} ${priority === null ? "" : `${priority} `}${served}`;
}

function quotedText(content: string): string {
  const bytes = Buffer.from(content);
  const strings: string[] = [];
  for (let begin = 0; begin < bytes.length; begin += 255)
    strings.push([...bytes.subarray(begin, begin + 255)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join(""));
  return strings.map((each) => `"${each}"`).join(" ");
}

/**
 * Loads one zone with a record on each line.
 * @returns what is wrong with each record, null where nothing is; and, where all are right, the lines of the loaded zone by owner
 */
export function askNamed(lines: readonly string[]): {
  readonly faults: readonly (string | null)[];
  readonly loaded: ReadonlyMap<number, string>;
} {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-named-"));
  try {
    const file = path.join(folder, "zone");
    const copy = path.join(folder, "loaded");
    // With a space at its end: a backslash there would join the line and the next one.
    fs.writeFileSync(file, `${[...HEAD, ...lines.map((line, place) => `r${place} ${line} `)].join("\n")}\n`);
    const { status, stdout, stderr } = spawnSync(
      "named-checkzone",
      [...OPTIONS, "-D", "-o", copy, "example.test", file],
      { encoding: "utf8", maxBuffer: 1 << 27, timeout: 60_000 },
    );
    const faults: (string | null)[] = lines.map(() => null);
    for (const [, line, fault = ""] of `${stdout}\n${stderr}`.matchAll(/^[^\n]*?\/zone:(\d+): (.*)$/gm)) {
      const place = Number(line) - HEAD.length - 1;
      if (place in faults) faults[place] = fault;
    }
    // Each error names its line: a zone that was refused without one was refused for another reason.
    if ((status === 0) !== faults.every((fault) => fault === null))
      throw new Error(`named-checkzone ended with ${status}: ${stdout}${stderr}`);
    const loaded = new Map<number, string>();
    if (status === 0)
      for (const [, place, line = ""] of fs
        .readFileSync(copy, "utf8")
        .matchAll(/^r(\d+)\.example\.test\.\s+3600\s+IN\s+(.*)$/gm))
        loaded.set(Number(place), line);
    return { faults, loaded };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
