import { afterEach, vi } from "vitest";

/**
 * Lets the time of this process, by which it knows how long something lasts, run ahead: what waits for an end need not be waited
 * for. Each test of the file begins in the present.
 */
export function timeAhead(): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  afterEach(() => void vi.restoreAllMocks());
  let ahead = 0;
  return (milliseconds) => {
    ahead += milliseconds;
    vi.spyOn(performance, "now").mockImplementation(() => now() + ahead);
  };
}
