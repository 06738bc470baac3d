import type { z } from "zod";

/** Who a mail is from. */
export interface MailAddress {
  /** What people see; empty for none. */
  readonly name: string;
  readonly address: string;
}

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
  /** Of the API, for commands that call it, such as `selo listen`; null: they must be given one. */
  readonly apiToken: string | null;
  /** What a caller of /metrics must present. Null: PORT has no /metrics, and every caller that reaches METRICS_PORT may read. */
  readonly metricsToken: string | null;
  readonly metricsHost: string;
  /** Where /metrics has a listener of its own; null: nowhere. */
  readonly metricsPort: number | null;
  /** The values of a service's settings. */
  of<Settings extends z.ZodObject>(settings: Settings): z.output<Settings>;
  /** For programs we start, such as the embedded Postgres. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A value of the environment that cannot be used; the message names the variable and never shows its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
