import type { FastifyReply } from "fastify";

/** Number of checks for progress within the time that a reader has. */
const LOOKS = 10;

/** How long an answer waits, in milliseconds. */
export interface AnswerPatience {
  /** For a reader who leaves bytes of the answer unread. */
  readonly stalledReaderMs: number;
  /** For the answer's source, while the reader has taken all available bytes. */
  readonly stalledSourceMs: number;
}

/**
 * Cuts off a reader who takes nothing of an answer for a while: the socket is destroyed, and the answer's stream with it. Node's
 * own socket time-out would suffice for readers who are gone, but it counts bytes that a caller sends as progress, and
 * is shorter. It is postponed until the answer has ended.
 *
 * Progress is what the operating system has taken for the reader. Only time in which bytes are available counts: a slow
 * source is not the reader's fault. The system's buffers fill first, and take more only when the reader has emptied a
 * good part of them. A source that gives nothing for much longer is given up, because nobody would notice that its reader is gone.
 * A pause of this process counts as two looks at most: neither reader nor source can show progress in it.
 * @param end called when the connection ended before the answer, perhaps some seconds later; with an error if the
 *   source is at fault and the connection still exists
 */
export function cutOffStalledReader(
  reply: FastifyReply,
  { stalledReaderMs, stalledSourceMs }: AnswerPatience,
  end: (fault?: Error) => void,
): void {
  const { socket } = reply.request.raw;
  if (socket.destroyed) {
    end();
    return;
  }
  const normalTimeoutMs = reply.server.server.timeout;
  const intervalMs = Math.min(stalledReaderMs, stalledSourceMs) / LOOKS;
  let taken = -1;
  let lookedAt = performance.now();
  // In milliseconds of this answer without pauses: how long it lasts, since when the reader has left bytes unread, and since when
  // the source has given none.
  let now = 0;
  let readerSince = 0;
  let sourceSince = 0;
  const look = () => {
    // An answer that waits behind another answer on the same connection gets no close event.
    if (socket.destroyed) {
      clearInterval(timer);
      end();
      return;
    }
    // Every time, because an earlier answer on the same connection sets the time-out again.
    if (socket.timeout !== 0) socket.setTimeout(0);
    const looksAt = performance.now();
    now += Math.min(looksAt - lookedAt, 2 * intervalMs);
    lookedAt = looksAt;
    const unread = socket.writableLength;
    const takenNow = socket.bytesWritten - unread;
    const isProgress = takenNow !== taken;
    taken = takenNow;
    if (isProgress || unread === 0) readerSince = now;
    if (isProgress || unread > 0) sourceSince = now;
    if (now - readerSince >= stalledReaderMs) socket.destroy();
    else if (now - sourceSince >= stalledSourceMs) {
      clearInterval(timer);
      end(new Error(`the source of an answer gave nothing for ${stalledSourceMs / 1_000} s`));
    }
  };
  const timer = setInterval(look, intervalMs).unref();
  look();
  reply.raw.once("close", () => {
    clearInterval(timer);
    // If Node already waits for the next request, Node's time-out stays.
    if (socket.timeout === 0) socket.setTimeout(normalTimeoutMs);
  });
}
