import type { Readable } from "node:stream";
import { PayloadTooLargeError, sha256OfStream } from "../adapters/crypto/sha256-stream.ts";
import { AppError } from "../errors/app-error.ts";
import type { FileInput, ReceivedFile, Requester } from "./operation.ts";

/** The file of a request, before its name is known. */
type TakenFile = Omit<ReceivedFile, "fileName">;

/**
 * Takes the content of a file as it arrives, and closes it when this fails.
 * @throws PayloadTooLargeError, FileNotStoredError; the content's own error
 */
export type TakeFile = (content: Readable) => Promise<TakenFile>;

/** A file could not be stored, for a reason (`cause`) that is not its sender's. */
export class FileNotStoredError extends Error {
  constructor(cause: unknown) {
    super("a file could not be stored", { cause });
    this.name = "FileNotStoredError";
  }
}

/**
 * What takes the file of an operation. Called once the caller's right is checked and before the body is read.
 * @param signal aborted when the sender goes away
 */
export async function takerOf<Parts>(
  file: FileInput<Parts>,
  parts: Parts,
  requester: Omit<Requester, "idempotency">,
  signal: AbortSignal,
): Promise<TakeFile> {
  const most = file.most(parts);
  if (file.kept === "stored") {
    const store = await file.store(parts, requester);
    return async (content) => {
      // The parser emits errors of streams that it does not destroy with them: they are not in `errored`. A short form may have failed before.
      let ofContent: unknown = content.errored;
      content.once("error", (error) => {
        ofContent = error;
      });
      const stored = await store(content, most, signal).catch((error: unknown) => {
        throw error === ofContent || isOfSender(error) ? error : new FileNotStoredError(error);
      });
      return { sha256: stored.sha256, bytes: stored.bytes, content: null, stored };
    };
  }
  if (file.kept === "digest")
    return async (content) => ({ ...(await sha256OfStream(content, most)), content: null, stored: null });
  return async (content) => {
    const chunks: Uint8Array[] = [];
    const digest = await sha256OfStream(content, most, (chunk) => chunks.push(chunk));
    return { ...digest, content: Buffer.concat(chunks), stored: null };
  };
}

/** Whether storing failed because of what was sent. */
function isOfSender(error: unknown): boolean {
  if (error instanceof PayloadTooLargeError || error instanceof AppError) return true;
  return (error as NodeJS.ErrnoException).code === "ERR_STREAM_PREMATURE_CLOSE";
}

/**
 * Goes on with a file that has arrived. If the request is refused, a stored file is removed again. After another failure, such as a lost
 * connection, nobody knows whether the transaction that names the file was committed: then the file stays. Files that nothing names are
 * swept up later.
 */
export async function unlessRefused<Result>(
  file: ReceivedFile | null,
  goOn: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await goOn();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await discard(file);
    throw error;
  }
}

/** Removes a stored file again. What cannot be removed now is swept up later: the caller learns the first failure. */
export async function discard(file: ReceivedFile | null): Promise<void> {
  await file?.stored?.discard().catch(() => {});
}
