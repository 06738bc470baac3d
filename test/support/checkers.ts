import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import { expect } from "vitest";

/** What gateways of tests are given: a busy machine may check an ordinary PDF in more than the three seconds that uploads wait otherwise. */
export const PATIENT = { DOCUMENT_CHECK_WAIT_SECONDS: "60" } as const;

/** What makes an upload be answered before the end of its check, when its checker is stopped. */
export const IMPATIENT = { DOCUMENT_CHECK_WAIT_SECONDS: "1" } as const;

/** Processes that check a PDF now, started by another: by this process unless given. */
export const checkersOf = (parent = process.pid): number[] => processesOf(parent, CHECKER);

/** Processes of a program that another process started. */
export function processesOf(parent: number, program: string): number[] {
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
    .filter((pid) => pid > 0 && commandOf(pid).includes(program));
}

/** Sends a signal to the next checker that starts, before it says anything: it has still to load its program. Answers its id. */
export function signalChecker(signal: NodeJS.Signals, parent = process.pid): Promise<number> {
  return parent === process.pid ? signalOwnChecker(signal) : signalCheckerOf(parent, signal);
}

/** Node announces each program as this process starts it. The checker cannot have ended by then. */
function signalOwnChecker(signal: NodeJS.Signals): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const onProgram = (message: unknown) => {
    const { process: child } = message as { readonly process: ChildProcess };
    child.once("spawn", () => {
      if (!child.spawnargs.some(isChecker)) return;
      unsubscribe("child_process", onProgram);
      child.kill(signal);
      resolve(child.pid ?? 0);
    });
  };
  subscribe("child_process", onProgram);
  return promise;
}

async function signalCheckerOf(parent: number, signal: NodeJS.Signals): Promise<number> {
  const known = checkersOf(parent);
  let pid = 0;
  await expect
    .poll(
      () => {
        pid = checkersOf(parent).find((other) => !known.includes(other)) ?? 0;
        if (pid > 0) process.kill(pid, signal);
        return pid;
      },
      { timeout: 30_000, interval: 2 },
    )
    .toBeGreaterThan(0);
  return pid;
}

const CHECKER = "pdf-check/child/main";
const isChecker = (command: string) => command.includes(CHECKER);

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return ""; // it has ended
  }
}
