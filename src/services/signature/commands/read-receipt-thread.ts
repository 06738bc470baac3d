/** Reads receipts in a thread. The thread runs this same file, because the bundled command has no second file to start. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { UnreadableError } from "../../../verifier/keys.ts";

const TASK = "selo: read a receipt";
type Answer = { readonly text: string | null } | { readonly unreadable: string };

/** Reading a receipt takes a tenth of a second; a slow machine gets more time. */
const ANSWER_MS = 10_000;
const HEAP_MB = 256;
/** Most bytes that the process may grow by meanwhile. The heap limit does not cover unpacked streams. */
const GROWTH = 512 * 1024 * 1024;
const LOOK_MS = 25;

/**
 * `readReceipt` of src/verifier/receipt.ts, for a PDF from anywhere.
 * @throws UnreadableError also when reading takes more than 10 seconds or half a gigabyte
 */
export async function readReceiptInThread(pdf: Uint8Array): Promise<string | null> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: { task: TASK, pdf },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
  });
  const allowed = process.memoryUsage.rss() + GROWTH;
  const timers: NodeJS.Timeout[] = [];
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const tooMuch = (what: string) => reject(new UnreadableError(`it takes too much ${what} to read`));
      thread.once("message", resolve);
      thread.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch("memory") : reject(error),
      );
      thread.once("exit", () => reject(new Error("the thread that reads receipts ended early")));
      timers.push(
        setTimeout(() => tooMuch("time"), ANSWER_MS),
        setInterval(() => process.memoryUsage.rss() > allowed && tooMuch("memory"), LOOK_MS),
      );
    });
    if ("unreadable" in answer) throw new UnreadableError(answer.unreadable);
    return answer.text;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await thread.terminate();
  }
}

if (!isMainThread && (workerData as { readonly task?: unknown } | null)?.task === TASK) {
  // pdf-lib logs what it reads; a million such lines could fill memory.
  Object.assign(console, { log: () => {}, warn: () => {} });
  const { pdf } = workerData as { readonly pdf: Uint8Array };
  // Imported only here: no other command needs pdf-lib or should wait for it.
  const receipt = await import("../../../verifier/receipt.ts");
  parentPort?.postMessage(
    await receipt.readReceipt(pdf).then(
      (text): Answer => ({ text }),
      (error: unknown): Answer => {
        if (error instanceof UnreadableError) return { unreadable: error.message };
        throw error;
      },
    ),
  );
}
