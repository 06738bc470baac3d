import type { Databases } from "../postgres/databases.ts";
import { migrate } from "../postgres/migrate/migrate.ts";
import type { SqlSource } from "../postgres/migrate/sql-source.ts";
import { Operator } from "../postgres/operator/operator.ts";
import { hasDemo } from "../services/platform/operations/ensure-demo.ts";
import { ensurePlatformKeys } from "../services/platform/operations/ensure-platform-keys.ts";
import { type Config, ConfigError, DEMO_REFUSED } from "./config.ts";
import { masterKeysFor } from "./master-key.ts";

/**
 * Brings a database up for this configuration: schema, logins, the settings that SQL needs, platform keys.
 * @param source the product's SQL unless given
 * @param loginUrls connections of the logins that services bring, whose passwords they carry
 * @returns names of the migrations applied
 * @throws ConfigError without the master key of what the database holds
 */
export async function prepareDatabase(
  config: Config,
  databases: Databases,
  log: (message: string) => void,
  { source, loginUrls = [] }: { readonly source?: SqlSource; readonly loginUrls?: readonly string[] } = {},
): Promise<string[]> {
  if (config.production) await refuseDemo(databases.adminUrl);
  const applied = await migrate({
    adminUrl: databases.adminUrl,
    serviceUrls: [databases.appUrl, databases.workerUrl, ...loginUrls],
    log,
    ...(source ? { source } : {}),
  });
  const operator = await Operator.connect(databases.adminUrl);
  try {
    await writeSettings(config, operator);
    const sealed = await operator.sealedValues.count();
    const masterKeys = masterKeysFor(config, [...new Set(sealed.map(({ masterKeyId }) => masterKeyId))]);
    await ensurePlatformKeys(operator, masterKeys);
  } finally {
    await operator.close();
  }
  return applied;
}

/** Writes the settings of this deployment that SQL needs, and since when there is an audit trail. */
export async function writeSettings(config: Config, operator: Operator): Promise<void> {
  await operator.changeSetting("public_url", config.publicUrl);
  await operator.changeSetting("idempotency_retention_days", String(config.idempotencyRetentionDays));
  await operator.changeSetting("mail_retention_days", String(config.mailRetentionDays));
  await operator.changeSetting("webhook_retention_days", String(config.webhookRetentionDays));
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
