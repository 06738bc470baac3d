// test/durations.json: what each test file costs, as `npm run test:durations` measured it.
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FILE = path.join(ROOT, "test/durations.json");

/** In seconds. */
export interface FileDuration {
  /** CPU of the process that ran the file, and of the programs that it started. */
  readonly own: number;
  /** CPU of the Postgres that all files of a run share. */
  readonly postgres: number;
  /** From the end of the file before it to its own, with all waiting; absent where it was not noted yet. */
  readonly time?: number;
}

/** By the file's path below the repository. */
export function durations(): Readonly<Record<string, FileDuration>> {
  return fs.existsSync(FILE) ? JSON.parse(fs.readFileSync(FILE, "utf8")) : {};
}

/** Writes one line for each file that still exists. */
export function writeDurations(of: Readonly<Record<string, FileDuration>>): void {
  const lines = Object.keys(of)
    .filter((file) => fs.existsSync(path.join(ROOT, file)))
    .sort()
    .map((file) => `  ${JSON.stringify(file)}: ${JSON.stringify(of[file], null, 1).replaceAll(/\s+/g, " ")}`);
  fs.writeFileSync(FILE, `{\n${lines.join(",\n")}\n}\n`);
}
