import { spawn } from "node:child_process";
import os from "node:os";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import { processUsage } from "./process-usage.ts";

/** What a confined program may use. */
export interface ProgramLimits {
  /** Processor time. */
  cpuSeconds: number;
  /** Time from its start to its end. */
  wallSeconds: number;
  /** Resident memory: V8's heap, and buffers outside it. */
  residentBytes: number;
}

/**
 * How a program ended: by itself (its exit code, or the signal that somebody sent or it raised), or at a limit.
 * `input`: at the wall limit it still waited for input, so the giver of the input was slow.
 */
export type ProgramEnd =
  | { by: "itself"; code: number | null; signal: NodeJS.Signals | null }
  | { by: "limit"; limit: "cpu" | "wall" | "memory" | "output" | "input" };

export interface ConfinedProgram {
  /** A file that Node runs. */
  program: string;
  /** The only folders that it may read. */
  folders: readonly string[];
  argument: string;
  /** Comes to the program's descriptor 0, piece by piece. */
  input: AsyncIterable<Buffer>;
  limits: ProgramLimits;
  signal?: AbortSignal | undefined;
  /** Called for each line that the program writes to its descriptor 1. An error that it throws ends the program. */
  onLine?: (line: string) => void;
  /** Called instead of `onLine` for each piece that the program writes there, as it comes. */
  onPiece?: (piece: Buffer) => void;
  /** How many bytes the program may write: 1 MiB by default. */
  mostOutput?: number;
}

/** How often the program's use is read: until then it may pass a limit. */
const WATCH_MS = 25;
const MOST_OUTPUT = 1024 * 1024;
const MOST_COMPLAINT = 2000;
/** V8's heap, in MiB: half of a program's memory is for buffers. */
const heapOf = (limits: ProgramLimits) => Math.floor(limits.residentBytes / 2 / 1024 / 1024);

/**
 * Runs a program that reads what strangers sent. It has none of our environment, files or descriptors: Node's permissions
 * let it read `folders`, and neither write nor start processes, threads or native code. (Node 24 has no permission for the
 * network. The program's own code names none.) It yields to others for the processor, and is killed at a limit.
 *
 * When the promise settles, the program has ended and its pipes are closed. A source of `input` that was opened before is
 * the caller's to close: it may never be asked for a piece.
 * @returns how it ended, and the beginning of what it wrote to descriptor 2
 *   A program that could not be started ended with neither code nor signal.
 * @throws the signal's reason; what `input` or `onLine` throws
 */
export async function runConfined(given: ConfinedProgram): Promise<{ end: ProgramEnd; complaint: string }> {
  const { limits, signal, mostOutput = MOST_OUTPUT } = given;
  signal?.throwIfAborted();
  const child = spawn(
    process.execPath,
    [
      "--permission",
      ...given.folders.map((folder) => `--allow-fs-read=${folder}`),
      `--max-old-space-size=${heapOf(limits)}`,
      "--disallow-code-generation-from-strings",
      "--no-warnings",
      given.program,
      given.argument,
    ],
    { env: {}, cwd: "/", stdio: ["pipe", "pipe", "pipe"] },
  );
  const closed = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("close", (code, killed) => resolve([code, killed]));
  });
  let complaint = "";
  // Too many processes, or no memory for one more.
  child.on("error", (error) => {
    complaint = error.message;
  });
  const { pid } = child;
  const ended = new AbortController();
  let limit: Extract<ProgramEnd, { by: "limit" }>["limit"] | undefined;
  let failure: { error: unknown } | undefined;
  const kill = () => child.kill("SIGKILL");
  const fail = (error: unknown) => {
    failure ??= { error };
    kill();
  };
  const stopAt = (reached: typeof limit) => {
    limit ??= reached;
    kill();
  };
  const onAbort = () => fail(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  try {
    if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has already ended.
  }

  let isFed = false;
  const feeding = feed(given.input, child.stdin, ended.signal).then(() => {
    isFed = true;
  }, fail);
  const watching = watch(pid, limits, ended.signal, (reached) =>
    stopAt(reached === "wall" && !isFed ? "input" : reached),
  );

  let output = "";
  let received = 0;
  const decoder = new StringDecoder("utf8");
  const tell = (piece: Buffer) => {
    if (given.onPiece) return given.onPiece(piece);
    const lines = (output + decoder.write(piece)).split("\n");
    output = lines.pop() ?? "";
    for (const line of lines) given.onLine?.(line);
  };
  child.stdout.on("data", (piece: Buffer) => {
    received += piece.length;
    if (received > mostOutput) return stopAt("output");
    if (failure) return;
    try {
      tell(piece);
    } catch (error) {
      fail(error);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint = (complaint + piece).slice(0, MOST_COMPLAINT);
  });

  const [code, killed] = await closed;
  ended.abort();
  signal?.removeEventListener("abort", onAbort);
  await Promise.all([feeding, watching]);
  if (failure) throw failure.error;
  return { end: limit ? { by: "limit", limit } : { by: "itself", code, signal: killed }, complaint };
}

/** Writes the input to the program, no faster than the program reads. Ends quietly when the program has ended. */
async function feed(input: AsyncIterable<Buffer>, pipe: NodeJS.WritableStream, ended: AbortSignal): Promise<void> {
  // A program that has read enough closes the pipe: EPIPE says no more than its end does.
  pipe.on("error", () => {});
  const gone = new Promise<"gone">((resolve) => {
    ended.addEventListener("abort", () => resolve("gone"), { once: true });
  });
  const iterator = input[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      const piece = await Promise.race([next, gone]);
      if (piece === "gone") {
        next.catch(() => {}); // Its error concerns nobody now.
        return;
      }
      if (piece.done) break;
      if (pipe.write(piece.value)) continue;
      const drained = new Promise<void>((resolve) => pipe.once("drain", resolve));
      if ((await Promise.race([drained, gone])) === "gone") return;
    }
    pipe.end();
  } finally {
    // Not awaited: an iterator that waits for its source answers only after that.
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

async function watch(
  pid: number | undefined,
  limits: ProgramLimits,
  ended: AbortSignal,
  stopAt: (limit: "cpu" | "wall" | "memory") => void,
): Promise<void> {
  const start = performance.now();
  while (!ended.aborted) {
    const usage = pid === undefined ? undefined : await processUsage(pid);
    if (ended.aborted) return;
    if (usage && usage.cpuSeconds > limits.cpuSeconds) return stopAt("cpu");
    if (usage && usage.residentBytes > limits.residentBytes) return stopAt("memory");
    if (performance.now() - start > limits.wallSeconds * 1000) return stopAt("wall");
    await sleep(WATCH_MS, undefined, { signal: ended }).catch(() => {});
  }
}
