import { type Config, ConfigError, installationName } from "../config/config.ts";
import { factsOf } from "../config/setting.ts";
import type { Databases } from "../postgres/databases.ts";
import { migrate } from "../postgres/migrate/migrate.ts";
import { readSqlSource } from "../postgres/migrate/sql-source.ts";
import { Operator } from "../postgres/operator/operator.ts";
import { hasDemo } from "../services/platform/demo/ensure-demo.ts";
import { ensurePlatformKeys } from "../services/platform/keys/ensure-platform-keys.ts";
import type { Service } from "../services/service.ts";
import { services as productServices } from "../services/services.ts";
import { DEMO_REFUSED, settingsOf } from "./config.ts";
import { masterKeysFor } from "./master-key.ts";
import { ownSettings } from "./own-settings.ts";

/**
 * Prepares a database for this configuration: schema, logins, the settings that SQL needs, platform keys.
 * @param services the product's services by default; their SQL is applied
 * @returns names of the applied migrations
 * @throws ConfigError without the master key of the database's secrets
 */
export async function prepareDatabase(
  config: Config,
  databases: Databases,
  log: (message: string) => void,
  services: readonly Service[] = productServices,
): Promise<string[]> {
  if (config.production) await refuseDemo(databases.adminUrl);
  const applied = await migrate({
    adminUrl: databases.adminUrl,
    serviceUrls: serviceUrls(config, databases, services),
    log,
    source: readSqlSource(services),
  });
  const operator = await Operator.connect(databases.adminUrl);
  try {
    await writeSettings(config, operator, services);
    const sealed = await operator.sealedValues.count();
    const masterKeys = masterKeysFor(config, [...new Set(sealed.map(({ masterKeyId }) => masterKeyId))]);
    await ensurePlatformKeys(operator, masterKeys, installationName(config));
  } finally {
    await operator.close();
  }
  return applied;
}

/** Connections of the logins whose passwords a migration sets: the gateway's, the worker's, and those of services' own logins. */
export function serviceUrls(config: Config, databases: Databases, services: readonly Service[]): string[] {
  const own = settingsOf(services).flatMap((settings) => {
    const values: Readonly<Record<string, unknown>> = config.of(settings);
    return factsOf(settings).flatMap(([name, , { isLogin }]) =>
      isLogin && values[name] !== undefined ? [String(values[name] ?? "")] : [],
    );
  });
  const { loginUrl } = databases;
  const embedded = loginUrl === null ? [] : readSqlSource(services).logins.map(loginUrl);
  // The last one counts: a variable that is set is what the service uses.
  return [databases.appUrl, databases.workerUrl, ...embedded, ...own];
}

/** Writes the settings of this deployment that SQL needs, and the time from which an audit trail exists. */
export async function writeSettings(
  config: Config,
  operator: Operator,
  services: readonly Pick<Service, "settings">[] = productServices,
): Promise<void> {
  await operator.changeSetting("public_url", config.publicUrl);
  for (const settings of [ownSettings, ...settingsOf(services)]) {
    const values: Readonly<Record<string, unknown>> = config.of(settings);
    for (const [name, , { inDatabase }] of factsOf(settings))
      if (inDatabase !== undefined) await operator.changeSetting(inDatabase, String(values[name] ?? ""));
  }
  await operator.audit.begin();
}

async function refuseDemo(adminUrl: string): Promise<void> {
  const operator = await Operator.connect(adminUrl);
  try {
    if (await hasDemo(operator)) throw new ConfigError(DEMO_REFUSED);
  } finally {
    await operator.close();
  }
}
