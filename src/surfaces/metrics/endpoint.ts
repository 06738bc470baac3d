import { createHash, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { type Config, ConfigError } from "../../config/config.ts";
import { unauthenticated } from "../../errors/app-error.ts";
import { asAppError, internalError, noSuchPath, sendError } from "../http/errors.ts";
import type { Metrics } from "./metrics.ts";

/** GET /metrics, for callers that present the token. With null, for every caller that reaches it. */
export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  metrics.watchProcess();
  const expected = token === null ? null : digest(token);
  app.get("/metrics", async (request, reply) => {
    if (expected !== null) requireToken(request.headers.authorization, expected);
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

function requireToken(authorization: string | undefined, expected: Buffer): void {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  // Digests have a fixed length, so the comparison does not reveal the token's length.
  if (given === undefined || !timingSafeEqual(digest(given), expected)) throw unauthenticated();
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

export interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A listener on METRICS_HOST:METRICS_PORT with /metrics and /healthz, apart from the public server; null without METRICS_PORT.
 * @throws ConfigError if the port is in use
 */
export async function listenForMetrics(config: Config, metrics: Metrics): Promise<MetricsListener | null> {
  const { metricsHost: host, metricsPort: port, metricsToken, publicUrl } = config;
  if (port === null) return null;
  const app = fastify({ logger: false, forceCloseConnections: true });
  app.decorate("metrics", metrics);
  app.decorate("publicUrl", publicUrl);
  app.setErrorHandler(async (error, request, reply) =>
    sendError(reply, asAppError(error) ?? internalError(request.id)),
  );
  app.setNotFoundHandler(async (_request, reply) => sendError(reply, noSuchPath()));
  app.get("/healthz", async () => ({ status: "ok" }));
  registerMetrics(app, metrics, metricsToken);
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw new ConfigError(
      `METRICS_PORT: ${host}:${port} cannot be listened on (${(error as NodeJS.ErrnoException).code})`,
      {
        cause: error,
      },
    );
  }
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
}
