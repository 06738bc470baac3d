import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processStamp } from "./process-stamp.ts";
import { errorCode, ProgramError } from "./program-error.ts";

/** A held lock. `release` is idempotent, and does not touch a lock that another process has taken. */
export interface FolderLock {
  release(): void;
}

/**
 * Takes `<folder>/selo.pid` for this process: pid, start stamp and a nonce, one per line. A lock whose process has ended,
 * or whose pid belongs to a later process, is taken over. Throws if a live process holds the lock, this process included.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "selo.pid");
  const nonce = randomUUID();
  const mine = `${process.pid}\n${processStamp(process.pid) ?? ""}\n${nonce}\n`;
  const draft = `${path}.${nonce}`;
  // Written to another file and then linked, so that a process that sees the lock sees all of it.
  writeFileSync(draft, mine, { mode: 0o600, flag: "wx" });
  try {
    for (let attempt = 0; attempt < 20; attempt++) {
      try {
        linkSync(draft, path);
        return { release: () => releaseIfMine(path, mine) };
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
      }
      const found = readIfThere(path);
      if (found === undefined) continue;
      const holder = liveHolder(found);
      if (holder !== undefined) {
        throw new ProgramError(
          `The data folder ${folder} is already in use by process ${holder}. Stop that process first, or use another folder.`,
        );
      }
      takeAway(path, found, `${draft}.stale`);
    }
  } finally {
    unlinkIfThere(draft);
  }
  throw new ProgramError(`Could not take the lock ${path}: other processes keep changing it.`);
}

function liveHolder(lock: string): number | undefined {
  const [pidLine = "", recorded = ""] = lock.split("\n");
  const pid = Number(pidLine);
  const stamp = processStamp(pid);
  if (stamp === undefined) return undefined;
  // If a start time is unknown, a live pid counts: refusing to start is the harmless mistake.
  return stamp === "" || recorded === "" || stamp === recorded ? pid : undefined;
}

/**
 * Removes the stale lock `expected`, and nothing else. If two processes find the same stale lock, only one may take it over: a rename
 * gives it to one of them, and a process that holds a fresh lock after its rename puts it back. (Three at the very same moment could
 * still leave two believing that they hold it; then Postgres' own postmaster.pid and initdb's rename refuse the second.)
 */
function takeAway(path: string, expected: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  if (readIfThere(aside) !== expected) {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }
  unlinkIfThere(aside);
}

function releaseIfMine(path: string, mine: string): void {
  if (readIfThere(path) === mine) unlinkIfThere(path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
