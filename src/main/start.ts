import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { ownDatabases } from "../postgres/databases.ts";
import type { Service } from "../service.ts";
import type { Demo } from "../services/platform/operations/demo-file.ts";
import { services as productServices } from "../services/services.ts";
import { buildWebAppApart } from "../surfaces/web/build-apart.ts";
import { readConfig, withStartDefaults } from "./config.ts";

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
  // Postgres starts, and the pages are built, in processes of their own while this process loads its code.
  const opening = ownDatabases(config, (message) => log.info(message));
  stops.push(() =>
    opening.then(
      (databases) => databases.close(),
      () => {}, // the start reports it
    ),
  );
  opening.catch(() => {}); // not unhandled before it is awaited
  const webApp = config.production ? null : buildWebAppApart(log);
  try {
    const { startParts } = await import("./start-parts.ts");
    const databases = await opening;
    const onStop = (each: () => Promise<void>) => void stops.push(each);
    const started = await startParts({ config, databases, log, services, webApp, onStop });
    return { ...started, description: databases.description, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
