import type { Logger } from "pino";
import { startWorker } from "../../workers/main.ts";
import type { Config } from "../config.ts";
import { ownDatabases } from "../postgres/databases.ts";
import { Operator } from "../postgres/operator/operator.ts";
import type { Service } from "../service.ts";
import type { Demo } from "../services/platform/operations/demo-file.ts";
import { ensureDemo } from "../services/platform/operations/ensure-demo.ts";
import { services as productServices } from "../services/services.ts";
import { startMailCatcher } from "../surfaces/dev-inbox/mail-catcher.ts";
import { inboxOf } from "../surfaces/dev-inbox/plugin.ts";
import { listenForMetrics } from "../surfaces/metrics/endpoint.ts";
import { metricsOf } from "../surfaces/metrics/load-metrics.ts";
import { buildWebAppApart } from "../surfaces/web/build-apart.ts";
import { readConfig, withStartDefaults } from "./config.ts";
import { startGateway } from "./gateway.ts";
import { masterKeysOf } from "./master-key.ts";
import { prepareDatabase } from "./prepare-database.ts";

export interface Started {
  /** The demo organization that the terminal shows; null in production. */
  readonly demo: Demo | null;
  readonly description: string;
  /** Settles when the worker ends by itself; then everything ends. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Runs everything in one process: the embedded Postgres unless one is configured, migrations, keys, the demo organization, gateway, mail catcher, worker. */
export async function startAll(
  given: Config,
  log: Logger,
  services: readonly Service[] = productServices,
): Promise<Started> {
  const config = given.production ? given : readConfig(withStartDefaults(given.environment, services), services);
  const stops: (() => Promise<void>)[] = [];
  // In reverse order: a part stops before the parts it uses. A failing stop does not keep the others from stopping.
  const stop = async () => {
    for (const each of stops.splice(0).reverse())
      await each().catch((error: unknown) => log.error({ err: error }, "did not stop cleanly"));
  };
  try {
    // Runs while Postgres starts.
    const webApp = config.production ? null : buildWebAppApart(log);
    const databases = await ownDatabases(config, (message) => log.info(message));
    stops.push(() => databases.close());
    await prepareDatabase(config, databases, (message) => log.info(message), services);
    const demo = config.production ? null : await makeDemo(config, databases.adminUrl);
    await webApp;
    const metrics = metricsOf(services);
    const listener = await listenForMetrics(config, metrics);
    if (listener !== null) stops.push(() => listener.close());
    const shared = { masterKeys: masterKeysOf(config), log, metrics };
    const gateway = await startGateway({ services, ...shared, config, databaseUrl: databases.appUrl });
    stops.push(() => gateway.stop());
    const catcher = config.production || config.smtpUrl !== null ? null : await startMailCatcher(inboxOf(config));
    if (catcher !== null) stops.push(() => catcher.close());
    const workerConfig = { ...config, smtpUrl: catcher?.url ?? config.smtpUrl };
    const worker = await startWorker({ services, ...shared, config: workerConfig, databaseUrl: databases.workerUrl });
    stops.push(() => worker.stop());
    return { demo, description: databases.description, ended: worker.ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeDemo(config: Config, adminUrl: string): Promise<Demo> {
  const operator = await Operator.connect(adminUrl);
  try {
    return await ensureDemo(operator, config.dataDir, config.publicUrl);
  } finally {
    await operator.close();
  }
}
