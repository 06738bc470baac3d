import type { FastifyInstance } from "fastify";
import type { Metrics } from "./metrics.ts";

declare module "fastify" {
  interface FastifyInstance {
    metrics: Metrics;
  }
}

/** Methods that paths of ours have, and those that browsers try by themselves; a caller may make up dozens of others. */
const METHODS = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/** Counts every request of a server and how long it took; before any other hook, so that what those refuse counts, too. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.decorate("metrics", metrics);
  app.addHook("onRequest", (request, reply, next) => {
    metrics.requestBegan();
    // Not the hook onResponse: it does not hear of callers who go away.
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

/** What could not be read as a request to any route, and was refused at once. */
export function countUnreadable(metrics: Metrics, status: number): void {
  metrics.requestRefused({ method: "other", route: "unreadable", status: String(status), seconds: 0 });
}
