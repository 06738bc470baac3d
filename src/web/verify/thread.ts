/** What the page asks of worker.ts, and what it hears. */
export interface Task {
  readonly task: "hash" | "receipt";
  readonly file: File;
}
export type Answer =
  | { readonly kind: "progress"; readonly bytes: number }
  /** The digest in hexadecimal; of a receipt the evidence in it, null without. */
  | { readonly kind: "done"; readonly result: string | null }
  | { readonly kind: "failed" };

/** A PDF can be made to take forever. */
const RECEIPT_PATIENCE_MS = 10_000;

/**
 * SHA-256 of a file as 64 lowercase hexadecimal digits, read piece by piece.
 * @throws when the file cannot be read, or `signal` aborts
 */
export async function hashApart(file: File, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<string> {
  const digest = await run({ task: "hash", file }, signal, onBytes);
  if (digest === null) throw new Error("no digest");
  return digest;
}

/**
 * The evidence in a receipt; null when the PDF is none.
 * @throws when it is no readable PDF or takes too long
 */
export function readReceiptApart(file: File): Promise<string | null> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), RECEIPT_PATIENCE_MS);
  return run({ task: "receipt", file }, abort.signal, () => {}).finally(() => clearTimeout(timer));
}

function run(task: Task, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<string | null> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return new Promise<string | null>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.onerror = () => reject(new Error("the thread broke"));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.kind === "progress") onBytes(data.bytes);
      else if (data.kind === "done") resolve(data.result);
      else reject(new Error("it cannot be read"));
    };
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}
