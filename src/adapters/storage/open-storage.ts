import { type Config, ConfigError } from "../../config/config.ts";
import { FolderStore } from "./folder-store.ts";
import { type ObjectStore, StorageError } from "./object-store.ts";

/** The storage that the settings name, to read what is there: nothing is made, and without its folders it is `away`. */
export const existingStorage = ({ storageFolder }: Pick<Config, "storageFolder">): ObjectStore =>
  FolderStore.existing(storageFolder);

/**
 * The storage that the settings name, prepared.
 * @throws ConfigError if it cannot be used
 */
export async function openStorage({ storageFolder }: Pick<Config, "storageFolder">): Promise<ObjectStore> {
  try {
    return await FolderStore.prepare(storageFolder);
  } catch (error) {
    if (error instanceof StorageError) throw new ConfigError(`STORAGE_FOLDER: ${error.message}`, { cause: error });
    throw error;
  }
}
