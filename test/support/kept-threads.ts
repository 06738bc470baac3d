// Threads that render PDFs, which one gateway after the other takes: each begins with 0.2 s of CPU, in which it loads its code and fonts.
import { Worker } from "node:worker_threads";

/** The program of those that are kept. */
const PROGRAM = "/pdf/pdf-thread.ts";
const MOST_KEPT = 4;

const idle: Worker[] = [];

// Each thread that lives listens to both streams, and Node warns of more than ten listeners: in what a test takes for the words of a command.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

/** A thread of this program. */
export function takeThread(program: URL): Worker {
  const kept = program.pathname.endsWith(PROGRAM) ? idle.pop() : undefined;
  if (kept !== undefined) leave(kept);
  return kept ?? new Worker(program);
}

/** Whether a thread that is to end was kept instead. One that has something to do was not. */
export function keepThread(
  program: URL,
  { thread, ordered }: { readonly thread: Worker; readonly ordered: ReadonlyMap<number, unknown> },
): boolean {
  if (!program.pathname.endsWith(PROGRAM) || ordered.size > 0 || idle.length >= MOST_KEPT) return false;
  leave(thread);
  const forget = () => {
    const place = idle.indexOf(thread);
    if (place >= 0) idle.splice(place, 1);
  };
  thread.on("error", forget).on("exit", forget);
  idle.push(thread);
  return true;
}

/** Whoever owned it hears no more of it. Node has listeners of its own, for other events. */
function leave(thread: Worker): void {
  for (const event of ["message", "error", "exit"]) thread.removeAllListeners(event);
}
