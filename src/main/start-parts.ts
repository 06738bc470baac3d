import type { Logger } from "pino";
import { startWorker } from "../../workers/main.ts";
import type { Config } from "../config/config.ts";
import type { Databases } from "../postgres/databases.ts";
import { type Demo, writeDemoMember } from "../services/platform/demo/demo-file.ts";
import type { Service } from "../services/service.ts";
import type { Companion, CompanionContext } from "../services/started-service.ts";
import { inboxOf } from "../surfaces/dev-inbox/inbox.ts";
import { startMailCatcher } from "../surfaces/dev-inbox/mail-catcher.ts";
import { listenForMetrics } from "../surfaces/metrics/endpoint.ts";
import { metricsOf } from "../surfaces/metrics/load-metrics.ts";
import type { Metrics } from "../surfaces/metrics/metrics.ts";
import { startGateway } from "./gateway.ts";
import { masterKeysOf } from "./master-key.ts";
import { registerSample } from "./register-sample.ts";

interface PartsOptions {
  readonly config: Config;
  readonly databases: Databases;
  /** Null in production. */
  readonly demo: Demo | null;
  readonly log: Logger;
  readonly services: readonly Service[];
  /** Settles when the pages are built; null if nothing builds them. */
  readonly webApp: Promise<void> | null;
  /** Is called with the stop of each part that has started. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

/** Starts what services run beside everything, gateway, mail catcher, and worker. */
export async function startParts({ config, databases, demo, log, services, webApp, onStop }: PartsOptions): Promise<{
  /** Settles when the worker ends by itself. */
  readonly ended: Promise<unknown>;
  /** Lines of what services run beside everything. */
  readonly companions: readonly Companion["line"][];
}> {
  await webApp;
  const metrics = metricsOf(services);
  const listener = await listenForMetrics(config, metrics);
  if (listener !== null) onStop(() => listener.close());
  // Before the gateway: a program that a killed start left running would miss the gateway's first changes.
  const companions = await startCompanions({ config, databases, demo, log, services, onStop }, metrics);
  const shared = { masterKeys: masterKeysOf(config), log, metrics };
  const gateway = await startGateway({ services, ...shared, config, databaseUrl: databases.appUrl });
  onStop(() => gateway.stop());
  const catcher = config.production || config.smtpUrl !== null ? null : await startMailCatcher(inboxOf(config));
  if (catcher !== null) onStop(() => catcher.close());
  const workerConfig = { ...config, smtpUrl: catcher?.url ?? config.smtpUrl };
  const worker = await startWorker({ services, ...shared, config: workerConfig, databaseUrl: databases.workerUrl });
  onStop(() => worker.stop());
  if (demo !== null) {
    const { tokens } = demo;
    const url = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${gateway.port}`;
    const adding = Promise.all(companions.map(({ addDemo }) => addDemo?.({ url, tokens })));
    const sample = config.sampleCode === null ? await registerSample(url, tokens.live, log) : null;
    if (sample !== null) await gateway.showSample(sample);
    await adding;
  }
  return { ended: worker.ended, companions: companions.map(({ line }) => line) };
}

async function startCompanions(
  { config, databases, demo, log, services, onStop }: Omit<PartsOptions, "webApp">,
  metrics: Metrics,
): Promise<Companion[]> {
  const context: CompanionContext = {
    config,
    loginUrl: databases.loginUrl,
    log,
    metrics,
    tellDemo: (member, value) => {
      if (demo !== null) writeDemoMember(config.dataDir, member, value);
    },
  };
  return Promise.all(
    services
      .flatMap(({ companions = [] }) => companions)
      .map(async (start) => {
        const companion = await start(context);
        onStop(() => companion.stop());
        return companion;
      }),
  );
}
