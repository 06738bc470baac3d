import { z } from "zod";
import { readStorageUrl } from "../../../adapters/object-put/storage-url.ts";
import { invalidRequest } from "../../../errors/app-error.ts";

/** The secret of an access key, in requests alone. */
export const secretMember = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[\x20-\x7e]+$/, "must be printable ASCII")
  .meta({ description: "Secret of the access key. It is kept encrypted and never shown." });

/**
 * Checks the address of a storage, and returns it in the form that the commands take.
 * @param allowsLoopback WEBHOOK_ALLOW_LOOPBACK
 * @throws AppError 422 invalid_request
 */
export function storageEndpoint(endpoint: string, allowsLoopback: boolean) {
  const read = readStorageUrl(endpoint, allowsLoopback);
  if ("refused" in read) throw invalidRequest([{ field: "endpoint", message: read.refused }]);
  return { endpoint: read.url, is_loopback: read.isLoopback };
}
