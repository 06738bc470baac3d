import { vi } from "vitest";

const STEP_MS = 2;
/** How many have started the clock of this process, and what moves it. */
let holders = 0;
let mover: NodeJS.Timeout | null = null;

/**
 * Has time in this process go on by turns of its event loop: while a busy machine does not let the process work, no time passes. So whoever
 * answers from within this process is in time, and who is silent is given up as soon as on a quiet machine.
 * Timers of node:timers/promises and AbortSignal.timeout stay as they are.
 * @returns what gives the process its own time back
 */
export function startSteadyClock(): () => void {
  holders += 1;
  if (holders === 1) begin();
  return () => {
    holders -= 1;
    if (holders === 0) end();
  };
}

function begin(): void {
  const { setTimeout: later } = globalThis;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const turn = () => {
    vi.advanceTimersByTime(STEP_MS);
    mover = later(turn, STEP_MS);
  };
  mover = later(turn, STEP_MS);
}

function end(): void {
  vi.useRealTimers();
  if (mover !== null) clearTimeout(mover);
}
