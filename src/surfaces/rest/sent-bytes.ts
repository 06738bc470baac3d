import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { release } from "../../adapters/storage/release.ts";
import type { ByteRange } from "./byte-range.ts";
import type { FileSource } from "./file-source.ts";

/** A large part is sent in pieces of this many bytes, so that the progress of a slow reader is visible. */
const MOST_PIECE = 64 * 1024;

/**
 * Exactly the bytes of a range, on their way into an answer: a client waits for the number that Content-Length says. Or all bytes of a source. A part is asked for once the
 * connection took the last one, and its memory is given back then, if the file allows it.
 */
export class SentBytes extends Readable {
  readonly #source: Readable;
  readonly #parts: AsyncIterator<Buffer>;
  readonly #answer: Pick<ServerResponse, "writableLength">;
  /** Parts that the connection may still have to send. Null: their memory belongs to the file. */
  readonly #given: Buffer[] | null;
  /** What is left of the last part. */
  #part: Buffer = Buffer.alloc(0);
  /** Bytes that are still to come; Infinity where nobody knows. */
  #left: number;
  /** Whether the last part had more of them. */
  #isTooLong = false;

  /** All bytes of a source, until it ends: nobody knows their number yet. */
  static all(source: Readable, answer: Pick<ServerResponse, "writableLength">, givesMemory: boolean): SentBytes {
    const ownsMemory = givesMemory ? { givesMemory: true as const } : {};
    return new SentBytes(source, ownsMemory, { start: 0, end: Number.POSITIVE_INFINITY }, answer);
  }

  static async open(file: FileSource, range: ByteRange, answer: Pick<ServerResponse, "writableLength">) {
    return new SentBytes(await file.open(range.start, range.end), file, range, answer);
  }

  private constructor(
    source: Readable,
    { givesMemory }: Pick<FileSource, "givesMemory">,
    { start, end }: ByteRange,
    answer: Pick<ServerResponse, "writableLength">,
  ) {
    // Nothing is read ahead: what is asked for shows what was taken.
    super({ highWaterMark: 0 });
    this.#source = source;
    this.#parts = source[Symbol.asyncIterator]();
    this.#answer = answer;
    this.#given = givesMemory ? [] : null;
    this.#left = end - start + 1;
    source.once("error", (error) => this.destroy(error));
  }

  override _read(): void {
    this.#giveBack();
    this.#next().then(
      (piece) => this.push(piece),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.destroy();
    done(error);
  }

  /** The next piece; null at the end. */
  async #next(): Promise<Buffer | null> {
    while (this.#part.length === 0) {
      if (this.#isTooLong) throw new Error("a file has more bytes than it says");
      const { done, value } = await this.#parts.next();
      if (done) {
        if (this.#left > 0 && this.#left !== Number.POSITIVE_INFINITY)
          throw new Error(`a file has ${this.#left} bytes less than it says`);
        return null;
      }
      // What is too much fails the next part: the reader gets what belongs to the file.
      this.#part = value.subarray(0, this.#left);
      this.#isTooLong = value.length > this.#left;
      this.#left -= this.#part.length;
      this.#given?.push(value);
    }
    const piece = this.#part.subarray(0, MOST_PIECE);
    this.#part = this.#part.subarray(MOST_PIECE);
    return piece;
  }

  #giveBack(): void {
    // Without bytes that wait here or there, the system has its own copy of all of them.
    if (this.#given === null || this.#part.length > 0 || this.#answer.writableLength > 0) return;
    for (const part of this.#given.splice(0)) release(part);
  }
}
