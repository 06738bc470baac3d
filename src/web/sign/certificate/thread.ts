import type { OpenedFile } from "./open-file.ts";

/** The message to certificate-worker.ts. */
export interface Task {
  readonly file: File;
  readonly password: string;
}

/** Files with ten million iterations would take minutes. */
const PATIENCE_MS = 30_000;
/** Files of ICP-Brasil, with all certificates of the chain, have 3 to 12 KiB. */
const MOST_BYTES = 1024 * 1024;

/**
 * Opens a certificate file in a thread that ends with it. The key that comes back signs, and cannot be read.
 * @throws the signal's reason; Error if the thread could not be loaded
 */
export async function openApart(file: File, password: string, signal: AbortSignal): Promise<OpenedFile> {
  if (file.size > MOST_BYTES) return { fault: "damaged" };
  signal.throwIfAborted();
  const worker = new Worker(new URL("./certificate-worker.ts", import.meta.url), { type: "module" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<OpenedFile>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      timer = setTimeout(() => resolve({ fault: "time" }), PATIENCE_MS);
      worker.onerror = () => reject(new Error("the thread broke"));
      worker.onmessage = ({ data }: MessageEvent<OpenedFile>) => resolve(data);
      worker.postMessage({ file, password } satisfies Task);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
