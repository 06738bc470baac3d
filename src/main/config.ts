import fs from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { type Config, ConfigError, type DkimConfig } from "../config/config.ts";
import { factsOf } from "../config/setting.ts";
import type { Service } from "../services/service.ts";
import { services } from "../services/services.ts";
import { shapeWords } from "../surfaces/http/shape-words.ts";
import { ownSettings } from "./own-settings.ts";

/** The reason why a production start stops on a developer's database. */
export const DEMO_REFUSED =
  "DATABASE_URL: this database holds the demo organization, whose tokens were written to a file; production needs another database";

/**
 * Reads the environment once, at the start of a process. Empty variables count as missing.
 * @param given services whose settings are read as well
 * @param isApart for a process without the secrets of the database and without documents, such as a nameserver: production does not demand them of it
 * @throws ConfigError that names every wrong variable
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = ownEnvironment(),
  given: readonly Pick<Service, "settings">[] = services,
  isApart = false,
): Config {
  const read = readSettings(environment, [ownSettings, ...settingsOf(given)]);
  const of: Config["of"] = (settings) => {
    const values = read.get(settings);
    if (values === undefined) throw new Error("these settings belong to no service that was given");
    return values as z.output<typeof settings>;
  };
  const values = of(ownSettings);
  const production = values.NODE_ENV === "production";
  if (production && !isApart) requireInProduction(values);
  if (production) refuseInProduction(values, given, of);
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, "");
  return {
    production,
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    operator: {
      name: values.OPERATOR_NAME ?? null,
      details: values.OPERATOR_DETAILS ?? null,
      contact: values.CONTACT_URL ?? null,
      privacy: values.PRIVACY_URL ?? null,
      terms: values.TERMS_URL ?? null,
    },
    sampleCode: values.SAMPLE_CODE ?? null,
    logLevel: values.LOG_LEVEL,
    shutdownGraceSeconds: values.SHUTDOWN_GRACE_SECONDS,
    dataDir: path.resolve(values.SELO_DATA_DIR),
    storageFolder: path.resolve(values.STORAGE_FOLDER ?? path.join(values.SELO_DATA_DIR, "objects")),
    masterKey: values.SELO_MASTER_KEY ?? null,
    otherMasterKeys: values.SELO_MASTER_KEY_OTHERS ?? [],
    databaseUrl: values.DATABASE_URL ?? null,
    databaseAdminUrl: values.DATABASE_ADMIN_URL ?? values.DATABASE_URL ?? null,
    databaseWorkerUrl: values.DATABASE_WORKER_URL ?? values.DATABASE_ADMIN_URL ?? values.DATABASE_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    idempotencyRetentionDays: values.IDEMPOTENCY_RETENTION_DAYS,
    workerConcurrency: values.WORKER_CONCURRENCY,
    publicRequestsPerMinute: values.PUBLIC_REQUESTS_PER_MINUTE,
    tokenRequestsPerMinute: values.TOKEN_REQUESTS_PER_MINUTE,
    corsOrigins: values.CORS_ORIGINS ?? [],
    trustProxy: values.TRUST_PROXY ?? null,
    dnsResolvers: values.DNS_RESOLVERS ?? values.WEBHOOK_DNS_SERVERS ?? null,
    dnsLoopbackPort: values.DNS_LOOPBACK_PORT ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    sms: values.SMS_URL === undefined ? null : { url: values.SMS_URL, token: values.SMS_TOKEN ?? null },
    mailFrom: values.MAIL_FROM ?? { name: "Selo", address: `no-reply@${new URL(publicUrl).hostname}` },
    mailDkim: dkimOf(values),
    mailRetentionDays: values.MAIL_RETENTION_DAYS,
    apiToken: values.SELO_TOKEN ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT ?? null,
    of,
    environment,
  };
}

/** The settings of services. */
export function settingsOf(given: readonly Pick<Service, "settings">[]): z.ZodObject[] {
  return given.flatMap(({ settings }) => settings ?? []);
}

/** The environment of `selo start` outside production: the real environment, with a developer's defaults for missing variables. */
export function withStartDefaults(
  environment: Readonly<Record<string, string | undefined>>,
  given: readonly Pick<Service, "settings">[],
): Readonly<Record<string, string | undefined>> {
  const atStart = settingsOf(given)
    .flatMap(factsOf)
    .map(([name, , facts]) => [name, environment[name] || facts.atStart] as const);
  return { ...environment, ...Object.fromEntries(atStart) };
}

/** The environment in which the examples of the documentation are made: settings that name a value for them have it. */
export function withExampleValues(
  environment: Readonly<Record<string, string>>,
  given: readonly Pick<Service, "settings">[],
): Readonly<Record<string, string>> {
  const named = [ownSettings, ...settingsOf(given)]
    .flatMap(factsOf)
    .flatMap(([name, , { inExamples }]) => (inExamples === undefined ? [] : [[name, inExamples] as const]));
  return { ...Object.fromEntries(named), ...environment };
}

function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  all: readonly z.ZodObject[],
): Map<z.ZodObject, unknown> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const results = all.map((settings) => [settings, settings.safeParse(present, { error: shapeWords })] as const);
  const issues = results.flatMap(([, { error }]) => error?.issues ?? []);
  if (issues.length > 0)
    throw new ConfigError(issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  return new Map(results.map(([settings, { data }]) => [settings, data]));
}

/** The environment of this process; a file `.env` in the current folder fills in missing variables. */
function ownEnvironment(): NodeJS.ProcessEnv {
  if (fs.existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/** All three settings or none: a signature with one of them missing is a mistake that must be reported. */
function dkimOf(values: z.output<typeof ownSettings>): DkimConfig | null {
  const { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: keyFile } = values;
  if (domain !== undefined && selector !== undefined && keyFile !== undefined) return { domain, selector, keyFile };
  const all = { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: keyFile };
  const missing = Object.entries(all).filter(([, value]) => value === undefined);
  if (missing.length === 3) return null;
  throw new ConfigError(missing.map(([name]) => `${name}: must be set with the other settings of DKIM`).join("\n"));
}

/**
 * Refuses settings that are for development alone. Each setting of a service names its value (`neverInProduction`). DNS_LOOPBACK_PORT is refused with any value: a
 * stranger's zone could make the machine ask its own addresses.
 */
function refuseInProduction(
  values: z.output<typeof ownSettings>,
  given: readonly Pick<Service, "settings">[],
  of: Config["of"],
): void {
  const refused = settingsOf(given).flatMap((settings) => {
    const own: Readonly<Record<string, unknown>> = of(settings);
    return factsOf(settings).flatMap(([name, , { neverInProduction: value }]) =>
      value !== undefined && own[name] === value ? [`${name}: must not be ${value} when NODE_ENV is production`] : [],
    );
  });
  if (values.DNS_LOOPBACK_PORT !== undefined)
    refused.push("DNS_LOOPBACK_PORT: must not be set when NODE_ENV is production");
  if (refused.length > 0) throw new ConfigError(refused.join("\n"));
}

/**
 * Secrets that development generates must be set in production: a lost or guessed secret costs contracts there. So must the folder of
 * documents: with its own folder, each process would have some of them.
 */
function requireInProduction(values: z.output<typeof ownSettings>): void {
  const missing = (["SELO_MASTER_KEY", "DATABASE_URL", "PUBLIC_URL", "STORAGE_FOLDER"] as const).filter(
    (name) => values[name] === undefined,
  );
  if (missing.length > 0) {
    throw new ConfigError(missing.map((name) => `${name}: must be set when NODE_ENV is production`).join("\n"));
  }
}
