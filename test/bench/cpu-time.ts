import { execFileSync } from "node:child_process";
import fs from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU time a process and all its descendants have used so far, in milliseconds; Linux only, 0 elsewhere. */
export function cpuMilliseconds(pid: number): number {
  if (process.platform !== "linux") return 0;
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + ticksOf(each, 11), 0);
}

/** CPU time of the children of a process that have ended, with theirs, in milliseconds; Linux only, 0 elsewhere. */
export function endedChildrenMilliseconds(pid: number): number {
  return process.platform === "linux" ? ticksOf(pid, 13) : 0;
}

/** utime and stime are fields 14 and 15 of proc(5), counted from state as field 3; those of ended children follow. */
function ticksOf(pid: number, field: 11 | 13): number {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[field]) + Number(fields[field + 1])) * 1_000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

function descendants(pid: number): number[] {
  try {
    const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean)
      .map(Number);
    return children.flatMap((child) => [child, ...descendants(child)]);
  } catch {
    return [];
  }
}
