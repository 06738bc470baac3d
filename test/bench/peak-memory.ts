import fs from "node:fs";

/** The most memory that a process has had, as Linux counts it (VmHWM). */
export const peakOf = (pid: number): number =>
  1_024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

/** Has Linux begin anew with that. @returns the memory that the process has now */
export function forgetPeak(pid: number): number {
  fs.writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return peakOf(pid);
}
