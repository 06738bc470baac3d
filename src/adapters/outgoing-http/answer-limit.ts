import type net from "node:net";

/** All that a receiver may send from one POST to the next, in bytes, after TLS is taken off. */
export const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * All lines of it. Until a head or the trailers are whole, undici holds two objects for each of their lines, which take sixty
 * times the bytes of a short one.
 */
export const MOST_ANSWER_LINES = 1_000;
const LINE_FEED = 10;

/**
 * The receiver sent more than {@link MOST_ANSWER_BYTES} or {@link MOST_ANSWER_LINES}. To undici it is an error of the socket:
 * a request that waits for the connection and was not sent goes over another one.
 */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge";
  readonly code = "UND_ERR_SOCKET";
}

/**
 * Destroys a connection that brings more than {@link MOST_ANSWER_BYTES} or {@link MOST_ANSWER_LINES} from one write on:
 * undici tells its caller of bodies alone, and reads interim answers, chunk extensions and trailers without end. With
 * `pipelining: 1` a write begins a request, and what comes before the next write is the answer to it, or nothing that was
 * asked for.
 *
 * What comes within the limits is parsed, however the network cut it up: a status in it is known.
 */
export function limitAnswers(socket: net.Socket): void {
  const { push, write } = socket;
  let bytesLeft = MOST_ANSWER_BYTES;
  let linesLeft = MOST_ANSWER_LINES;
  let ticketBytesLeft = MOST_ANSWER_BYTES;
  const cut = () => {
    // In the next tick, when undici has read what came within the limits.
    process.nextTick(() => socket.destroy(new AnswerTooLarge("the receiver sends too much")));
  };
  socket.write = (...given: unknown[]) => {
    bytesLeft = MOST_ANSWER_BYTES;
    linesLeft = MOST_ANSWER_LINES;
    return Reflect.apply(write, socket, given);
  };
  // All that Node has read from the network comes through here, whether anybody asks for it or not.
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
  // Tickets of TLS 1.3 are no part of what is read, and come at any time, as many as the receiver likes.
  socket.on("session", (session: Buffer) => {
    ticketBytesLeft -= session.length;
    if (ticketBytesLeft < 0) cut();
  });
}
