/** Loaded before a process of ours: answers over IPC how its event loop and its memory are, see probe.ts. */
import { performance } from "node:perf_hooks";

export interface ProbeReading {
  /** The longest time since the last question in which no timer could run, in milliseconds, and the same of 99 %. */
  readonly loopMaxMs: number;
  readonly loopP99Ms: number;
  /** The most that the thread of the event loop worked in such a time: what is left when the machine had nobody else. */
  readonly workMaxMs: number;
  /** After a garbage collection, in bytes. */
  readonly heapUsed: number;
  readonly rss: number;
}

const RESOLUTION_MS = 1;

const waits: number[] = [];
let workMaxMs = 0;
let wall = performance.now();
let work = workMs();

/** Processor time of this thread so far. */
function workMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function tick(): void {
  const [wallNow, workNow] = [performance.now(), workMs()];
  waits.push(Math.max(0, wallNow - wall - RESOLUTION_MS));
  workMaxMs = Math.max(workMaxMs, workNow - work);
  [wall, work] = [wallNow, workNow];
}
setInterval(tick, RESOLUTION_MS).unref();

process.on("message", () => {
  tick();
  waits.sort((left, right) => left - right);
  const loop = { loopMaxMs: waits.at(-1) ?? 0, loopP99Ms: waits[Math.floor(waits.length * 0.99)] ?? 0, workMaxMs };
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ ...loop, heapUsed, rss } satisfies ProbeReading);
  // What collecting took is nobody's.
  waits.length = 0;
  workMaxMs = 0;
  [wall, work] = [performance.now(), workMs()];
});
// Nothing that keeps the process from ending.
process.channel?.unref();
