import fs from "node:fs";
import { expect } from "vitest";

/** Processes that check a PDF now, started by another: by this process unless given. */
export function checkersOf(parent = process.pid): number[] {
  const threads = fs.readdirSync(`/proc/${parent}/task`);
  return threads
    .flatMap((thread) => {
      try {
        return fs.readFileSync(`/proc/${parent}/task/${thread}/children`, "utf8").split(" ");
      } catch {
        return []; // it has ended
      }
    })
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid).includes("pdf-check/child/main"));
}

/** Sends a signal to the next checker that starts, before it says anything: it has still to load its program. Answers its id. */
export async function signalChecker(signal: NodeJS.Signals, parent = process.pid): Promise<number> {
  const known = checkersOf(parent);
  let pid = 0;
  await expect
    .poll(
      () => {
        pid = checkersOf(parent).find((other) => !known.includes(other)) ?? 0;
        if (pid > 0) process.kill(pid, signal);
        return pid;
      },
      { timeout: 20_000, interval: 2 },
    )
    .toBeGreaterThan(0);
  return pid;
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it has ended
  }
}
