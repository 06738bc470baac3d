/** Loaded before a process of ours: answers over IPC how its event loop and its memory are, see probe.ts. */
import { createHistogram, performance } from "node:perf_hooks";

export interface ProbeReading {
  /** The longest time since the last question in which no timer could run, in milliseconds, and the same of 99 %. */
  readonly loopMaxMs: number;
  readonly loopP99Ms: number;
  /** The most that the thread of the event loop worked in such a time: what is left when the machine had nobody else. */
  readonly workMaxMs: number;
  /** After a garbage collection, in bytes. */
  readonly heapUsed: number;
  /** What V8 holds of the system for its heap, used or not. */
  readonly heapTotal: number;
  /** What objects of the heap hold outside it, buffers included. */
  readonly external: number;
  readonly arrayBuffers: number;
  readonly rss: number;
}

const RESOLUTION_MS = 1;

/** In microseconds, the resolution included. */
const waits = createHistogram();
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
  waits.record(Math.max(1, Math.round((wallNow - wall) * 1_000)));
  workMaxMs = Math.max(workMaxMs, workNow - work);
  [wall, work] = [wallNow, workNow];
}

/** From the first question on: a process that nobody asks is not slowed down. */
let timer: NodeJS.Timeout | null = null;

process.on("message", () => {
  if (timer !== null) tick();
  timer ??= setInterval(tick, RESOLUTION_MS).unref();
  const late = (microseconds: number) => Math.max(0, microseconds / 1_000 - RESOLUTION_MS);
  const loop = { loopMaxMs: late(waits.max), loopP99Ms: late(waits.percentile(99)), workMaxMs };
  globalThis.gc?.();
  process.send?.({ ...loop, ...process.memoryUsage() } satisfies ProbeReading);
  // What collecting took is nobody's.
  waits.reset();
  workMaxMs = 0;
  [wall, work] = [performance.now(), workMs()];
});
// Nothing that keeps the process from ending.
process.channel?.unref();
