import { StorageError } from "../adapters/storage/object-store.ts";
import { AppError } from "../errors/app-error.ts";

/** What the caller is told of an error of the storage: 503 unavailable when it is full or away, because later it may work. Another error is answered as it is. */
export function storageRefusal(error: unknown): unknown {
  if (!(error instanceof StorageError) || (error.reason !== "full" && error.reason !== "away")) return error;
  const message = "The storage of files cannot be used now; try again soon.";
  return new AppError(503, "unavailable", message, undefined, { cause: error });
}
