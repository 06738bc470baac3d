import type { FastifyReply } from "fastify";

/** How often progress is looked at, in the time that a reader has. */
const LOOKS = 10;

/**
 * Cuts off who takes nothing of an answer for a while: the socket is destroyed, and the answer's stream with it. Node's
 * own time-out of sockets would do for readers who are merely gone, but it takes what a caller sends for progress, and
 * is shorter; it is put off until the answer has ended.
 *
 * What counts is what the system has taken for the reader. Its buffers are filled first, and take more only when the
 * reader has emptied a good part of them.
 * @param gone called when the connection ended before the answer did, perhaps some seconds later
 */
export function cutOffStalledReader(reply: FastifyReply, patienceMs: number, gone: () => void): void {
  const { socket } = reply.request.raw;
  if (socket.destroyed) {
    gone();
    return;
  }
  const normalTimeoutMs = reply.server.server.timeout;
  let taken = -1;
  let progressAt = performance.now();
  const look = () => {
    // An answer that waits behind another on the same connection is told of no close.
    if (socket.destroyed) {
      clearInterval(timer);
      gone();
      return;
    }
    // Each time: an answer before this one on the same connection sets it back.
    if (socket.timeout !== 0) socket.setTimeout(0);
    const now = socket.bytesWritten - socket.writableLength;
    if (now !== taken) progressAt = performance.now();
    taken = now;
    if (performance.now() - progressAt >= patienceMs) socket.destroy();
  };
  const timer = setInterval(look, patienceMs / LOOKS).unref();
  look();
  reply.raw.once("close", () => {
    clearInterval(timer);
    // Where Node has begun to wait for the next request, that time holds.
    if (socket.timeout === 0) socket.setTimeout(normalTimeoutMs);
  });
}
