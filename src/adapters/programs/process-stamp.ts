import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { errorCode } from "./program-error.ts";

/**
 * Distinguishes a process from a later process with the same id: its start time, opaque, only for comparison.
 * `undefined`: the process does not exist (a zombie counts as gone, since a container's first process may never reap it).
 * `''`: the process exists, and its start time is unknown.
 */
export function processStamp(pid: number): string | undefined {
  if (!exists(pid)) return undefined;
  if (process.platform !== "linux") return startTimeFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name in parentheses may itself contain spaces and parentheses; state is field 3, start time field 22.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    // Ticks count from boot, so the boot's id makes them unique.
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19] ?? ""}`;
  } catch {
    return exists(pid) ? "" : undefined;
  }
}

function exists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false; // 0 and negative ids would address process groups
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM"; // it exists and belongs to another user
  }
}

function startTimeFromPs(pid: number): string {
  // A fixed time zone: `lstart` is local time and would change with it.
  const env = { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC" };
  return (
    spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env, timeout: 5_000 }).stdout?.trim() ??
    ""
  );
}
