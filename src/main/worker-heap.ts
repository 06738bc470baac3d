/**
 * Imported before anything heavy: `selo worker` becomes Node with a small heap, in the same process (execve).
 *
 * V8 sizes its heap by the memory of the machine. On a large one the young generation grows to 128 MiB, and the old one to
 * four times what is in use, before it is collected: a worker whose receivers make much garbage would hold 170 MiB more than it
 * needs. These options only say when garbage is collected, not how much may be in use: a verification of the audit trail has
 * the room that it needs.
 */
export const WORKER_HEAP = ["--max-semi-space-size=16", "--heap-growing-percent=50"] as const;
// Windows has no execve: there the worker runs with V8's own sizes.
if (process.argv[2] === "worker" && process.platform !== "win32" && !process.execArgv.includes(WORKER_HEAP[0])) {
  process.execve?.(process.execPath, [process.execPath, ...WORKER_HEAP, ...process.execArgv, ...process.argv.slice(1)]);
}
