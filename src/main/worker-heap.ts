/**
 * Imported before large modules: `selo worker` replaces itself by Node with a small heap, in the same process (execve).
 *
 * V8 sizes its heap by the machine's memory. On a large machine the young generation grows to 128 MiB, and the old generation to
 * four times the live data, before V8 collects garbage. A worker whose receivers make much garbage would hold 170 MiB more than it
 * needs. These options only make V8 collect earlier; they do not limit live data, so a verification of the audit trail has
 * the memory that it needs.
 */
export const WORKER_HEAP = ["--max-semi-space-size=16", "--heap-growing-percent=50"] as const;
// Windows has no execve: a worker there runs with V8's default sizes.
if (process.argv[2] === "worker" && process.platform !== "win32" && !process.execArgv.includes(WORKER_HEAP[0])) {
  process.execve?.(process.execPath, [process.execPath, ...WORKER_HEAP, ...process.execArgv, ...process.argv.slice(1)]);
}
