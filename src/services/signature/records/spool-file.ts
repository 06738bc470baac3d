import { randomBytes, randomUUID } from "node:crypto";
import { writeSealed } from "../../../adapters/storage/sealed-object.ts";
import type { StoreContent } from "../../../surfaces/operation.ts";
import { DATA_KEY_BYTES, DataKey } from "../documents/data-key.ts";
import { contentKey, readContent } from "../documents/document-content.ts";
import type { SignatureParts } from "../parts.ts";

/**
 * Keeps a file for one answer: encrypted under a key that nobody keeps. Memory would not hold the files of all who wait. What a crash leaves can
 * never be read, and is swept up.
 */
export async function spoolsFile({ objects }: Pick<SignatureParts, "objects">): Promise<StoreContent> {
  return async (content, maxBytes, signal) => {
    const id = randomUUID();
    const key = new DataKey(randomBytes(DATA_KEY_BYTES));
    const digest = await writeSealed(objects, contentKey(key, id), content, maxBytes, signal);
    return { ...digest, id, read: () => readContent(objects, key, id), discard: () => objects.remove(id) };
  };
}
