import type { FastifyRequest } from "fastify";

/** Whether a browser asks for a page: its Accept header contains HTML. Programs that read JSON do not send that. */
export function wantsPage({ method, headers }: Pick<FastifyRequest, "method" | "headers">): boolean {
  return (method === "GET" || method === "HEAD") && /\btext\/html\b/i.test(headers.accept ?? "");
}
