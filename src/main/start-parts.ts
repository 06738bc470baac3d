import type { Logger } from "pino";
import { startWorker } from "../../workers/main.ts";
import type { Config } from "../config.ts";
import type { Databases } from "../postgres/databases.ts";
import { Operator } from "../postgres/operator/operator.ts";
import type { Service } from "../service.ts";
import type { Demo } from "../services/platform/operations/demo-file.ts";
import { ensureDemo } from "../services/platform/operations/ensure-demo.ts";
import { startMailCatcher } from "../surfaces/dev-inbox/mail-catcher.ts";
import { inboxOf } from "../surfaces/dev-inbox/plugin.ts";
import { listenForMetrics } from "../surfaces/metrics/endpoint.ts";
import { metricsOf } from "../surfaces/metrics/load-metrics.ts";
import { startGateway } from "./gateway.ts";
import { masterKeysOf } from "./master-key.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { registerSample } from "./register-sample.ts";

interface PartsOptions {
  readonly config: Config;
  readonly databases: Databases;
  readonly log: Logger;
  readonly services: readonly Service[];
  /** Settles when the pages are built; null if nothing builds them. */
  readonly webApp: Promise<void> | null;
  /** Is called with the stop of each part that has started. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

/** Prepares the database, then starts gateway, mail catcher and worker. */
export async function startParts({ config, databases, log, services, webApp, onStop }: PartsOptions): Promise<{
  /** Null in production. */
  readonly demo: Demo | null;
  /** Settles when the worker ends by itself. */
  readonly ended: Promise<unknown>;
}> {
  await prepareDatabase(config, databases, (message) => log.info(message), services);
  const demo = config.production ? null : await makeDemo(config, databases.adminUrl);
  await webApp;
  const metrics = metricsOf(services);
  const listener = await listenForMetrics(config, metrics);
  if (listener !== null) onStop(() => listener.close());
  const shared = { masterKeys: masterKeysOf(config), log, metrics };
  const gateway = await startGateway({ services, ...shared, config, databaseUrl: databases.appUrl });
  onStop(() => gateway.stop());
  const catcher = config.production || config.smtpUrl !== null ? null : await startMailCatcher(inboxOf(config));
  if (catcher !== null) onStop(() => catcher.close());
  const workerConfig = { ...config, smtpUrl: catcher?.url ?? config.smtpUrl };
  const worker = await startWorker({ services, ...shared, config: workerConfig, databaseUrl: databases.workerUrl });
  onStop(() => worker.stop());
  if (demo !== null && config.sampleCode === null) {
    const sample = await registerSample({ host: config.host, port: gateway.port }, demo.tokens.test, log);
    if (sample !== null) gateway.showSample(sample);
  }
  return { demo, ended: worker.ended };
}

async function makeDemo(config: Config, adminUrl: string): Promise<Demo> {
  const operator = await Operator.connect(adminUrl);
  try {
    return await ensureDemo(operator, config.dataDir, config.publicUrl);
  } finally {
    await operator.close();
  }
}
