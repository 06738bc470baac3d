import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { type Databases, ownDatabases } from "../postgres/databases.ts";
import type { Demo } from "../services/platform/demo/demo-file.ts";
import type { Service } from "../services/service.ts";
import { services as productServices } from "../services/services.ts";
import { inboxOf } from "../surfaces/dev-inbox/inbox.ts";
import { type SmsCatcher, startSmsCatcher } from "../surfaces/dev-inbox/sms-catcher.ts";
import { buildWebAppApart } from "../surfaces/web/build-apart.ts";
import { readConfig, withStartDefaults } from "./config.ts";

export interface Started {
  /** The demo organization that the terminal shows; null in production. */
  readonly demo: Demo | null;
  readonly description: string;
  /** Lines of what services run beside everything. */
  readonly companions: readonly (readonly [name: string, says: string])[];
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
  const { config, made, smsCatcher } = given.production
    ? { config: given, made: {}, smsCatcher: null }
    : await withMadeAtStart(given, services);
  const stops: (() => Promise<void>)[] = [];
  if (smsCatcher !== null) stops.push(() => smsCatcher.close());
  // In reverse order: a part stops before the parts it uses. A failing stop does not keep the others from stopping.
  const stop = async () => {
    for (const each of stops.splice(0).reverse())
      await each().catch((error: unknown) => log.error({ err: error }, "did not stop cleanly"));
  };
  // Postgres starts, and the pages are built, in their own processes while this process loads its code.
  const opening = ownDatabases(config, (message) => log.info(message));
  stops.push(() =>
    opening.then(
      (databases) => databases.close(),
      () => {}, // the start reports it
    ),
  );
  const webApp = config.production ? null : buildWebAppApart(log);
  const preparing = prepare(opening, config, log, services, made);
  preparing.catch(() => {}); // not unhandled before it is awaited
  try {
    const { startParts } = await loadParts();
    const { databases, demo } = await preparing;
    const onStop = (each: () => Promise<void>) => void stops.push(each);
    const started = await startParts({ config, databases, demo, log, services, webApp, onStop });
    return { ...started, demo, description: databases.description, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The configuration with the defaults of a start, and with what services make for it. */
async function withMadeAtStart(
  given: Config,
  services: readonly Service[],
): Promise<{
  readonly config: Config;
  readonly made: Readonly<Record<string, string>>;
  readonly smsCatcher: SmsCatcher | null;
}> {
  const environment = withStartDefaults(given.environment, services);
  const config = readConfig(environment, services);
  const all = await Promise.all(services.map(({ madeAtStart }) => madeAtStart?.make(config)));
  const settings = Object.assign({}, ...all.map((each) => each?.settings));
  const made = Object.assign({}, ...all.map((each) => each?.demo));
  // SMS are caught before the database is prepared, because preparing it writes down that they are sent.
  const smsCatcher = config.sms === null ? await startSmsCatcher(inboxOf(config)) : null;
  const sms = smsCatcher === null ? {} : { SMS_URL: smsCatcher.url, SMS_TOKEN: smsCatcher.token };
  return { config: readConfig({ ...environment, ...settings, ...sms }, services), made, smsCatcher };
}

/** Prepares the database as soon as it is open, and makes the demo organization in it. */
async function prepare(
  opening: Promise<Databases>,
  config: Config,
  log: Logger,
  services: readonly Service[],
  made: Readonly<Record<string, string>>,
): Promise<{ readonly databases: Databases; readonly demo: Demo | null }> {
  const { prepareDatabase } = await import("./prepare-database.ts");
  const databases = await opening;
  await prepareDatabase(config, databases, (message) => log.info(message), services);
  return { databases, demo: config.production ? null : await makeDemo(config, databases.adminUrl, services, made) };
}

async function makeDemo(
  config: Config,
  adminUrl: string,
  services: readonly Service[],
  made: Readonly<Record<string, string>>,
): Promise<Demo> {
  const [{ Operator }, { ensureDemo }] = await Promise.all([
    import("../postgres/operator/operator.ts"),
    import("../services/platform/demo/ensure-demo.ts"),
  ]);
  const operator = await Operator.connect(adminUrl);
  try {
    return await ensureDemo(operator, config.dataDir, config.publicUrl, services, made);
  } finally {
    await operator.close();
  }
}

/** Loads the code in pieces. Loading blocks the process, and between two pieces it takes the answers of Postgres. */
async function loadParts(): Promise<typeof import("./start-parts.ts")> {
  const pieces = [
    () => import("../surfaces/http/server.ts"),
    () => import("../../workers/main.ts"),
    () => import("../surfaces/rest/rest.ts"),
    () => import("../surfaces/graphql/schema/schema.ts"),
    () => import("../surfaces/graphql/graphql.ts"),
  ];
  for (const load of pieces) {
    await load();
    await setImmediate();
  }
  return import("./start-parts.ts");
}
