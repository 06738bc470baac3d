import { execFile } from "node:child_process";
import fs from "node:fs/promises";

/** What a running process uses. */
export interface ProcessUsage {
  /** Memory that is resident now, in bytes. */
  residentBytes: number;
  /** Processor time so far, of user and system, in seconds. */
  cpuSeconds: number;
}

/** Linux counts processor time in ticks of 1/100 s for programs (USER_HZ), whatever the kernel counts in. */
const TICKS_A_SECOND = 100;

/**
 * Reads what a process uses: from /proc on Linux, from `ps` elsewhere.
 * @returns undefined when the process is gone
 */
export async function processUsage(pid: number, platform = process.platform): Promise<ProcessUsage | undefined> {
  return platform === "linux" ? await fromProc(pid) : await fromPs(pid);
}

async function fromProc(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status] = await Promise.all([
      fs.readFile(`/proc/${pid}/stat`, "utf8"),
      fs.readFile(`/proc/${pid}/status`, "utf8"),
    ]);
    // Fields of proc(5) from the third on: the second is the program's name, in parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    // A process that has ended and was not yet waited for has no memory.
    if (kibibytes === undefined) return undefined;
    return { residentBytes: Number(kibibytes) * 1024, cpuSeconds: ticks / TICKS_A_SECOND };
  } catch {
    return undefined;
  }
}

/** POSIX `ps`: kibibytes, and time as `[[days-]hours:]minutes:seconds`, on macOS with hundredths. */
function fromPs(pid: number): Promise<ProcessUsage | undefined> {
  return new Promise((resolve) => {
    execFile(
      "ps",
      ["-o", "rss=,time=", "-p", String(pid)],
      { env: { LC_ALL: "C", PATH: "/bin:/usr/bin" } },
      (error, out) => {
        const match = /^\s*(\d+)\s+(?:(\d+)-)?((?:\d+:)*[\d.]+)\s*$/.exec(out);
        if (error || !match) return resolve(undefined);
        const clock = (match[3] ?? "").split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
        resolve({ residentBytes: Number(match[1]) * 1024, cpuSeconds: Number(match[2] ?? 0) * 86_400 + clock });
      },
    );
  });
}
