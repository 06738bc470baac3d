import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import {
  cronSchedule,
  dnsServers,
  type MailAddress,
  masterKey,
  masterKeys,
  metricsToken,
  origins,
  postgresUrl,
  sender,
  smtpUrl,
  trustedProxies,
  wholeNumber,
} from "./config-values.ts";

/** The environment, variable by variable: what each means stands in README.md §Configuration. */
const environmentSchema = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(4000),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }).optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  SHUTDOWN_GRACE_SECONDS: wholeNumber(0, 3_600).default(10),
  SELO_DATA_DIR: z.string().min(1).default(".data"),
  SELO_MASTER_KEY: masterKey.optional(),
  SELO_MASTER_KEY_OTHERS: masterKeys.optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_ADMIN_URL: postgresUrl.optional(),
  DATABASE_WORKER_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000).default(10),
  IDEMPOTENCY_RETENTION_DAYS: wholeNumber(1, 3_650).default(7),
  PROOF_MAX_FILE_BYTES: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(2 * 1024 ** 3),
  WORKER_CONCURRENCY: wholeNumber(1, 1_000).default(4),
  AUDIT_SEAL_SCHEDULE: cronSchedule.default("0 3 * * *"),
  PUBLIC_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  TOKEN_REQUESTS_PER_MINUTE: wholeNumber(1, 10_000_000).default(6_000),
  CORS_ORIGINS: origins.optional(),
  TRUST_PROXY: trustedProxies.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.optional(),
  MAIL_DKIM_DOMAIN: z.hostname().optional(),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/, "must be a DKIM selector")
    .optional(),
  MAIL_DKIM_KEY_FILE: z.string().min(1).optional(),
  MAIL_RETENTION_DAYS: wholeNumber(1, 3_650).default(30),
  WEBHOOK_RETENTION_DAYS: wholeNumber(12, 3_650).default(30),
  WEBHOOK_ALLOW_LOOPBACK: z.enum(["0", "1"]).default("0"),
  WEBHOOK_DNS_SERVERS: dnsServers.optional(),
  SELO_TOKEN: z
    .string()
    .regex(/^svc_(live|test)_[A-Za-z0-9_-]{43}$/, "must be a token of the API")
    .optional(),
  METRICS_TOKEN: metricsToken.optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
});

/** How mails are signed (RFC 6376). */
export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  /** File of the private key, PEM. */
  readonly keyFile: string;
}

/** What the processes of Selo are told by their environment. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Where the public reaches this deployment, without a slash at the end. */
  readonly publicUrl: string;
  readonly logLevel: string;
  readonly shutdownGraceSeconds: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** 32 bytes; null in development, where a key is generated into the data folder. */
  readonly masterKey: Buffer | null;
  /** Further keys that open and never seal, while a master key is replaced. */
  readonly otherMasterKeys: readonly Buffer[];
  /** Null: the embedded Postgres. */
  readonly databaseUrl: string | null;
  readonly databaseAdminUrl: string | null;
  readonly databaseWorkerUrl: string | null;
  readonly databasePoolSize: number;
  readonly idempotencyRetentionDays: number;
  readonly proofMaxFileBytes: number;
  readonly workerConcurrency: number;
  /** When the audit trail is sealed: a crontab's five fields, in UTC. */
  readonly auditSealSchedule: string;
  /** What one address may ask of the public endpoints. */
  readonly publicRequestsPerMinute: number;
  /** What one token may ask. */
  readonly tokenRequestsPerMinute: number;
  /** Origins whose pages may call us from a browser; none by default. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is believed: how many stand in front of us, or their addresses; null believes none. */
  readonly trustProxy: number | string[] | null;
  /** The mail server, with credentials if it wants any; null: mails wait, save at `selo start`, which catches them. */
  readonly smtpUrl: string | null;
  readonly mailFrom: MailAddress;
  /** Null: mails are not signed here. */
  readonly mailDkim: DkimConfig | null;
  readonly mailRetentionDays: number;
  /** How long events and what became of their deliveries are kept. */
  readonly webhookRetentionDays: number;
  /** Whether webhooks of test tokens may be http:// addresses of this machine. */
  readonly webhookAllowLoopback: boolean;
  /** Who is asked for the addresses of webhooks; empty for those of the system. */
  readonly webhookDnsServers: readonly string[];
  /** Of the API, for commands that call it, such as `selo listen`; null: they must be given one. */
  readonly apiToken: string | null;
  /** What a caller of /metrics must present; null: there is no /metrics on PORT, and whoever reaches METRICS_PORT may read. */
  readonly metricsToken: string | null;
  readonly metricsHost: string;
  /** Where /metrics has a listener of its own; null: nowhere. */
  readonly metricsPort: number | null;
  /** For programs we start, such as the embedded Postgres. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A value of the environment that cannot be used; the message names the variable and never shows its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Why a production start stops on a developer's database. */
export const DEMO_REFUSED =
  "DATABASE_URL: this database holds the demo organization, whose tokens were written to a file; production needs another";

/**
 * Reads the environment once, at the start of a process. Empty variables count as missing.
 * @throws ConfigError naming every variable that is wrong
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = ownEnvironment()): Config {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
  }
  const values = parsed.data;
  const production = values.NODE_ENV === "production";
  if (production) requireInProduction(values);
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, "");
  return {
    production,
    host: values.HOST,
    port: values.PORT,
    publicUrl,
    logLevel: values.LOG_LEVEL,
    shutdownGraceSeconds: values.SHUTDOWN_GRACE_SECONDS,
    dataDir: path.resolve(values.SELO_DATA_DIR),
    masterKey: values.SELO_MASTER_KEY ?? null,
    otherMasterKeys: values.SELO_MASTER_KEY_OTHERS ?? [],
    databaseUrl: values.DATABASE_URL ?? null,
    databaseAdminUrl: values.DATABASE_ADMIN_URL ?? values.DATABASE_URL ?? null,
    databaseWorkerUrl: values.DATABASE_WORKER_URL ?? values.DATABASE_ADMIN_URL ?? values.DATABASE_URL ?? null,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    idempotencyRetentionDays: values.IDEMPOTENCY_RETENTION_DAYS,
    proofMaxFileBytes: values.PROOF_MAX_FILE_BYTES,
    workerConcurrency: values.WORKER_CONCURRENCY,
    auditSealSchedule: values.AUDIT_SEAL_SCHEDULE,
    publicRequestsPerMinute: values.PUBLIC_REQUESTS_PER_MINUTE,
    tokenRequestsPerMinute: values.TOKEN_REQUESTS_PER_MINUTE,
    corsOrigins: values.CORS_ORIGINS ?? [],
    trustProxy: values.TRUST_PROXY ?? null,
    smtpUrl: values.SMTP_URL ?? null,
    mailFrom: values.MAIL_FROM ?? { name: "Selo", address: `no-reply@${new URL(publicUrl).hostname}` },
    mailDkim: dkimOf(values),
    mailRetentionDays: values.MAIL_RETENTION_DAYS,
    webhookRetentionDays: values.WEBHOOK_RETENTION_DAYS,
    webhookAllowLoopback: values.WEBHOOK_ALLOW_LOOPBACK === "1",
    webhookDnsServers: values.WEBHOOK_DNS_SERVERS ?? [],
    apiToken: values.SELO_TOKEN ?? null,
    metricsToken: values.METRICS_TOKEN ?? null,
    metricsHost: values.METRICS_HOST,
    metricsPort: values.METRICS_PORT ?? null,
    environment,
  };
}

/** The environment of this process, and beneath it a file `.env` in the current folder. */
function ownEnvironment(): NodeJS.ProcessEnv {
  if (fs.existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/** All three or none: half of a signature is a mistake somebody wants to hear of. */
function dkimOf(values: z.infer<typeof environmentSchema>): DkimConfig | null {
  const { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: keyFile } = values;
  if (domain !== undefined && selector !== undefined && keyFile !== undefined) return { domain, selector, keyFile };
  const all = { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY_FILE: keyFile };
  const missing = Object.entries(all).filter(([, value]) => value === undefined);
  if (missing.length === 3) return null;
  throw new ConfigError(missing.map(([name]) => `${name}: must be set with the other settings of DKIM`).join("\n"));
}

/** What is generated for a developer must be given in production: a lost or guessed secret there costs contracts. */
function requireInProduction(values: z.infer<typeof environmentSchema>): void {
  const missing = (["SELO_MASTER_KEY", "DATABASE_URL", "PUBLIC_URL"] as const).filter(
    (name) => values[name] === undefined,
  );
  if (missing.length > 0) {
    throw new ConfigError(missing.map((name) => `${name}: must be set when NODE_ENV is production`).join("\n"));
  }
}
