import { randomInt } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isFree } from "../../src/adapters/programs/free-port.ts";

/** Below those that Linux gives to whoever asks for any (32768–60999), and those of the embedded Postgres (20000–31999). */
const FIRST = 10_000;
const COUNT = 10_000;
/** An empty file for each port that a test of this machine was given. */
const GIVEN = path.join(os.tmpdir(), "selo-test-ports");
/** No run of the tests lasts as long. */
const FORGOTTEN_AFTER_MS = 3 * 3_600_000;

/** A TCP port of 127.0.0.1 for a program that cannot be asked where it listens: nobody else is given it, so that it is free until then. */
export async function freePort(): Promise<number> {
  fs.mkdirSync(GIVEN, { recursive: true });
  const begin = randomInt(COUNT);
  for (let step = 0; step < COUNT; step++) {
    const port = FIRST + ((begin + step) % COUNT);
    if (take(path.join(GIVEN, String(port))) && (await isFree(port))) return port;
  }
  throw new Error(`no port is free between ${FIRST} and ${FIRST + COUNT}; ${GIVEN} lists those that tests were given`);
}

function take(file: string): boolean {
  const given = fs.statSync(file, { throwIfNoEntry: false });
  if (given !== undefined && Date.now() - given.mtimeMs > FORGOTTEN_AFTER_MS) fs.rmSync(file, { force: true });
  try {
    fs.writeFileSync(file, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
