import type { FastifyInstance } from "fastify";
import type { Metrics } from "./metrics.ts";

declare module "fastify" {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

/** Methods that our paths have, and methods that browsers send by themselves. A caller may invent any number of others. */
const METHODS = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/** Counts every request of a server with its duration. Registered before any other hook, so that requests refused by those hooks count, too. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.decorate("metrics", metrics);
  app.addHook("onRequest", (request, reply, next) => {
    metrics.requestBegan();
    // The hook onResponse is not used, because it does not run for callers who go away.
    reply.raw.once("close", () => {
      metrics.requestEnded({
        method: METHODS.has(request.method) ? request.method : "other",
        route: request.is404 ? "unknown" : (request.routeOptions.url ?? "unknown"),
        status: reply.raw.writableFinished ? String(reply.statusCode) : "aborted",
        seconds: reply.elapsedTime / 1_000,
      });
    });
    next();
  });
}

/** Counts bytes that could not be read as a request. */
export function countUnreadable(metrics: Metrics, status: number): void {
  metrics.requestRefused({ method: "other", route: "unreadable", status: String(status), seconds: 0 });
}
