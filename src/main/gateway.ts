import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { MasterKeyring } from "../adapters/crypto/master-keyring.ts";
import { SecretError } from "../adapters/crypto/sealed-secret.ts";
import { ReceiptRenderer } from "../adapters/pdf/receipt-renderer.ts";
import { Database } from "../postgres/database.ts";
import { requireMigrated } from "../postgres/migrate/require-migrated.ts";
import { readSqlSource } from "../postgres/migrate/sql-source.ts";
import { createPool } from "../postgres/pool.ts";
import { readService } from "../postgres/read-service.ts";
import { PlatformSigners } from "../services/platform/operations/platform-signers.ts";
import { type Parts, services } from "../services/services.ts";
import { devInboxPlugin } from "../surfaces/dev-inbox/plugin.ts";
import { graphqlPlugin } from "../surfaces/graphql/graphql.ts";
import { buildGatewaySchema } from "../surfaces/graphql/schema/schema.ts";
import { Limits } from "../surfaces/http/limits.ts";
import { createServer, HTTP_TIMEOUTS, type HttpTimeouts } from "../surfaces/http/server.ts";
import { TokenUse } from "../surfaces/http/token-use.ts";
import { listenForMetrics, type MetricsListener, registerMetrics } from "../surfaces/metrics/endpoint.ts";
import { Metrics } from "../surfaces/metrics/metrics.ts";
import { docsPlugin } from "../surfaces/openapi/served/docs.ts";
import { API_PREFIX, restPlugin } from "../surfaces/rest/rest.ts";
import { webAppFolder } from "../surfaces/web/build.ts";
import { notFoundPage, webAppPlugin } from "../surfaces/web/serve.ts";
import { type Config, ConfigError, DEMO_REFUSED } from "./config.ts";
import { registerHealth } from "./health.ts";

export interface GatewayOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeyring;
  readonly log: Logger;
  /** Shared by what runs in one process, and listened for by whoever shares it; otherwise the gateway has its own. */
  readonly metrics?: Metrics;
  /** Where they differ from {@link HTTP_TIMEOUTS}: a test need not wait for half a minute. */
  readonly timeouts?: Partial<HttpTimeouts>;
  /** Makes the GraphQL schema from the catalog; a test hands down one that it made before from an equal catalog. */
  readonly buildSchema?: typeof buildGatewaySchema;
}

export interface Gateway {
  readonly port: number;
  /** Of its own listener for /metrics; null without one. */
  readonly metricsPort: number | null;
  /** Stops taking requests, finishes those under way within SHUTDOWN_GRACE_SECONDS, closes the pool. */
  stop(): Promise<void>;
}

/** Starts the HTTP process: REST, GraphQL, health. Stateless; run as many as needed. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, databaseUrl, masterKeys, log, buildSchema = buildGatewaySchema } = options;
  const timeouts = { ...HTTP_TIMEOUTS, ...options.timeouts };
  const metrics = options.metrics ?? new Metrics();
  const pool = createPool(
    { url: databaseUrl, role: "selo_app", applicationName: "selo gateway", statementTimeoutMs: 15_000, pipeline: true },
    config.databasePoolSize,
    (error) => log.warn({ err: error }, "an idle database connection broke"),
  );
  const database = new Database(pool);
  metrics.watchPool("gateway", pool);
  metrics.watchQueues(() => database.queueStates());
  const signers = new PlatformSigners(database, masterKeys, metrics);
  const receipts = new ReceiptRenderer();
  const tokenUse = new TokenUse(database, (error) => log.warn({ err: error }, "last use of tokens was not written"));
  const { app, close } = await createServer(config, log, metrics, notFoundPage(webAppFolder()), timeouts);
  let listener: MetricsListener | null = null;
  const stop = async () => {
    await close();
    await listener?.close();
    await tokenUse.stop();
    await receipts.close();
    await pool.end();
  };
  try {
    await requireMigrated(pool, "gateway.readiness()");
    await refuseOtherMasterKey(signers);
    if (config.production && (await database.readiness()).hasDemo) throw new ConfigError(DEMO_REFUSED);
    const expectedMigration = readSqlSource().migrations.at(-1)?.name ?? "";
    registerHealth(app, { database, signers, expectedMigration, publicUrl: config.publicUrl });
    if (config.metricsToken !== null) registerMetrics(app, metrics, config.metricsToken);
    const limits = new Limits(database, masterKeys.derive("public-limit"), config);
    const parts: Parts = {
      database,
      signers,
      metrics,
      receipts,
      tokenUse,
      limits,
      masterKeys,
      webhookAllowLoopback: config.webhookAllowLoopback,
      proofMaxFileBytes: config.proofMaxFileBytes,
      silenceMs: timeouts.silenceMs,
    };
    await app.register((scope) => restPlugin(scope, services, parts), { prefix: API_PREFIX });
    const schema = await buildSchema(services, readService(pool));
    await app.register((scope) => graphqlPlugin(scope, services, parts, schema));
    await app.register(docsPlugin);
    if (!config.production) await app.register((scope) => devInboxPlugin(scope, { config }), { prefix: "/dev/inbox" });
    await app.register(webAppPlugin, { folder: webAppFolder() });
    await app.listen({ host: config.host, port: config.port });
    if (options.metrics === undefined) listener = await listenForMetrics(config, metrics);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: (app.server.address() as AddressInfo).port, metricsPort: listener?.port ?? null, stop };
}

/** A master key other than those the platform's keys are sealed under is a wrong setting; any other fault /readyz tells. */
async function refuseOtherMasterKey(signers: PlatformSigners): Promise<void> {
  try {
    await signers.check();
  } catch (error) {
    if (error instanceof SecretError && error.reason === "other_master_key") {
      throw new ConfigError(`SELO_MASTER_KEY: ${error.message}`, { cause: error });
    }
  }
}
