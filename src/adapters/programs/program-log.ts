import { closeSync, constants, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";

/** Opens the log of a program for appending; mode 0600. */
export function openLog(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
}

/** Keeps one older log once the log has passed 16 MiB. Call it only while no program writes to the log. */
export function rotateLog(path: string): void {
  if (logSize(path) > 16 * 1024 * 1024) renameSync(path, `${path}.1`);
}

/** Bytes in the log; 0 before it exists. */
export function logSize(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** The last lines (15 at most, of 4 KiB) that were written after the log had `since` bytes. */
export function logTail(path: string, since: number): string {
  if (!existsSync(path)) return "";
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const from = Math.max(size < since ? 0 : since, size - 4_096);
    const bytes = Buffer.alloc(size - from);
    const length = readSync(file, bytes, 0, bytes.length, from);
    return bytes.toString("utf8", 0, length).trimEnd().split("\n").slice(-15).join("\n");
  } finally {
    closeSync(file);
  }
}
