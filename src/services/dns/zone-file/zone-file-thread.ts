import { Worker } from "node:worker_threads";
import { ZoneFileError } from "./zone-file-error.ts";

/** The largest zone file. */
export const MOST_FILE_BYTES = 16 * 1024 * 1024;

/** A file to be read, or a zone to be written: the JSON of a `ZoneToWrite`. */
export type ZoneFileOrder = { readonly file: string; readonly name: string } | { readonly zone: string };

/** JSON of the records, or the file. */
export type ZoneFileResult =
  | { readonly text: string }
  | { readonly fault: { readonly message: string; readonly line: number; readonly column: number } };

/** A file of 16 MiB takes some seconds. */
const PATIENCE_MS = 30_000;
const MEMORY_MB = 1_024;
/** Most files that wait. */
const MOST_WAITING = 20;

/** Too many zone files are being read, or the machine is too busy to read one in time; the caller may try again soon. */
export class ZoneFilesBusyError extends Error {}

/** Ends when the file before has ended: one file at a time takes a processor and memory. */
let before: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Reads a zone file in a thread of its own, so that nothing else in the process waits for it.
 * @returns the JSON of its records for SQL, each `[line, name, type, ttl, content, priority, disabled, comment]`
 * @throws ZoneFileError for a file that cannot be read, ZoneFilesBusyError
 */
export async function readZoneFile(file: string, name: string): Promise<string> {
  if (file.length > MOST_FILE_BYTES || Buffer.byteLength(file) > MOST_FILE_BYTES)
    throw new ZoneFileError("the file has more than 16 MiB", 1, 1);
  return inTurn({ file, name });
}

/**
 * Writes a zone file in a thread of its own.
 * @param zone the JSON of a `ZoneToWrite`
 * @throws ZoneFilesBusyError
 */
export const writeZoneFileApart = (zone: string): Promise<string> => inTurn({ zone });

async function inTurn(order: ZoneFileOrder): Promise<string> {
  if (waiting >= MOST_WAITING) throw new ZoneFilesBusyError("too many zone files are being read or written");
  waiting++;
  const done = before.then(() => inThread(order));
  before = done.catch(() => {});
  return done.finally(() => waiting--);
}

function inThread(order: ZoneFileOrder): Promise<string> {
  const program = new URL(import.meta.url.replace(/zone-file-thread(\.\w+)$/, "zone-file-worker$1"));
  const thread = new Worker(program, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  const timer = setTimeout(() => void thread.terminate(), PATIENCE_MS);
  return new Promise<string>((resolve, reject) => {
    thread.once("message", (result: ZoneFileResult) => {
      if ("text" in result) resolve(result.text);
      else reject(new ZoneFileError(result.fault.message, result.fault.line, result.fault.column));
    });
    thread.once("error", reject);
    thread.once("exit", () => reject(new ZoneFilesBusyError("the thread that reads zone files had no time to end")));
  }).finally(() => clearTimeout(timer));
}
