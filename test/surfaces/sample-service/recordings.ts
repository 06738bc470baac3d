import { createHash, randomUUID } from "node:crypto";
import type { ObjectStore } from "../../../src/adapters/storage/object-store.ts";
import { writeSealed } from "../../../src/adapters/storage/sealed-object.ts";
import type { StoreContent } from "../../../src/surfaces/operation.ts";

/** For these tests. A service of the product has a data key for each organization, sealed under the master key. */
const DATA_KEY = createHash("sha256").update("recordings of notes").digest();

/** Stores recordings under new ids. */
export const storesRecordings =
  (objects: ObjectStore): StoreContent =>
  async (content, maxBytes, signal) => {
    const id = randomUUID();
    const key = { dataKey: DATA_KEY, use: "recording", id };
    const digest = await writeSealed(objects, key, content, maxBytes, signal);
    return { ...digest, id, discard: () => objects.remove(id) };
  };
