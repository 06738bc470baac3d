import { vi } from "vitest";

const STEP_MS = 2;

/**
 * Has time in this process go on by turns of its event loop: while a busy machine does not let the process work, no time passes. So whoever
 * answers from within this process is in time, and who is silent is given up as soon as on a quiet machine.
 * Timers of node:timers/promises and AbortSignal.timeout stay as they are.
 * @returns what gives the process its own time back
 */
export function startSteadyClock(): () => void {
  const { setTimeout: later } = globalThis;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  let isStopped = false;
  const turn = () => {
    if (isStopped) return;
    vi.advanceTimersByTime(STEP_MS);
    later(turn, STEP_MS);
  };
  later(turn, STEP_MS);
  return () => {
    isStopped = true;
    vi.useRealTimers();
  };
}
