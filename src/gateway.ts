import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import querystring from "node:querystring";
import helmet from "@fastify/helmet";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Logger } from "pino";
import { malformedRequest } from "./app-error.ts";
import { TokenUse } from "./auth/token-use.ts";
import type { Config } from "./config.ts";
import { Database } from "./db/database.ts";
import { createPool } from "./db/pool.ts";
import { readService } from "./db/read-service.ts";
import { readSqlSource } from "./db/sql-source.ts";
import { graphqlPlugin } from "./graphql/graphql.ts";
import { registerHealth } from "./health.ts";
import { PlatformSigners } from "./operations/platform/platform-signers.ts";
import { API_PREFIX, restPlugin } from "./rest/rest.ts";

export interface GatewayOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly masterKey: Buffer;
  readonly log: Logger;
}

export interface Gateway {
  readonly port: number;
  /** Stops taking requests, finishes those under way, closes the pool. */
  stop(): Promise<void>;
}

/** Starts the HTTP process: REST, GraphQL, health. Stateless; run as many as needed. */
export async function startGateway({ config, databaseUrl, masterKey, log }: GatewayOptions): Promise<Gateway> {
  const pool = createPool(
    { url: databaseUrl, role: "selo_app", applicationName: "selo gateway" },
    config.databasePoolSize,
    (error) => log.warn({ err: error }, "an idle database connection broke"),
  );
  const database = new Database(pool);
  const signers = new PlatformSigners(database, masterKey);
  const tokenUse = new TokenUse(database, (error) => log.warn({ err: error }, "last use of tokens was not written"));

  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    // What it logs by itself holds addresses and queries: one line of ours per request instead.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { querystringParser: parseQuery, maxParamLength: 500 },
    // A slow sender of headers is cut off; bodies may be gigabytes and take their time.
    http: { headersTimeout: 10_000, requestTimeout: 0 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
  });
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.publicUrl.startsWith("https:"),
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    reply.header("cache-control", "no-store");
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? null;
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "request",
    );
  });

  registerHealth(app, {
    database,
    signers,
    expectedMigration: readSqlSource().migrations.at(-1)?.name ?? "",
    publicUrl: config.publicUrl,
  });
  await app.register(
    (scope) => restPlugin(scope, { database, signers, tokenUse, proofMaxFileBytes: config.proofMaxFileBytes }),
    { prefix: API_PREFIX },
  );
  await app.register((scope) =>
    graphqlPlugin(scope, {
      database,
      signers,
      tokenUse,
      proofMaxFileBytes: config.proofMaxFileBytes,
      reads: readService(pool),
    }),
  );
  await app.listen({ host: config.host, port: config.port });

  return {
    port: (app.server.address() as AddressInfo).port,
    stop: async () => {
      await app.close();
      await tokenUse.stop();
      await pool.end();
    },
  };
}

/** Query parameters; broken percent-encoding is refused rather than guessed at. */
function parseQuery(text: string): querystring.ParsedUrlQuery {
  try {
    decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw malformedRequest("The query is not valid percent-encoded UTF-8.");
  }
  return querystring.parse(text, "&", "=", { maxKeys: 100 });
}
