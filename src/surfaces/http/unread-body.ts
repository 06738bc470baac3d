import type { FastifyReply } from "fastify";

/** Long enough for a caller to read the answer and stop sending. */
const PATIENCE_MS = 2_000;

/**
 * Discards a body that was answered before it was read to its end. For a moment further bytes are thrown away, so
 * that the caller can read the answer: closing at once would reset the connection and lose the answer. Then the
 * connection ends, because a socket that nobody reads never learns that its caller is gone, and stays open forever.
 */
export function discardUnreadBody(reply: FastifyReply): void {
  const request = reply.request.raw;
  const response = reply.raw;
  if (request.complete) return;
  // Fastify says it of a body that it does not read, and Node then closes at once. Here the body is read to its end, and the
  // connection can be used again.
  if (reply.hasHeader("connection")) reply.removeHeader("connection");
  const closesAfterwards = !response.shouldKeepAlive;
  // After its last answer Node resets the connection at once, and a caller still sending never reads the answer. So we close it ourselves.
  if (!response.headersSent) response.shouldKeepAlive = true;
  response.once("finish", () => {
    if (closesAfterwards) request.once("end", () => request.socket.end());
    if (request.complete || request.destroyed) {
      if (closesAfterwards) request.socket.end();
      return;
    }
    request.unpipe();
    request.resume();
    const timer = setTimeout(() => request.socket.destroy(), PATIENCE_MS);
    request.once("end", () => clearTimeout(timer));
    request.once("close", () => clearTimeout(timer));
  });
}
