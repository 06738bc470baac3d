/** The messages between the page and worker.ts. */
export interface Task {
  readonly task: "hash" | "receipt";
  readonly file: File;
}
export type Answer =
  | { readonly kind: "progress"; readonly bytes: number }
  /** The digest in hexadecimal, or the evidence in a receipt; null for a PDF without evidence. */
  | { readonly kind: "done"; readonly result: string | null }
  | { readonly kind: "failed" };

/** Time limit for a PDF: some are made to take forever. */
const RECEIPT_PATIENCE_MS = 10_000;

/**
 * SHA-256 of a file as 64 lowercase hexadecimal digits. The file is read piece by piece.
 * @throws Error if the file cannot be read, or if `signal` aborts
 */
export async function hashApart(file: File, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<string> {
  const digest = await run({ task: "hash", file }, signal, onBytes);
  if (digest === null) throw new Error("no digest");
  return digest;
}

/**
 * The evidence in a receipt; null if the PDF is not a receipt.
 * @throws Error if the file is not a readable PDF or takes too long
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
      else reject(new Error("the file cannot be read"));
    };
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}
