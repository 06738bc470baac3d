import type net from "node:net";
import { passOverInterimAnswers } from "./interim-answers.ts";

/** Most bytes that a receiver may send between two POSTs, after TLS decryption. */
export const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * Most lines of these bytes. Until a head or the trailers are complete, undici holds two objects for each line, sixty times
 * the bytes of a short line.
 */
export const MOST_ANSWER_LINES = 1_000;
const LINE_FEED = 10;

/**
 * The receiver sent more than {@link MOST_ANSWER_BYTES} or {@link MOST_ANSWER_LINES}. For undici this is an error of the socket:
 * a request that waits for the connection and was not sent yet is sent over another connection.
 */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
  readonly code = "UND_ERR_SOCKET";
}

/**
 * Destroys a connection that receives more than {@link MOST_ANSWER_BYTES} or {@link MOST_ANSWER_LINES} after a write, and passes over
 * interim answers, which count. Undici passes only bodies to its caller, and reads any number of chunk extensions and trailers. With
 * `pipelining: 1` a write begins a request, so everything before the next write is the answer to that request, or was not
 * asked for.
 *
 * Everything within the limits is parsed, independent of how the network cut it: a status in it is known.
 */
export function limitAnswers(socket: net.Socket): void {
  passOverInterimAnswers(socket);
  const { push, write } = socket;
  let bytesLeft = MOST_ANSWER_BYTES;
  let linesLeft = MOST_ANSWER_LINES;
  let ticketBytesLeft = MOST_ANSWER_BYTES;
  const cut = () => {
    // In the next tick, after undici has read everything within the limits.
    process.nextTick(() => socket.destroy(new AnswerTooLarge("the receiver sends too much")));
  };
  socket.write = (...given: unknown[]) => {
    bytesLeft = MOST_ANSWER_BYTES;
    linesLeft = MOST_ANSWER_LINES;
    return Reflect.apply(write, socket, given);
  };
  // All bytes that Node reads from the network pass through here, even if nobody reads the stream.
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) return push.call(socket, null);
    const most = Math.min(chunk.length, bytesLeft);
    let end = 0;
    while (end < most && linesLeft > 0) if (chunk[end++] === LINE_FEED) linesLeft -= 1;
    bytesLeft -= end;
    if (end === chunk.length) return push.call(socket, chunk, encoding);
    const wantsMore = push.call(socket, chunk.subarray(0, end), encoding);
    cut();
    return wantsMore;
  };
  // TLS 1.3 session tickets are not part of the stream. A receiver may send any number of them at any time.
  socket.on("session", (session: Buffer) => {
    ticketBytesLeft -= session.length;
    if (ticketBytesLeft < 0) cut();
  });
}
