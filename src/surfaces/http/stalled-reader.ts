import type { FastifyReply } from "fastify";

/** How often progress is looked at, in the time that a reader has. */
const LOOKS = 10;

/** How long an answer waits, in milliseconds. */
export interface AnswerPatience {
  /** For a reader who leaves bytes of it unread. */
  readonly stalledReaderMs: number;
  /** For its source, while the reader has taken everything there is. */
  readonly stalledSourceMs: number;
}

/**
 * Cuts off who takes nothing of an answer for a while: the socket is destroyed, and the answer's stream with it. Node's
 * own time-out of sockets would do for readers who are merely gone, but it takes what a caller sends for progress, and
 * is shorter; it is put off until the answer has ended.
 *
 * What counts is what the system has taken for the reader, and the time in which something is left to take: a source that
 * is slow is no fault of the reader. The system's buffers are filled first, and take more only when the reader has emptied a
 * good part of them. A source that gives nothing for much longer is given up: nobody would notice that its reader is gone.
 * @param end called when the connection ended before the answer did, perhaps some seconds later; with an error where the
 *   source is at fault, on a connection that is still there
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
  let taken = -1;
  // Since then the reader has left bytes unread, and since then the source has given none.
  let readerSince = performance.now();
  let sourceSince = readerSince;
  const look = () => {
    // An answer that waits behind another on the same connection is told of no close.
    if (socket.destroyed) {
      clearInterval(timer);
      end();
      return;
    }
    // Each time: an answer before this one on the same connection sets it back.
    if (socket.timeout !== 0) socket.setTimeout(0);
    const now = performance.now();
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
  const timer = setInterval(look, Math.min(stalledReaderMs, stalledSourceMs) / LOOKS).unref();
  look();
  reply.raw.once("close", () => {
    clearInterval(timer);
    // Where Node has begun to wait for the next request, that time holds.
    if (socket.timeout === 0) socket.setTimeout(normalTimeoutMs);
  });
}
