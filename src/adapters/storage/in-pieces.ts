import { release } from "./release.ts";

/** A piece of a stream. */
export interface Piece {
  /** Valid until the next piece is asked for: all pieces share one buffer. */
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Cuts a stream into pieces of `size` bytes. The last piece may be shorter, and is empty only when the whole stream is.
 * The bytes are copied: what the source does with its memory later changes no piece.
 * @throws TypeError when a part of the stream is not bytes, such as decoded text
 */
export async function* inPieces(source: AsyncIterable<unknown>, size: number): AsyncGenerator<Piece, void, undefined> {
  const piece = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  try {
    for await (const part of source) {
      if (!(part instanceof Uint8Array))
        throw new TypeError("the stream must carry bytes, not decoded text or objects");
      for (let at = 0; at < part.length; ) {
        // A full piece leaves when more arrives: only then is it known not to be the last.
        if (filled === size) {
          yield { bytes: piece, isLast: false };
          filled = 0;
        }
        const count = Math.min(size - filled, part.length - at);
        piece.set(part.subarray(at, at + count), filled);
        filled += count;
        at += count;
      }
    }
    yield { bytes: piece.subarray(0, filled), isLast: true };
  } finally {
    release(piece);
  }
}
