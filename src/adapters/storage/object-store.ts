/**
 * Objects: bytes that are written once under an id and never change. `FolderStore` keeps them in a folder; another driver,
 * such as one for S3, has the same shape.
 */

/** What the list of a store says of an object. */
export interface StoredObject {
  readonly id: string;
  /** Bytes as they are stored. */
  readonly bytes: number;
  /** When its last byte was written, by the clock of the store. */
  readonly writtenAt: Date;
}

/** Ids are UUIDs in their canonical form (RFC 9562 §4), in lowercase; another id is a TypeError. */
export interface ObjectStore {
  /**
   * Writes an object. When this returns, the whole object outlives a loss of power; when it throws, there is no new object.
   * An error of the content ends the writing, and is thrown as it is.
   *
   * @param content is read no faster than it is written, and closed when writing fails. A part that it gives may be filled
   *   anew once the next one is asked for.
   * @throws StorageError `exists` (the object that is there stays as it is), `full`, `away`
   */
  write(id: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Bytes of an object as they are stored.
   * @throws StorageError `missing`, `away`
   */
  size(id: string): Promise<number>;
  /**
   * The stored bytes from `start` to `end`, both included, in parts of any length. A part is valid until the next one is asked
   * for: copy what must last. An object that ends earlier gives the bytes that it has.
   * @throws StorageError `missing`, `away`, when the first part is asked for or later
   */
  read(id: string, start: number, end: number): AsyncIterable<Buffer>;
  /**
   * Removes an object; one that is missing is no error.
   * @throws StorageError `away`
   */
  remove(id: string): Promise<void>;
  /**
   * All objects, in no order, a few at a time. Objects may be written and removed meanwhile.
   * @throws StorageError `away`
   */
  list(): AsyncIterable<StoredObject>;
  /**
   * Whether objects can be written now. It is `full` without room for a few bytes, and while there is none for the last object that found no room.
   * What is there can still be read.
   * @throws StorageError `away`
   */
  check(): Promise<"ok" | "full">;
  /**
   * Removes what writing left behind when its process died, and that has not grown since `before`.
   * @returns how many
   * @throws StorageError `away`
   */
  removeLeftovers(before: Date): Promise<number>;
}

/**
 * - `exists`: an object with this id is there already.
 * - `missing`: no object has this id.
 * - `full`: no room is left, on the disk or within a quota. Later it may work.
 * - `away`: the store does not answer, or not to us: its folder is gone, the disk fails, a permission lacks. Later it may work.
 * - `altered`: the bytes are not those that were written, or were written under another key, id or use; AES-GCM cannot tell which.
 */
export type StorageErrorReason = "exists" | "missing" | "full" | "away" | "altered";

/** Why an object could not be written or read. The message never contains keys or content; `cause` is the system's error. */
export class StorageError extends Error {
  readonly reason: StorageErrorReason;

  constructor(reason: StorageErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageError";
    this.reason = reason;
  }
}
