import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { MasterKeyring } from "../adapters/crypto/master-keyring.ts";
import { openStorage } from "../adapters/storage/open-storage.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { Database } from "../postgres/database.ts";
import { requireMigrated } from "../postgres/migrate/require-migrated.ts";
import { readLastMigrations } from "../postgres/migrate/sql-source.ts";
import { createPool } from "../postgres/pool.ts";
import { readService } from "../postgres/read-service.ts";
import { readDemo } from "../services/platform/demo/demo-file.ts";
import type { Service } from "../services/service.ts";
import { services as productServices } from "../services/services.ts";
import type { CommonParts } from "../services/started-service.ts";
import { devInboxPlugin } from "../surfaces/dev-inbox/plugin.ts";
import { graphqlPlugin } from "../surfaces/graphql/graphql.ts";
import { buildGatewaySchema } from "../surfaces/graphql/schema/schema.ts";
import { commonErrors } from "../surfaces/http/errors.ts";
import { Limits } from "../surfaces/http/limits.ts";
import { createServer, HTTP_TIMEOUTS, type HttpTimeouts } from "../surfaces/http/server.ts";
import { TokenUse } from "../surfaces/http/token-use.ts";
import { joined } from "../surfaces/joined.ts";
import { listenForMetrics, type MetricsListener, registerMetrics } from "../surfaces/metrics/endpoint.ts";
import { loadMetrics, metricsOf } from "../surfaces/metrics/load-metrics.ts";
import type { Metrics } from "../surfaces/metrics/metrics.ts";
import { docsPlugin } from "../surfaces/openapi/served/docs.ts";
import { restPlugin } from "../surfaces/rest/rest.ts";
import { isDescribed } from "../surfaces/rest/surface.ts";
import { surfaceAt, surfacesOf } from "../surfaces/rest/surfaces.ts";
import { webAppFolder } from "../surfaces/web/build.ts";
import type { PageFacts } from "../surfaces/web/fill-page.ts";
import { SampleCard } from "../surfaces/web/sample-card.ts";
import { designPlugin, notFoundPage, readWebApp, webAppPlugin } from "../surfaces/web/serve.ts";
import { DEMO_REFUSED } from "./config.ts";
import { type Checks, faultsOf, readinessOf, registerHealth } from "./health.ts";

export interface GatewayOptions {
  /** The product's services by default. */
  readonly services?: readonly Service[];
  readonly config: Config;
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeyring;
  readonly log: Logger;
  /** Shared by everything that runs in one process, which then serves /metrics itself. Without it the gateway makes and serves its own metrics. */
  readonly metrics?: Metrics;
  /** Milliseconds after which a reader of a file who takes nothing is cut off; one minute by default. */
  readonly stalledReaderMs?: number;
  /** Milliseconds after which a file breaks off when it gives no more data although its reader has taken everything; ten minutes by default. */
  readonly stalledSourceMs?: number;
  /** Overrides of {@link HTTP_TIMEOUTS}, so that a test need not wait half a minute. */
  readonly timeouts?: Partial<HttpTimeouts>;
  /** How long an outcome of /readyz, a reading of the queues and one of the sample proof are reused: a second, five seconds and a minute by default. */
  readonly freshness?: { readonly readinessMs?: number; readonly queuesMs?: number; readonly sampleMs?: number };
  /** Makes the GraphQL schema from the catalog. A test may pass a schema that it made earlier from an equal catalog. */
  readonly buildSchema?: typeof buildGatewaySchema;
}

const STALLED_READER_MS = 60_000;
const STALLED_SOURCE_MS = 600_000;

export interface Gateway {
  readonly port: number;
  /** Port of the gateway's own listener for /metrics; null without such a listener. */
  readonly metricsPort: number | null;
  /** Shows a live proof of the sample file on the home page, for which the deployment has no setting. */
  showSample(code: string): Promise<void>;
  /** Accepts no more requests, finishes those under way within SHUTDOWN_GRACE_SECONDS, and closes the pool. */
  stop(): Promise<void>;
}

/** Starts the HTTP process: REST, GraphQL, health. The process is stateless; run as many as needed. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const {
    config,
    databaseUrl,
    masterKeys,
    log,
    services = productServices,
    buildSchema = buildGatewaySchema,
  } = options;
  const { stalledReaderMs = STALLED_READER_MS, stalledSourceMs = STALLED_SOURCE_MS, freshness = {} } = options;
  const timeouts = { ...HTTP_TIMEOUTS, ...options.timeouts };
  const metrics = options.metrics ?? metricsOf(services);
  const pool = createPool(
    { url: databaseUrl, role: "selo_app", applicationName: "selo gateway", statementTimeoutMs: 15_000 },
    config.databasePoolSize,
    (error) => log.warn({ err: error }, "an idle database connection broke"),
  );
  const database = new Database(pool);
  metrics.watchPool("gateway", pool);
  metrics.watchQueues(() => database.queueStates(), freshness.queuesMs);
  const tokenUse = new TokenUse(database, (error) => log.warn({ err: error }, "last use of tokens was not written"));
  const surfaces = surfacesOf(services);
  const facts = pageFacts(config, services);
  const webApp = readWebApp(webAppFolder(), facts);
  const ofServices = (await Promise.all(services.map(({ pages }) => pages?.() ?? []))).flat();
  const { readSample = async () => null } = ofServices.find((pages) => pages.readSample) ?? {};
  const sample = new SampleCard({
    pages: webApp.pages,
    code: config.sampleCode,
    read: (code) => readSample(database, code),
    log,
    freshMs: freshness.sampleMs,
  });
  const { app, close } = await createServer(config, log, metrics, {
    errorFormOf: (url) => surfaceAt(surfaces, url)?.errors ?? commonErrors,
    credentialHeaders: surfaces.flatMap(({ credentials, ofHeaders }) => [
      ...credentials.headers,
      ...(ofHeaders?.headers ?? []).map(({ name }) => name),
    ]),
    exposedHeaders: surfaces.flatMap(({ document }) => Object.keys(document?.writeHeaders ?? {})),
    notFoundPage: notFoundPage(webApp),
    timeouts,
  });
  let listener: MetricsListener | null = null;
  const closers: (() => Promise<void>)[] = [];
  const stop = async () => {
    await close();
    await listener?.close();
    await tokenUse.stop();
    for (const each of closers) await each();
    await pool.end();
  };
  try {
    await requireMigrated(pool, "gateway.readiness()");
    if (config.production && (await database.readiness()).hasDemo) throw new ConfigError(DEMO_REFUSED);
    const objects = await openStorage(config);
    const limits = new Limits(database, masterKeys.derive("public-limit"), config);
    await loadMetrics(services, metrics);
    const common: CommonParts = { database, masterKeys, objects, metrics, tokenUse, limits };
    const patience = { stalledReaderMs, stalledSourceMs };
    const context = {
      config,
      timeouts,
      patience,
      log,
      onClose: (close: () => Promise<void>) => void closers.push(close),
    };
    const own = await Promise.all(services.map(async (service) => ({ ...(await service.parts?.(common, context)) })));
    // Each service finds its own parts here; its parts.ts names them.
    const parts = joined<unknown>([{ ...common }, ...own], "a part") as never;
    // The list ends with the platform, which the others stand on: what its check says explains theirs.
    const checks = await refuseWrongSettings(
      joined(
        services.toReversed().map(({ readinessChecks }) => readinessChecks?.(parts) ?? {}),
        "a check",
      ),
    );
    const expectedMigrations = readLastMigrations(services);
    const readiness = readinessOf({
      database,
      objects,
      expectedMigrations,
      publicUrl: config.publicUrl,
      ofServices: checks,
      partStates: async () =>
        joined(
          await Promise.all(services.map(async ({ partStates }) => (await partStates?.(config, parts)) ?? {})),
          "a part",
        ),
      freshMs: freshness.readinessMs,
    });
    const faults = faultsOf({ database, freshMs: freshness.readinessMs });
    registerHealth(app, readiness);
    if (config.metricsToken !== null) registerMetrics(app, metrics, config.metricsToken);
    await app.register((scope) =>
      restPlugin(scope, services, parts, {
        publicUrl: config.publicUrl,
        patience,
      }),
    );
    const schema = await buildSchema(services, readService(pool, database.actors), (functions) =>
      log.warn({ functions }, "the database has functions of a later version, which GraphQL does not show"),
    );
    const editor = { publicUrl: config.publicUrl, demoToken: demoTokenOf(config) };
    await app.register((scope) => graphqlPlugin(scope, services, parts, schema, editor));
    await app.register((scope) =>
      docsPlugin(scope, surfaces.filter(isDescribed), { publicUrl: config.publicUrl, facts }),
    );
    if (!config.production) await app.register((scope) => devInboxPlugin(scope, { config }), { prefix: "/dev/inbox" });
    await app.register(webAppPlugin, { ...webApp, readiness, faults, demo: demoFactsOf(config), sample, ofServices });
    if (!config.production) await app.register(designPlugin, webApp);
    // The first requests of /readyz find an outcome.
    await readiness(app.log);
    await sample.refresh();
    await app.listen({ host: config.host, port: config.port });
    if (options.metrics === undefined) listener = await listenForMetrics(config, metrics);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    metricsPort: listener?.port ?? null,
    showSample: (code) => sample.show(code),
    stop,
  };
}

/** The facts of this deployment that pages show, by the names in src/web/shell/facts.ts. */
function pageFacts({ operator, publicUrl }: Config, services: readonly Service[]): PageFacts {
  const demoMembers = [
    ...["tokens_live", "tokens_test"],
    ...services.flatMap(({ demo, madeAtStart }) => [...Object.keys(demo ?? {}), ...(madeAtStart?.members ?? [])]),
  ];
  return {
    // Only a developer on this machine sees their values: demoFactsOf.
    ...Object.fromEntries(demoMembers.map((member) => [`demo_${member}`, null])),
    operator_name: operator.name,
    operator_details: operator.details,
    contact_url: operator.contact,
    privacy_url: operator.privacy,
    terms_url: operator.terms,
    public_url: publicUrl,
    // Once its proof was read: src/surfaces/web/sample-card.ts.
    sample_code: null,
  };
}

/** Reads what guides show of demo.json, by the names that src/surfaces/web/build-guides.ts gives its members; null in production. */
function demoFactsOf({ production, dataDir }: Config): (() => PageFacts | null) | null {
  if (production) return null;
  return () => {
    const demo = readDemo(dataDir);
    if (demo === null) return null;
    const { tokens, ...others } = demo;
    // A proxy on this machine that adds no header looks like a reader on it, so no page shows the live token.
    const members = { tokens_live: tokens.test, tokens_test: tokens.test, ...others };
    const texts = Object.entries(members).filter((member): member is [string, string] => typeof member[1] === "string");
    return Object.fromEntries(texts.map(([member, value]) => [`demo_${member}`, value]));
  };
}

/** Reads the test token of the demo organization, which a start in development wrote to a file; null in production. */
function demoTokenOf({ production, dataDir }: Config): (() => string | null) | null {
  return production ? null : () => readDemo(dataDir)?.tokens.test ?? null;
}

/** /readyz reports what is wrong with anything but a setting: its first reading, which the start makes, has what the checks found here. */
async function refuseWrongSettings(checks: Checks): Promise<Checks> {
  const checked: [string, () => Promise<unknown>][] = [];
  for (const [name, check] of Object.entries(checks)) {
    let found: Promise<unknown> | null = check();
    try {
      await found;
    } catch (error) {
      if (error instanceof ConfigError) throw error;
    }
    checked.push([
      name,
      () => {
        const outcome = found ?? check();
        found = null;
        return outcome;
      },
    ]);
  }
  return Object.fromEntries(checked);
}
