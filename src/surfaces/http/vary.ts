import type { FastifyReply } from "fastify";

/** Adds request headers to `Vary` (RFC 9110 §12.5.5): others may have named theirs already, such as `Origin` for pages of other origins. */
export function vary(reply: FastifyReply, ...headers: readonly string[]): FastifyReply {
  const named = reply.getHeader("vary");
  return reply.header("vary", [...(named === undefined ? [] : [named]), ...headers].join(", "));
}
