import { randomUUID } from "node:crypto";
import type { ObjectKey } from "../../../adapters/storage/chunk-cipher.ts";
import type { ObjectStore } from "../../../adapters/storage/object-store.ts";
import { openSealed, writeSealed } from "../../../adapters/storage/sealed-object.ts";
import type { Requester, StoreContent } from "../../../surfaces/operation.ts";
import type { SignatureParts } from "../parts.ts";
import { findDocumentFile } from "../store.ts";
import type { DataKey } from "./data-key.ts";
import type { FindFile } from "./files.ts";

/** The key of a document's content. Content has its own id, which nobody sees: ids of documents are shown, and may be guessed by their time. */
export const contentKey = (dataKey: DataKey, objectId: string): ObjectKey => dataKey.objectKey("document", objectId);

/** Stores uploads of a caller, encrypted for the caller's organization and environment. */
export async function storesDocuments(
  { objects, dataKeys, database }: Pick<SignatureParts, "objects" | "dataKeys" | "database">,
  requester: Omit<Requester, "idempotency">,
): Promise<StoreContent> {
  const dataKey = await dataKeys.ofCaller(database, requester);
  return async (content, maxBytes, signal) => {
    const id = randomUUID();
    const digest = await writeSealed(objects, contentKey(dataKey, id), content, maxBytes, signal);
    return { ...digest, id, discard: () => objects.remove(id) };
  };
}

/**
 * The content of a document, read as it is asked for: nothing is open before.
 * @throws StorageError, when the first part is asked for or later
 */
export async function* readContent(objects: ObjectStore, dataKey: DataKey, objectId: string): AsyncGenerator<Buffer> {
  const { length, open } = await openSealed(objects, contentKey(dataKey, objectId));
  if (length > 0) yield* open(0, length - 1);
}

/** Finds the content that a signed link leads to: of a document that is still there, and ready; or a delivered file. */
export const documentFiles =
  ({ dataKeys, database }: Pick<SignatureParts, "dataKeys" | "database">): FindFile =>
  async (linked) => {
    const found = await findDocumentFile(database, linked);
    if (found === null) return null;
    const key = contentKey(dataKeys.open(linked, found.sealedKey), linked.objectId);
    return { key, bytes: found.size, fileName: found.filename, contentType: found.type };
  };
