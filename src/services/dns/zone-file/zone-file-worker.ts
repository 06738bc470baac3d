// The program of the thread that reads or writes one zone file.
import { parentPort, workerData } from "node:worker_threads";
import { FileWarnings } from "./file-warnings.ts";
import { parseZoneFile } from "./parse-zone-file.ts";
import { writeZoneFile, type ZoneToWrite } from "./write-zone-file.ts";
import { ZoneFileError } from "./zone-file-error.ts";
import type { ZoneFileOrder, ZoneFileResult } from "./zone-file-thread.ts";
import type { ParsedRecord } from "./zone-record.ts";

function resultOf(order: ZoneFileOrder): ZoneFileResult {
  try {
    if ("zone" in order) return { text: [...writeZoneFile(JSON.parse(order.zone) as ZoneToWrite)].join("") };
    const warnings = new FileWarnings();
    return { text: compact(parseZoneFile(order.file, order.name, warnings)), warnings: warnings.all() };
  } catch (error) {
    if (!(error instanceof ZoneFileError)) throw error;
    return { faults: [error, ...error.others].map(({ message, line, column }) => ({ message, line, column })) };
  }
}

/** Postgres reads a text of this length in memory. */
const MOST_JSON = 128 * 1024 * 1024;
/** 16 MiB of short lines would be two million records, which Postgres judges for minutes. */
const MOST_RECORDS = 200_000;

/** Records as `dns.judge_import` takes them: lists, because the names of members would be most of the text. */
function compact(records: Iterable<ParsedRecord>): string {
  const texts: string[] = [];
  let length = 0;
  for (const { line, name, type, ttl, content, priority, disabled, comment } of records) {
    const text = JSON.stringify([line, name, type, ttl, content, priority, disabled, comment]);
    length += text.length;
    if (length > MOST_JSON || texts.length === MOST_RECORDS)
      throw new ZoneFileError("the file has more records than one import takes", line, 1);
    texts.push(text);
  }
  return `[${texts.join(",")}]`;
}

parentPort?.postMessage(resultOf(workerData as ZoneFileOrder));
