import type { FastifyReply } from "fastify";

/** Long enough for a caller to see the answer and stop sending. */
const PATIENCE_MS = 2_000;

/**
 * Lets go of a body that is answered before it was read to its end. What still arrives is thrown away for a moment, so
 * that the caller gets to read the answer (closing at once resets the connection, answer included), and then the
 * connection ends: left alone, a socket that nobody reads never learns that its caller is gone, and stays for good.
 */
export function discardUnreadBody(reply: FastifyReply): void {
  const request = reply.request.raw;
  const response = reply.raw;
  if (request.complete) return;
  // Fastify says it of a body that it does not read, and Node then closes at once. Here the body is read to its end, and the
  // connection can be used again.
  if (reply.hasHeader("connection")) reply.removeHeader("connection");
  const closesAfterwards = !response.shouldKeepAlive;
  // Node resets the connection behind its last answer at once, and a caller still sending never reads it: we close it.
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
