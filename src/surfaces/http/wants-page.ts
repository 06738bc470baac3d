import type { FastifyRequest } from "fastify";

/** Whether a browser asks for a page: an Accept that names HTML, which no program that reads JSON sends. */
export function wantsPage({ method, headers }: Pick<FastifyRequest, "method" | "headers">): boolean {
  return (method === "GET" || method === "HEAD") && /\btext\/html\b/i.test(headers.accept ?? "");
}
