import { Worker } from "node:worker_threads";
import { FairSlots, SlotsBusyError } from "../../../adapters/fair-slots.ts";
import type { FileWarning } from "./file-warnings.ts";
import { ZoneFileError } from "./zone-file-error.ts";

/** The largest zone file. */
export const MOST_FILE_BYTES = 16 * 1024 * 1024;

/** A file to be read, or a zone to be written: the JSON of a `ZoneToWrite`. */
export type ZoneFileOrder = { readonly file: string; readonly name: string } | { readonly zone: string };

interface Fault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** JSON of the records with warnings, or the file. */
export type ZoneFileResult =
  | { readonly text: string; readonly warnings?: readonly FileWarning[] }
  | { readonly faults: readonly Fault[] };

/** A zone file that was read. */
export interface ReadZoneFile {
  /** The JSON of its records for SQL, each `[line, name, type, ttl, content, priority, disabled, comment]`. */
  readonly records: string;
  readonly warnings: readonly FileWarning[];
}

/** A file of 16 MiB takes some seconds. */
const PATIENCE_MS = 30_000;
const MEMORY_MB = 1_024;
/** Most files that run or wait. */
const MOST_WAITING = 20;
/** Most files of one group that run or wait. */
const MOST_OF_GROUP = 4;

/** Too many zone files are being read, or the machine is too busy to read one in time; the caller may try again soon. */
export class ZoneFilesBusyError extends Error {}

/** Reads and writes zone files, each in its own thread, so that nothing else in the process waits for them. */
export class ZoneFiles {
  /** One at a time: a file takes a processor and memory. Groups take turns. */
  readonly #slots = new FairSlots(1, { mostOfGroup: MOST_OF_GROUP, most: MOST_WAITING });
  readonly #imports: FairSlots;

  /** @param importsAtOnce most imports that run at once: each has a connection of the database, for minutes where its file is large */
  constructor(importsAtOnce = 2) {
    this.#imports = new FairSlots(importsAtOnce, { perGroup: 1, mostOfGroup: MOST_OF_GROUP, most: MOST_WAITING });
  }

  /**
   * Runs a whole import, the reading of its file included, when it is the turn of its group, which has one at a time.
   * @param group whose zone it is: an opaque name. All keys of an organization share its turns
   * @throws ZoneFilesBusyError; what `work` throws
   */
  import<Result>(work: () => Promise<Result>, group: string): Promise<Result> {
    return this.#imports.run(group, work).catch(unlessBusy);
  }

  /**
   * Reads a zone file.
   * @param name the zone, whose name is the origin at the beginning
   * @param group whose file it is: an opaque name
   * @throws ZoneFileError for a file that cannot be read, ZoneFilesBusyError
   */
  async read(file: string, name: string, group: string): Promise<ReadZoneFile> {
    if (file.length > MOST_FILE_BYTES || Buffer.byteLength(file) > MOST_FILE_BYTES)
      throw new ZoneFileError("the file has more than 16 MiB", 1, 1);
    const { text, warnings = [] } = await this.#inTurn({ file, name }, group);
    return { records: text, warnings };
  }

  /**
   * Writes a zone file.
   * @param zone the JSON of a `ZoneToWrite`
   * @throws ZoneFilesBusyError
   */
  async write(zone: string, group: string): Promise<string> {
    return (await this.#inTurn({ zone }, group)).text;
  }

  async #inTurn(order: ZoneFileOrder, group: string): Promise<Answered> {
    return this.#slots.run(group, () => inThread(order)).catch(unlessBusy);
  }
}

function unlessBusy(error: unknown): never {
  if (!(error instanceof SlotsBusyError)) throw error;
  throw new ZoneFilesBusyError("too many zone files are being read or written");
}

type Answered = Extract<ZoneFileResult, { readonly text: string }>;

function inThread(order: ZoneFileOrder): Promise<Answered> {
  const program = new URL(import.meta.url.replace(/zone-file-thread(\.\w+)$/, "zone-file-worker$1"));
  const thread = new Worker(program, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  const timer = setTimeout(() => void thread.terminate(), PATIENCE_MS);
  return new Promise<Answered>((resolve, reject) => {
    thread.once("message", (result: ZoneFileResult) => {
      if ("text" in result) resolve(result);
      else reject(errorOf(result.faults));
    });
    thread.once("error", reject);
    thread.once("exit", () => reject(new ZoneFilesBusyError("the thread that reads zone files had no time to end")));
  }).finally(() => clearTimeout(timer));
}

function errorOf(faults: readonly Fault[]): ZoneFileError {
  const [first, ...others] = faults as readonly [Fault, ...Fault[]];
  const errors = others.map(({ message, line, column }) => new ZoneFileError(message, line, column));
  return new ZoneFileError(first.message, first.line, first.column, errors);
}
