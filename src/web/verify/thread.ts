import type { Dossier } from "../../verifier/dossier.ts";

/** The messages between the page and worker.ts. */
export type Task =
  | { readonly task: "hash" | "receipt" | "dossier"; readonly file: File }
  /** Loads everything that the other tasks need. */
  | { readonly task: "prepare" };
export type Answer =
  | { readonly kind: "progress"; readonly bytes: number }
  /** The digest in hexadecimal, or the evidence in a receipt, or a dossier; null for a PDF or a ZIP without evidence. */
  | { readonly kind: "done"; readonly result: Result }
  /** Whether the file itself is at fault, and not, for instance, a network that is gone. */
  | { readonly kind: "failed"; readonly isUnreadable: boolean }
  | { readonly kind: "prepared"; readonly isWhole: boolean };

type Result = string | Dossier | null;

/** Time limit for a PDF: some are made to take forever. */
const RECEIPT_PATIENCE_MS = 10_000;

/**
 * SHA-256 of a file as 64 lowercase hexadecimal digits. The file is read piece by piece.
 * @throws Error if the file cannot be read, or if `signal` aborts
 */
export async function hashApart(file: File, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<string> {
  const digest = await run({ task: "hash", file }, signal, onBytes);
  if (typeof digest !== "string") throw new Error("no digest");
  return digest;
}

/**
 * The evidence in a receipt; null if the PDF is not a receipt.
 * @throws Error if the file is not a readable PDF or takes too long
 */
export async function readReceiptApart(file: File): Promise<string | null> {
  const text = await run({ task: "receipt", file }, AbortSignal.timeout(RECEIPT_PATIENCE_MS), () => {});
  return typeof text === "string" ? text : null;
}

/** Time limit for a ZIP: 8 GiB, the most that is read, take half as long. */
const DOSSIER_PATIENCE_MS = 600_000;

/** A file that is not what its beginning says. */
export class DamagedError extends Error {}

/**
 * A dossier, all of whose files are hashed; null if the ZIP is none.
 * @param onBytes is told how many bytes of the ZIP were read
 * @throws DamagedError if the file is not a ZIP that can be read
 * @throws Error if it takes too long, or if `signal` aborts
 */
export async function readDossierApart(
  file: File,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Dossier | null> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(DOSSIER_PATIENCE_MS)]);
  const read = await run({ task: "dossier", file }, limited, onBytes);
  return typeof read === "string" ? null : read;
}

/** A thread that is started and has loaded everything, so that the next file needs no network. */
let prepared: Worker | null = null;

/** Starts the next thread before there is a file for it. */
export function prepareThread(): void {
  if (prepared === null) prepare(start());
}

function prepare(worker: Worker): void {
  prepared = worker;
  const forget = () => {
    if (prepared === worker) prepared = null;
  };
  worker.onerror = forget;
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    // Perhaps the network was gone; the next file starts its own thread.
    if (data.kind === "prepared" && !data.isWhole) forget();
  };
  worker.postMessage({ task: "prepare" } satisfies Task);
}

function start(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

function take(): Worker {
  const worker = prepared ?? start();
  prepared = null;
  return worker;
}

/**
 * A PDF or a ZIP has its own thread, which ends with it: a hostile one can neither hold up nor spoil what comes after. Hashing leaves nothing
 * behind, so the thread that finished it takes the next file: with the network gone, another one might not load everything.
 */
function run(task: Task, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<Result> {
  const worker = take();
  let isReusable = false;
  return new Promise<Result>((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener("abort", () => reject(signal.reason));
    worker.onerror = () => reject(new Error("the file cannot be read"));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.kind === "progress") onBytes(data.bytes);
      else if (data.kind === "done") {
        isReusable = task.task === "hash";
        resolve(data.result);
      } else if (data.kind === "failed")
        reject(new (data.isUnreadable ? DamagedError : Error)("the file cannot be read"));
    };
    worker.postMessage(task);
  }).finally(() => {
    if (isReusable && prepared === null) prepare(worker);
    else worker.terminate();
    prepareThread();
  });
}
